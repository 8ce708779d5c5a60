# SPDX-License-Identifier: MIT
# Inputs of the real programs, by $SIZE, into the current directory. Sourced by programs.sh, and
# some of it by optimizer.sh.
#
# Text is from Perl's library, and what gcc compiles is a header, since no generated text
# is like one that was written. All else is made here, in whole numbers, so that it does
# not depend on how a machine rounds.
perl=/usr/bin/perl

by_size() # FULL QUICK TINY [LONG]
{
    case $SIZE in
    long) echo "${4:-$1}" ;;
    full) echo "$1" ;;
    quick) echo "$2" ;;
    tiny) echo "$3" ;;
    esac
}

input() # NAME
{
    case $1 in
    gcc) gcc_input ;;
    go) go_input "$(by_size 'b w b' 'b b' 'b' "$(yes b w | head -n 60 | xargs)")" >input ;;
    perl) text "$(by_size 300000 10000 100 3000000)" >text && perl_input >input.pl ;;
    python) text "$(by_size 22000 1000 100 300000)" >text && python_input >input.py ;;
    lua) lua_input >input.lua ;;
    lisp) lisp_input "$(by_size '5 11 800 1500' '1 2 20 20' '1 1 1 1')" >input.lisp ;;
    sqlite) sqlite_input "$(by_size 800 50 1 8000)" >input.sql ;;
    gzip) text "$(by_size 1200000 60000 6000 12000000)" >input ;;
    bzip2) text "$(by_size 500000 20000 500 4000000)" >input ;;
    cjpeg) picture "$(by_size 600 200 50)" >input.ppm ;;
    flac) sound "$(by_size 150000 12000 500)" >input.wav ;;
    ray) scene "$(by_size "250 10" "60 10" "10 2")" >input.nff ;;
    esac
}

perl_library()
{
    $perl -MConfig -e 'print $Config{privlib}' 2>/dev/null
}

text() # BYTES
{
    find -L "$(perl_library)" -name '*.p[lm]' | LC_ALL=C sort | xargs cat 2>/dev/null | head -c "$1"
}

# The half of xxHash for processors of 32 bits; for long, all of it.
gcc_input()
{
    case $SIZE in
    full) printf '#define %s\n' XXH_INLINE_ALL XXH_NO_XXH3 XXH_NO_LONG_LONG
        echo '#include <xxhash.h>' ;;
    long) echo '#define XXH_INLINE_ALL'
        echo '#include <xxhash.h>' ;;
    quick) echo '#include <xxhash.h>' ;;
    tiny) echo 'int add(int a, int b) { return a + b; }' ;;
    esac | gcc -E -P -x c - -o input.i
}

go_input() # "COLOUR..."
{
    echo boardsize 9
    echo "$1" | tr ' ' '\n' | sed 's/^/genmove /'
}

perl_input()
{
    cat <<'END'
my (%words, @found);
open my $text, '<', 'text' or die;
while (<$text>) {
    $words{lc $_}++ for /\w+/g;
    push @found, $_ if s/\bsub\s+(\w+)/function $1/;
}
my @common = sort { $words{$b} <=> $words{$a} || $a cmp $b } keys %words;
print "$_ $words{$_}\n" for splice @common, 0, 10;
print sort { length $a <=> length $b || $a cmp $b } @found;
END
}

python_input()
{
    cat <<'END'
class Node:
    def __init__(self):
        self.next, self.count = {}, 0

def depth(node):
    return 1 + max(map(depth, node.next.values()), default=0)

words = {}
for word in open('text').read().split():
    words[word] = words.get(word, 0) + 1
root = Node()
for word, n in words.items():
    node = root
    for c in word:
        node = node.next.setdefault(c, Node())
        node.count += n
print(len(words), depth(root))
END
    [ "$SIZE" != full ] && [ "$SIZE" != long ] || cat <<'END'

import json, re
facts = {w: {'count': n, 'letters': sorted(set(w)),
             'vowels': [m.start() for m in re.finditer('[aeiou]', w)]} for w, n in words.items()}
print(sum(len(fact['vowels']) for fact in json.loads(json.dumps(facts)).values()))
END
}

lua_input()
{
    cat <<'END'
local Vector = {}
Vector.__index = Vector
function Vector.new(x, y) return setmetatable({x = x, y = y}, Vector) end
function Vector.__add(a, b) return Vector.new(a.x + b.x, a.y + b.y) end
function Vector:turn() return Vector.new(-self.y, self.x) end

local function walk(steps)
    local at, step = Vector.new(0, 0), Vector.new(1, 0)
    for i = 1, steps do
        at = at + step
        if i % 7 == 0 then step = step:turn() end
    end
    return at.x .. ',' .. at.y
end

local function permutations(list)
    local function permute(n)
        if n == 0 then coroutine.yield(table.concat(list, ' ')) end
        for i = 1, n do
            list[i], list[n] = list[n], list[i]
            permute(n - 1)
            list[i], list[n] = list[n], list[i]
        end
    end
    return coroutine.wrap(function() permute(#list) end)
end

local function words(n)
    local seen, order = {}, {}
    for list in permutations({'one', 'two', 'four'}) do
        for word in list:gsub('o', n):gmatch('%w+') do
            if not seen[word] then order[#order + 1] = word end
            seen[word] = (seen[word] or 0) + 1
        end
    end
    table.sort(order, function(a, b) return #a < #b or #a == #b and a < b end)
    return order[1] .. seen[order[1]]
end

local function sorted(n)
    local list = {}
    for i = 1, n do list[i] = i * 7919 % 10007 end
    table.sort(list)
    return list[1]
end

for round = 1, tonumber(arg[1]) do
    print(round, walk(50 + round), words(round), sorted(30 + round))
end
END
}

sqlite_input() # PARTS
{
    cat <<END
CREATE TABLE part(id INTEGER PRIMARY KEY, name TEXT, kind INT, price REAL);
CREATE TABLE sale(id INTEGER PRIMARY KEY, part INT, day INT, n INT);
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < $1)
INSERT INTO part SELECT i, printf('part %d', i * 7919 % 10007), i % 13, i * 31 % 997 / 10.0 FROM c;
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < $1 * 11)
INSERT INTO sale SELECT i, i * 7919 % $1 + 1, i * 104729 % 365, i % 5 + 1 FROM c;
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

lisp_input() # "QUEENS TERMS KEYS ELEMENTS"
{
    echo "(destructuring-bind (queens terms keys elements) '($1)"
    cat <<'END'
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
(print (queens queens 0 0 0 0))
(print (size (derive (derive (build terms)))))
(let ((table (make-hash-table :test 'equal)))
  (dotimes (i keys) (push i (gethash (format nil "~r" (mod (* i 7919) 400)) table)))
  (print (hash-table-count table)))
(print (length (sort (loop for i below elements collect (mod (* i 7919) 10007)) #'<))))
END
}

# Rings around a centre, a net over them, and some grain.
picture() # WIDTH
{
    $perl -e '
        my ($n, $grain) = ($ARGV[0], 1);
        print "P6\n$n $n\n255\n";
        for my $y (0 .. $n - 1) {
            for my $x (0 .. $n - 1) {
                $grain = ($grain * 1103515245 + 12345) % 2147483648;
                my $ring = (($x - 70) ** 2 + ($y - 40) ** 2) / 64 % 256;
                my $net = $x % 40 < 3 || $y % 56 < 3 ? 60 : 0;
                print pack "C3", map { $_ > 255 ? 255 : $_ }
                    $ring + $net, $x * 200 / $n + $net + ($grain >> 28), 255 - $ring;
            }
        }' "$1"
}

# Strings that are plucked, a new one now and then, after Karplus and Strong: what is in a
# loop of samples is noise at first, and smoothed each time it comes around.
sound() # SAMPLES
{
    $perl -e '
        my ($n, $noise, @loop) = ($ARGV[0], 1);
        print pack "a4 V a4 a4 V v v V V v v a4 V", "RIFF", 36 + 2 * $n, "WAVE",
            "fmt ", 16, 1, 1, 22050, 44100, 2, 16, "data", 2 * $n;
        for my $i (0 .. $n - 1) {
            if ($i % 4000 == 0) {
                @loop = map {
                    $noise = ($noise * 1103515245 + 12345) % 2147483648;
                    ($noise >> 15) % 24000 - 12000
                } 1 .. 60 + $i / 4000 * 37 % 100;
            }
            my $sample = shift @loop;
            push @loop, int(($sample + $loop[0]) * 499 / 1000);
            print pack "v", $sample & 65535;
        }' "$1"
}

# In the Neutral File Format: a floor, and spheres on a grid above it, in waves.
scene() # "WIDTH SPHERES", in a row of the grid
{
    awk -v n="${1% *}" -v side="${1#* }" 'BEGIN {
        print "v\nfrom -3 -9 7\nat 4 4 0\nup 0 0 1\nangle 45\nhither 1\nresolution", n, n
        print "b 0.1 0.3 0.6\nl -5 -8 12\nl 14 -6 9"
        print "f 0.8 0.7 0.5 0.9 0.1 10 0 1\np 4\n-2 -2 -1\n11 -2 -1\n11 11 -1\n-2 11 -1"
        for (i = 0; i < side * side; i++) {
            x = i % side
            y = int(i / side)
            if (x == 0 && y % 5 == 0)
                printf "f 0.%d 0.%d 0.5 0.6 0.4 30 0 1\n", 3 + y, 9 - y
            printf "s %d %d %.2f 0.4\n", x, y, ((x * x + y * 3) % 7) / 4
        }
    }'
}

# A library that the emulator has the program load before its own (QEMU_SET_ENV).
still_time()
{
    cc -O2 -shared -fPIC -nostdlib -x c -o still.so - <<'END'
enum { NOW = 981158400 };
struct moment { long seconds, parts; };

static int now(struct moment *at)
{
    at->seconds = NOW;
    at->parts = 0;
    return 0;
}

int gettimeofday(struct moment *at) { return now(at); }
int clock_gettime(int clock, struct moment *at) { return now(at); }
long time(long *at) { return at ? (*at = NOW) : NOW; }
long clock(void) { return 0; }
int getpid(void) { return 1; }
END
}
