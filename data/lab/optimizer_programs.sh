# SPDX-License-Identifier: MIT
# The programs that optimizer.sh is about: where they come from, how they are built, and what
# they are to do. Sourced by it.
#
# Sources are those of Debian's source packages, without Debian's own changes. `apt-get source`
# fetches them, from where the user's own lists say. What was fetched stays in $sources; so it
# can be put there by hand, too (NAME_VERSION.orig.tar.*). Where a program of our own is built,
# nothing is fetched.

# So that BOLT can move their code; BOLT 19 fails at switches in position-independent code.
for_bolt='-O2 -fno-pie -no-pie -fno-reorder-blocks-and-partition -Wl,--emit-relocs'

package_of() # PROGRAM: its source package; nothing for one of our own
{
    case $1 in
    lua) echo lua5.4 ;;
    tcc) echo tcc ;;
    sqlite) echo sqlite3 ;;
    bzip2 | mawk | mujs) echo "$1" ;;
    esac
}

# ---- sources -----------------------------------------------------------------------------

archive_of() # PACKAGE
{
    ls "$sources/$1"_*.orig.tar.* 2>/dev/null | sed q
}

fetch() # PACKAGE
{
    [ -n "$(archive_of "$1")" ] ||
        (cd "$sources" && apt-get -q source --tar-only --download-only "$1")
}

# One at a time: another program's may be fetched, too.
fetch_in_turn() # PACKAGE
{
    mkdir -p "$sources" && (flock 9 && fetch "$1") 9>"$sources/lock" >fetch.log 2>&1
}

# ---- building ----------------------------------------------------------------------------

build() # PROGRAM: ./program; says why not
{
    local package
    package=$(package_of "$1")
    if [ "$1" = sqlite ] && ! command -v tclsh >/dev/null; then
        echo 'its sources are put together by tclsh, which is not installed (package tcl)'
        return 1
    elif [ "$package" ] && ! fetch_in_turn "$package"; then
        echo "its sources, Debian's package $package, could not be fetched: apt-get source needs" \
            "deb-src lines in the lists of packages; or put $package*.orig.tar.* into $sources"
        return 1
    fi
    if [ "$package" ]; then
        mkdir src && tar -xf "$(archive_of "$package")" -C src &&
            (program=$PWD/program && cd src && "build_$1" "$program")
    else
        # shellcheck disable=SC2086
        cc $for_bolt -o program "$(sh "$here/programs.sh" source "$1")"
    fi >build.log 2>&1 && return
    echo "it could not be built: $(tail -n 1 build.log)"
    return 1
}

# Without computed jumps, which BOLT 19 fails at, and without hashes that depend on the time.
build_lua() # PROGRAM
{
    # shellcheck disable=SC2086
    cd lua-*/src && rm luac.c && cc $for_bolt -DLUA_USE_LINUX -DLUA_USE_JUMPTABLE=0 \
        '-Dluai_makeseed(L)=1' -o "$1" ./*.c -lm
}

build_tcc()
{
    # shellcheck disable=SC2086
    : >config.h &&
        cc $for_bolt -w -DONE_SOURCE=1 -DTCC_TARGET_X86_64 -DTCC_VERSION='"0"' \
            -DCONFIG_TRIPLET='"x86_64-linux-gnu"' -o "$1" tcc.c -ldl -lpthread
}

build_sqlite()
{
    # shellcheck disable=SC2086
    cd sqlite3-* && ./configure --disable-tcl && make sqlite3.c shell.c &&
        cc $for_bolt -w -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -o "$1" sqlite3.c \
            shell.c -lm
}

build_bzip2()
{
    # shellcheck disable=SC2086
    cd bzip2-* && cc $for_bolt -w -o "$1" blocksort.c huffman.c crctable.c randtable.c compress.c \
        decompress.c bzlib.c bzip2.c
}

build_mawk()
{
    cd mawk-* && CFLAGS="$for_bolt -w" ./configure && make && cp mawk "$1"
}

build_mujs()
{
    # shellcheck disable=SC2086
    cd mujs-* && cc $for_bolt -w -o "$1" one.c main.c -lm
}

version() # PROGRAM
{
    local archive
    if [ "$(package_of "$1")" ]; then
        archive=$(archive_of "$(package_of "$1")")
        archive=${archive##*/}
        echo "${archive%.orig.tar.*}" | tr _ ' '
    else
        sh "$here/programs.sh" version "$1"
    fi
}

# ---- what they do ------------------------------------------------------------------------

# Three inputs: one to profile with, another to count with, and more of its kind to take the time
# with. All are in the directory `input`.
inputs() # PROGRAM
{
    mkdir input || return
    case $1 in
    lua) lua_input >input/training.lua && lua_words >input/testing.lua ;;
    tcc) cp -r src/*.[ch] src/*.def src/lib/bcheck.c src/include input/ ;;
    sqlite)
        sqlite_input 300 >input/training.sql && sqlite_graph 1000 >input/testing.sql &&
            sqlite_graph 60000 >input/longer.sql
        ;;
    bzip2)
        text 100000 >input/training && text 1200000 | tail -c 100000 >input/testing &&
            text 4500000 | tail -c 3600000 >input/longer
        ;;
    mawk)
        mawk_words >input/training.awk && mawk_fields >input/testing.awk && text 60000 >input/training &&
            text 1200000 | tail -c 60000 >input/testing && text 3000000 >input/longer
        ;;
    mujs) mujs_objects >input/training.js && mujs_words >input/testing.js ;;
    esac
}

described() # PROGRAM INPUT
{
    case $1,$2 in
    lua,training) echo 'objects, closures, coroutines, strings, a sort' ;;
    lua,testing) echo 'words: generated, counted in tables, sorted; recursion' ;;
    tcc,training) echo 'compiles its preprocessor' ;;
    tcc,testing) echo 'compiles its run-time checker of bounds' ;;
    sqlite,training) echo 'joins, indices, update, delete' ;;
    sqlite,testing) echo 'a recursive query over a graph, window functions, strings' ;;
    bzip2,training) echo 'compresses text' ;;
    bzip2,testing) echo 'compresses other text' ;;
    mawk,training) echo 'counts words, replaces, prints those that are common' ;;
    mawk,testing) echo 'splits lines into fields, matches, sums up' ;;
    mujs,training) echo 'objects, closures, a sort, numbers' ;;
    mujs,testing) echo 'strings, regular expressions, JSON, recursion' ;;
    *) echo 'rounds of what it does' ;;
    esac
}

# The program with its input, started by the command if one is given. Names are the same for each
# binary, as their lengths can be seen by it.
run() # PROGRAM INPUT COMMAND...
{
    local what
    what=$1,$2
    shift 2
    set -- env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C "$@" ./program
    case $what in
    lua,training) "$@" ../input/training.lua "$(by_size 100 20 1)" ;;
    lua,testing) "$@" ../input/testing.lua "$(by_size 1400 300 10)" ;;
    lua,longer) "$@" ../input/testing.lua "$(by_size 40000 3000 10)" ;;
    tcc,training) compile tccpp.c -DONE_SOURCE=0 "$@" ;;
    tcc,testing) compile bcheck.c -DONE_SOURCE=0 "$@" ;;
    tcc,longer) for what in 1 2 3 4 5; do compile tcc.c -DONE_SOURCE=1 "$@" || return; done ;;
    bzip2,*) "$@" -c "../input/${what#*,}" ;;
    mawk,training) "$@" -f ../input/training.awk ../input/training ;;
    mawk,longer) set -- "$@" -f ../input/testing.awk && what=../input/longer &&
        "$@" $what $what $what $what $what ;;
    mawk,*) "$@" -f ../input/testing.awk "../input/${what#*,}" ;;
    mujs,training) "$@" ../input/training.js 60 ;;
    mujs,testing) "$@" ../input/testing.js 40 ;;
    mujs,longer) "$@" ../input/testing.js 1500 ;;
    sqlite,*) "$@" -init /dev/null :memory: ".read ../input/${what#*,}.sql" ;;
    *,training) "$@" 2 ;;
    *,*) "$@" 3 ;;
    esac >output
}

compile() # FILE OPTION COMMAND...
{
    local file option
    file=$1 option=$2
    shift 2
    "$@" "$option" -DTCC_TARGET_X86_64 '-DTCC_VERSION="0"' -I../input -I../input/include \
        -B../input -c "../input/$file" -o output.o
}

lua_words()
{
    cat <<'END_OF_LUA'
local seed, words, count, keys = 42, {}, {}, {}
local function random(m) seed = (seed * 1103515245 + 12345) % 2147483648; return seed % m end
for i = 1, tonumber(arg[1]) do
    local letters = {}
    for k = 1, 3 + random(5) do letters[k] = string.char(97 + random(26)) end
    words[i] = table.concat(letters)
end
for _, word in ipairs(words) do
    local key = word:gsub('[aeiou]', ''):upper()
    count[key] = (count[key] or 0) + 1
end
for key in pairs(count) do keys[#keys + 1] = key end
table.sort(keys, function(a, b) return count[a] > count[b] or count[a] == count[b] and a < b end)
local function fib(i) return i < 2 and i or fib(i - 1) + fib(i - 2) end
print(#keys, keys[1], fib(16))
END_OF_LUA
}

sqlite_graph() # WORDS
{
    cat <<END_OF_SQL
CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT UNIQUE, n INT);
CREATE TABLE edge(a INT, b INT, cost INT, PRIMARY KEY(a, b)) WITHOUT ROWID;
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < $1)
INSERT OR IGNORE INTO word(text, n)
SELECT substr('abcdefghijklmnopqrstuvwxyz', i * 7 % 23, 1 + i % 3) || i % ($1 / 7), i % 17 FROM c;
WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < $1 * 3 / 2)
INSERT OR REPLACE INTO edge SELECT i * 31 % ($1 / 9), i * 17 % 199, i % 29 FROM c;
WITH RECURSIVE reach(a, d) AS
(VALUES (1, 0) UNION SELECT b, d + 1 FROM reach JOIN edge USING (a) WHERE d < 3)
SELECT d, count(*), sum(a) FROM reach GROUP BY d;
SELECT substr(text, 1, 1) AS c, count(*), group_concat(text, ' ') FROM word WHERE n > 12
GROUP BY c HAVING count(*) > 2 ORDER BY 2 DESC, c LIMIT 7;
SELECT a, cost, rank() OVER (PARTITION BY a % 7 ORDER BY cost, b) AS r FROM edge
ORDER BY r DESC, a LIMIT 5;
UPDATE word SET n = (SELECT count(*) FROM edge WHERE a = word.id % 211) WHERE id % 3 = 0;
SELECT sum(n), upper(max(text)), total(length(text)) FROM word
WHERE text BETWEEN 'd' AND 'p' OR text GLOB '*7*';
END_OF_SQL
}

mawk_words()
{
    cat <<'END_OF_AWK'
{
    gsub(/[^a-z]+/, " ")
    for (i = 1; i <= NF; i++) n[$i]++
    if (sub(/the /, "THE ")) changed++
}
END {
    for (word in n) if (n[word] > 20 && length(word) > 2) common++
    print NR, changed, common
}
END_OF_AWK
}

mawk_fields()
{
    cat <<'END_OF_AWK'
/^ *#/ { comments++; next }
/^=[a-z]+/ { part[substr($1, 2)]++ }
{
    k = split($0, piece, /[(){};,]/)
    for (i = 1; i <= k; i++) {
        sum += length(piece[i])
        if (match(piece[i], /\$[a-z_]+/)) name[substr(piece[i], RSTART, RLENGTH)] += RLENGTH
    }
    line[NR % 100] = toupper(substr($0, 1, 20))
}
END {
    for (one in name) if (name[one] > most) most = name[one]
    for (one in part) parts++
    printf "%d %d %d %d %s\n", comments, sum, most, parts, line[7]
}
END_OF_AWK
}

mujs_objects()
{
    cat <<'END_OF_JS'
function Vector(x, y) { this.x = x; this.y = y; }
Vector.prototype.add = function (o) { return new Vector(this.x + o.x, this.y + o.y); };
Vector.prototype.turn = function () { return new Vector(-this.y, this.x); };
function counter() { var n = 0; return function () { return ++n; }; }
var rounds = Number(scriptArgs[0]), next = counter();
for (var round = 1; round <= rounds; round++) {
    var at = new Vector(0, 0), step = new Vector(1, 0), list = [];
    for (var i = 0; i < 60 + round; i++) {
        at = at.add(step);
        if (i % 7 == 0) step = step.turn();
        list.push(next() * 7919 % 10007);
    }
    list.sort(function (a, b) { return a - b; });
    if (round % 20 == 0) print(round, at.x, at.y, list[0], Math.floor(Math.sqrt(list[9])));
}
END_OF_JS
}

mujs_words()
{
    cat <<'END_OF_JS'
var rounds = Number(scriptArgs[0]), seed = 42;
function random(m) { seed = (seed * 1103 + 12345) % 65536; return seed % m; }
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
for (var round = 1; round <= rounds; round++) {
    var words = [], count = {};
    for (var i = 0; i < 30; i++) {
        var word = "";
        for (var k = 3 + random(5); k > 0; k--) word += String.fromCharCode(97 + random(26));
        words.push(word.replace(/[aeiou]/g, "").toUpperCase());
    }
    words.forEach(function (w) { count[w] = (count[w] || 0) + 1; });
    var text = JSON.stringify({ words: words, n: words.length });
    if (round % 20 == 0) print(JSON.parse(text).n, Object.keys(count).length, text.length, fib(8));
}
END_OF_JS
}
