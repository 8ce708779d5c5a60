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
        echo "its sources, Debian's package $package, could not be fetched: apt-get source wants" \
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
    esac
}

described() # PROGRAM INPUT
{
    case $1,$2 in
    lua,training) echo 'objects, closures, coroutines, strings, a sort' ;;
    lua,testing) echo 'words: made up, counted in tables, sorted; recursion' ;;
    tcc,training) echo 'compiles its preprocessor' ;;
    tcc,testing) echo 'compiles its run-time checker of bounds' ;;
    sqlite,training) echo 'joins, indices, update, delete' ;;
    sqlite,testing) echo 'a recursive query over a graph, window functions, strings' ;;
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
