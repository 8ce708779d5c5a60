# Real programs with inputs, for results that are to be the same when they are made again.
# To be sourced.
#
#     for name in $workloads; do
#         workload_there $name && workload $name sluice record -o $PWD/$name.slt --
#     done
#
# A program runs in a directory of its own below the current one, which has its inputs and
# nothing else (Python looks at every file there), in an environment with nothing else. So
# it does the same in every run, but for some loads of dates and process numbers; where the
# versions are the same, which `workload_version` tells, also on another machine, but for
# what the length of the directory's name moves. Programs whose work depends on the time
# (Lua seeds its hash with it) are none of these.
workloads='gcc go perl python sqlite gzip bzip2 lisp'

workload_file() # NAME: the program itself
{
    case $1 in
    gcc) gcc -print-prog-name=cc1 ;;
    go) echo /usr/games/gnugo ;;
    perl) echo /usr/bin/perl ;;
    python) echo /usr/bin/python3 ;;
    sqlite) echo /usr/bin/sqlite3 ;;
    gzip | bzip2) command -v "$1" ;;
    lisp) ls /usr/lib/clisp-*/base/lisp.run 2>/dev/null | tail -n 1 ;;
    esac
}

workload_package() # NAME
{
    case $1 in
    gcc) echo "cpp-$(gcc -dumpversion)" ;;
    go) echo gnugo ;;
    python) echo python3.11-minimal ;;
    sqlite) echo sqlite3 ;;
    lisp) echo clisp ;;
    *) echo "$1" ;;
    esac
}

workload_there() # NAME: the program is installed, and what its input is made of
{
    [ -x "$(workload_file "$1" 2>/dev/null)" ] || return 1
    case $1 in
    gcc) [ -r /usr/include/xxhash.h ] ;;
    perl | python | gzip | bzip2) [ -d "$(perl_library)" ] ;;
    esac
}

workload_version() # NAME
{
    local package
    package=$(workload_package "$1")
    echo "$package $(dpkg-query -W -f '${Version}' "$package" 2>/dev/null || echo '(unknown)')"
}

workload_does() # NAME: in a few words
{
    case $1 in
    gcc) echo 'the compiler proper, -O2 -fkeep-static-functions, on xxhash.h without XXH3' ;;
    go) echo 'five moves against itself, 9 × 9, level 1, seed 1' ;;
    perl) echo 'words, matches and sorts in 9,000 lines of its library' ;;
    python) echo 'words of 120 KB of text into dictionaries, JSON, a trie' ;;
    sqlite) echo 'two tables, two indices, joins, update, delete, in memory' ;;
    gzip) echo 'compresses 1.2 MB of text' ;;
    bzip2) echo 'compresses 0.5 MB of text' ;;
    lisp) echo 'interprets queens, derivatives, a hash table, a sort' ;;
    esac
}

# The command runs the program; its own files have to have absolute names.
workload() # NAME COMMAND...
{
    rm -rf "./$1" && mkdir "$1" && (cd "$1" && workload_here "$@")
}

workload_here() # NAME COMMAND...
{
    local name file
    name=$1
    shift
    file=$(workload_file "$name")
    workload_input "$name" && touch -d 2001-02-03 ./* || return
    set -- env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C PERL_HASH_SEED=0 PYTHONHASHSEED=0 \
        PYTHONSAFEPATH=1 PYTHONDONTWRITEBYTECODE=1 "$@" "$file"
    case $name in
    gcc) "$@" -quiet -O2 -fkeep-static-functions input.i -o output.s ;;
    go) "$@" --mode gtp --seed 1 --level 1 --gtp-input input ;;
    perl) "$@" input.pl ;;
    python) "$@" -S input.py ;;
    sqlite) "$@" -init /dev/null :memory: '.read input.sql' ;;
    gzip | bzip2) "$@" -k input ;;
    lisp) "$@" -B "${file%/base/*}" -M "${file%.run}init.mem" -q -norc input.lisp ;;
    esac >output </dev/null
}

# ---- inputs --------------------------------------------------------------------------

perl_library()
{
    /usr/bin/perl -MConfig -e 'print $Config{privlib}' 2>/dev/null
}

# Perl's library: text that comes with a version.
library_text() # BYTES
{
    find -L "$(perl_library)" -name '*.p[lm]' | LC_ALL=C sort | xargs cat 2>/dev/null | head -c "$1"
}

workload_input() # NAME
{
    case $1 in
    gcc)
        printf '#define XXH_INLINE_ALL\n#define XXH_NO_XXH3\n#include <xxhash.h>\n' |
            gcc -E -P -x c - -o input.i
        ;;
    go) printf 'boardsize 9\ngenmove b\ngenmove w\ngenmove b\ngenmove w\ngenmove b\n' >input ;;
    perl) perl_input ;;
    python) python_input ;;
    sqlite) sqlite_input ;;
    gzip) library_text 1200000 >input ;;
    bzip2) library_text 500000 >input ;;
    lisp) lisp_input ;;
    esac
}

perl_input()
{
    library_text 1000000 >text
    cat >input.pl <<'END'
my (%words, @found);
open my $text, '<', 'text' or die;
while (<$text>) {
    last if $. > 9000;
    $words{lc $_}++ for /\w+/g;
    push @found, $_ if s/\bsub\s+(\w+)/function $1/;
}
print "$_ $words{$_}\n" for (sort { $words{$b} <=> $words{$a} || $a cmp $b } keys %words)[0 .. 9];
print sort { length $a <=> length $b || $a cmp $b } @found;
END
}

python_input()
{
    library_text 120000 >text
    cat >input.py <<'END'
import collections, json, re

class Node:
    def __init__(self):
        self.next, self.count = {}, 0

def depth(node):
    return 1 + max(map(depth, node.next.values()), default=0)

words = collections.Counter(re.findall(r'\w+', open('text').read()))
facts = {w: {'count': n, 'letters': sorted(set(w)),
             'vowels': [i for i, c in enumerate(w) if c in 'aeiou']} for w, n in words.items()}
root = Node()
for word, fact in json.loads(json.dumps(facts)).items():
    node = root
    for c in word:
        node = node.next.setdefault(c, Node())
        node.count += fact['count']
print(len(words), depth(root))
END
}

sqlite_input()
{
    cat >input.sql <<'END'
CREATE TABLE part(id INTEGER PRIMARY KEY, name TEXT, kind INT, price REAL);
CREATE TABLE sale(id INTEGER PRIMARY KEY, part INT, day INT, n INT);
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 800)
INSERT INTO part SELECT i, printf('part %d', i * 7919 % 10007), i % 13, i * 31 % 997 / 10.0 FROM c;
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 9000)
INSERT INTO sale SELECT i, i * 7919 % 800 + 1, i * 104729 % 365, i % 5 + 1 FROM c;
CREATE INDEX sale_part ON sale(part);
CREATE INDEX part_name ON part(name);
SELECT kind, sum(n), round(sum(n * price), 2) FROM sale JOIN part ON part.id = part GROUP BY kind;
SELECT name, count(*) AS sales FROM part JOIN sale ON sale.part = part.id WHERE name LIKE '%7%'
GROUP BY name ORDER BY sales DESC, name LIMIT 5;
SELECT day / 30 AS month, max(n * price) FROM sale JOIN part ON part.id = part GROUP BY month;
UPDATE sale SET n = n + 1 WHERE part IN (SELECT id FROM part WHERE kind = 3);
DELETE FROM sale WHERE day % 7 = 0;
SELECT count(*), sum(n) FROM sale;
END
}

lisp_input()
{
    cat >input.lisp <<'END'
(defun queens (n row left down right)
  (if (= row n)
      1
      (loop for column below n for bit = (ash 1 column)
            when (zerop (logand bit (logior left down right)))
            sum (queens n (1+ row) (ash (logior left bit) -1) (logior down bit)
                        (ash (logior right bit) 1)))))
(defun derive (e)
  (cond ((numberp e) 0)
        ((symbolp e) (if (eq e 'x) 1 0))
        ((eq (car e) '+) (list '+ (derive (cadr e)) (derive (caddr e))))
        (t (list '+ (list '* (cadr e) (derive (caddr e))) (list '* (caddr e) (derive (cadr e)))))))
(defun build (n) (if (zerop n) 'x (list (if (evenp n) '+ '*) (build (1- n)) (list '+ n 'x))))
(defun size (e) (if (consp e) (+ (size (car e)) (size (cdr e))) 1))
(print (queens 5 0 0 0 0))
(print (size (derive (derive (build 12)))))
(let ((table (make-hash-table :test 'equal)))
  (dotimes (i 1000) (push i (gethash (format nil "~r" (mod (* i 7919) 400)) table)))
  (print (hash-table-count table)))
(print (length (sort (loop for i below 2000 collect (mod (* i 7919) 10007)) #'<)))
END
}
