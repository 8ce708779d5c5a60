#!/bin/sh
# SPDX-License-Identifier: MIT
# The HTML report (-f html) in Chromium: its contents, its keys and controls, and that it neither
# executes text of the program nor sends requests.
. "$(dirname "$0")/../lib.sh"
need chromium gcc jq
export HOME="$T" XDG_CONFIG_HOME="$T" XDG_CACHE_HOME="$T"
browser=$BUILD/tests/support/browser
"$browser" "$T/profile" </dev/null 2>err || skip_all "$(cat err) here"

cat >hot.c <<'END'
#include <stdio.h>
static volatile int seven[] = {7, 7, 7, 7};
__attribute__((noinline)) int weigh(int x) { return x * seven[x & 3]; }
__attribute__((noinline)) int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += weigh(i);
        if (i % 4 == 0)
            sum ^= i;
    }
    return sum;
}
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 40; i++)
        sum += work(1000);
    return sum == 12345;
}
END
build hot gcc -O1 -g hot.c
"$sluice" run -q -m rocket -f html -o hot.db ./hot
"$sluice" report -f html hot.db >hot.html
"$sluice" report --json hot.db >hot.json
ok 'a run for a page makes the profiles that its views need' [ \
    "$(sql hot.db 'SELECT count(DISTINCT detector) FROM profile')" -ge 7 ]

page=file://$T/hot.html
: >script
: >names
do_() { printf '%s\n' "$*" >>script; }
see() # see NAME EXPRESSION: it becomes true in the page
{
    printf '%s\n' "$1" >>names
    shift
    do_ is "$*"
}
# What is asked in several places; the page's own names are after it.
cat >functions.js <<'END'
window.text = () => document.getElementById('main').innerText.replaceAll('\u00a0', ' ');
window.view = () => document.getElementById('main').dataset.view;
window.rows = () => [...document.querySelectorAll('#main tbody tr')].filter(r => r.offsetParent);
window.column = i => rows().map(r => r.cells[i].innerText);
window.wide = () => document.documentElement.scrollWidth - window.innerWidth;
window.grouped = n => Number(n).toLocaleString('en');
window.light = c => { const f = x => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]); };
window.colour = text => { const n = text.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
window.paper = e => { let c = [0, 0, 0, 0]; for (let at = e; at && c[3] < 1; at = at.parentElement) { const b = colour(getComputedStyle(at).backgroundColor), a = b[3] * (1 - c[3]); if (a > 0) c = [0, 1, 2].map(i => (c[i] * c[3] + b[i] * a) / (c[3] + a)).concat(c[3] + a); } return c[3] < 1 ? [255, 255, 255] : c; };
window.faint = () => { const found = []; const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); while (walk.nextNode()) { const e = walk.currentNode.parentElement; if (!walk.currentNode.data.trim() || !e.offsetParent) continue; const ink = light(colour(getComputedStyle(e).color)), on = light(paper(e)); const ratio = (Math.max(ink, on) + 0.05) / (Math.min(ink, on) + 0.05); if (ratio < 4.5) found.push(ratio.toFixed(2) + ' ' + walk.currentNode.data.slice(0, 30)); } return found.length ? found.slice(0, 5).join('; ') : true; };
true
END
prepare=$(tr '\n' ' ' <functions.js)
visit() # visit ADDRESS
{
    do_ open "$1"
    see "the page opens: $1" "(() => { $(printf '%s' "$prepare" | sed 's/ true $//') return document.readyState === 'complete' && !!view(); })()"
}

# ---- figures ----------------------------------------------------------------------

figure() { jq -r "$1" hot.json; }
instructions=$(figure .instructions)
cycles=$(figure .machine.cycles)
entry() # entry DETECTOR METRIC FILTER: of a profile
{
    figure "[.profiles[] | select(.spec | test(\"^$1[^:]*:$2@\"))][0] | $3"
}
weigh=$(entry function cycles '.entries[] | select(.symbol == "weigh") | .count')
calls=$(entry context count '[.entries[] | select(.symbol == "weigh") | .count] | add')
entries=$(figure '[.profiles[] | select(.spec | test("^loop.*entries=1"))][0].entries[0].count')
value=$(entry value count '.entries[0].value')
edge=$(entry edge count '.entries[0].count')
path=$(entry path count '.entries[0].count')

do_ size 1280 900
visit "$page"
see 'it begins with a summary' "view() === 'summary'"
see 'which has the command' "document.getElementById('title').textContent === './hot'"
see 'says how many instructions were executed' "text().includes('executed ' + grouped($instructions) + ' instructions')"
see 'and how many cycles that takes' "text().includes(grouped($cycles) + ' cycles')"
see 'its functions have their figures' "rows().some(r => r.innerText.includes('weigh') && r.innerText.includes(grouped($weigh)))"
do_ key 2
see 'a key shows the functions at once' "view() === 'functions'"
see 'with the figures of the database' "rows().some(r => r.cells[5].innerText === 'weigh' && r.cells[0].innerText === grouped($weigh) && r.cells[4].innerText === grouped($calls))"
see 'the costliest first' "(c => c.every((x, i) => !i || c[i - 1] >= x))(column(0).map(x => Number(x.replaceAll(',', ''))))"
do_ do "document.querySelectorAll('#main th button')[4].click()"
see 'a click on the head of a column sorts by it' "(c => c.length > 5 && c.every((x, i) => !i || c[i - 1].localeCompare(x, 'en', {numeric: true}) <= 0))(column(5))"
see 'and says so to readers of screens' "document.querySelectorAll('#main th')[5].getAttribute('aria-sort') === 'ascending'"
do_ do "document.querySelectorAll('#main th button')[4].click()"
see 'once more, the other way' "(c => c.every((x, i) => !i || c[i - 1].localeCompare(x, 'en', {numeric: true}) >= 0))(column(5))"
do_ key /
see 'the slash goes to the search' "document.activeElement.id === 'search'"
do_ type weig
see 'which keeps the rows that have it' "rows().length === 1 && column(5)[0] === 'weigh'"
see 'and is in the address' "location.hash === '#functions?weig'"
do_ key Escape
see 'Escape shows all again' "rows().length > 5 && location.hash === '#functions'"

do_ key 3
see 'the flame graph is by cycles' "view() === 'flame' && document.querySelector('.info').innerText.includes(grouped($cycles) + ' cycles')"
see 'and by other metrics' "document.querySelectorAll('#main option').length === 3"
see 'the whole is as wide as the picture' "document.querySelector('.frame').offsetWidth >= document.querySelector('.flame').offsetWidth - 1"
do_ do "window.before = document.querySelectorAll('.frame').length"
do_ do "(f => f.click())([...document.querySelectorAll('.frame')].find(f => f.textContent === 'work'))"
see 'a click zooms' "(f => f && f.offsetWidth >= document.querySelector('.flame').offsetWidth - 1)([...document.querySelectorAll('.frame.at')].find(f => f.textContent === 'work'))"
see 'which is in the address' "/^#flame\\/\\d+\$/.test(location.hash)"
see 'it says what the frame costs' "document.querySelector('.info').innerText.startsWith('work')"
do_ key ArrowDown
see 'arrows go to what it calls' "document.querySelector('.frame.at').textContent === 'weigh'"
do_ key Enter
see 'and Enter zooms' "(f => f.textContent === 'weigh' && f.offsetWidth >= document.querySelector('.flame').offsetWidth - 1)(document.querySelector('.frame.at'))"
do_ key Escape
see 'Escape shows the whole' "location.hash === '#flame' && document.querySelectorAll('.frame').length === before"
do_ key /
do_ type weigh
see 'a search marks frames' "[...document.querySelectorAll('.frame.match')].every(f => !f.textContent || f.textContent === 'weigh') && document.querySelectorAll('.frame.match').length > 0"
see 'and says what they have together' "/weigh”: \\d+\\.\\d+% of the total/.test(document.querySelector('.info').innerText)"
do_ key Escape
do_ do "(s => { s.value = 2; s.dispatchEvent(new Event('change')); })(document.querySelector('#main select'))"
see 'another metric draws another picture' "document.querySelector('.info').innerText.includes(' calls, 100.00%')"

visit "$page#calls/work"
see 'a link goes to a function' "view() === 'calls' && document.querySelector('#main h2').textContent === 'work'"
see 'with its callers' "rows().some(r => r.innerText.includes('main'))"
see 'and callees with their calls' "rows().some(r => r.innerText.includes('weigh') && r.innerText.includes(grouped($calls)))"
do_ do "[...document.querySelectorAll('#main a')].find(a => a.textContent === 'weigh').click()"
see 'links inside of the page work' "document.querySelector('#main h2').textContent === 'weigh' && location.hash === '#calls/weigh'"
do_ do "history.back()"
see 'and going back' "document.querySelector('#main h2').textContent === 'work' && location.hash === '#calls/work'"

do_ key 5
see 'source is shown with its text' "view() === 'source' && text().includes('return x * seven[x & 3];')"
see 'with the share of each line' "[...document.querySelectorAll('.code .line')].some(l => l.innerText.includes('sum += weigh(i)') && /%/.test(l.innerText))"
do_ key i
see 'instructions are below their lines' "[...document.querySelectorAll('.insn')].some(l => /imul|mul/.test(l.innerText))"
see 'with remarks' "[...document.querySelectorAll('.remark')].some(l => /taken \\d/.test(l.innerText)) && [...document.querySelectorAll('.remark')].some(l => /reads/.test(l.innerText))"
do_ key 6
see 'loops have how often they were entered' "view() === 'loops' && rows().some(r => r.cells[3].innerText === grouped($entries))"
see 'and iterations each time' "rows().some(r => r.innerText.includes('work') && Number(r.cells[5].innerText) > 900)"
do_ key 7
see 'hot paths are blocks and edges' "view() === 'paths' && document.querySelectorAll('.block').length > 0 && text().includes(grouped($path))"
do_ key n
see 'n goes to the next path' "location.hash === '#paths/2'"
do_ key 8
see 'values have bars' "view() === 'values' && document.querySelectorAll('#main .bar i').length > 0 && text().includes('$value')"
do_ key 9
see 'intervals are drawn over time' "view() === 'phases' && document.querySelectorAll('#main svg rect').length > 3"
do_ key 0
see 'the machine has its cycles' "view() === 'machine' && text().includes(grouped($cycles)) && document.querySelectorAll('.stack i').length > 1"
see 'and their parts add up' "column(0).slice(0, document.querySelectorAll('.stack i').length).reduce((a, x) => a + Number(x.replaceAll(',', '')), 0) === $cycles"
do_ key -
see 'all tables are there' "view() === 'tables' && document.querySelectorAll('.side li').length === $(figure '.profiles | length')"
do_ do "[...document.querySelectorAll('.side a')].find(a => a.innerText.startsWith('Edges')).click()"
see 'with their entries' "column(0)[0] === grouped($edge)"
see 'and how good they are' "/table of .* KB/.test(text()) && /bounds/.test(text())"
do_ key =
see 'the last view says what was left out' "view() === 'warnings' && /Left out/.test(text())"
do_ key '?'
see 'the question mark shows the keys' "!document.getElementById('help').hidden"
do_ key Escape
see 'and Escape hides them' "document.getElementById('help').hidden"

# ---- widths and themes ----------------------------------------------------------------

for theme in light dark; do
    do_ theme $theme
    for width in 500 1280; do
        do_ size $width 900
        for view in summary functions flame calls source loops paths values phases machine tables warnings; do
            do_ do "go('$view', '')"
            see "$view is not wider than $width pixels ($theme)" "view() === '$view' && wide() <= 0 || 'wider by ' + wide()"
            see "$view can be read ($theme, $width)" "faint()"
        done
    done
    do_ do "window.paper_$theme = getComputedStyle(document.body).backgroundColor"
done
see 'the themes are the reader'"'"'s' "paper_light !== paper_dark"

# ---- hostile names -------------------------------------------------------------------

awk 'BEGIN { print ".text"
    for (i = 0; i < 1000; i++) printf "\"</script><img src=x onerror=alert(%d)>\\\"&amp;%d\":\nret\n", i, i
    print ".globl _start\n_start:"
    for (i = 0; i < 1000; i++) printf "call \"</script><img src=x onerror=alert(%d)>\\\"&amp;%d\"\n", i, i
    print "mov $60,%eax\nxor %edi,%edi\nsyscall" }' >hostile.s
if gcc -nostdlib -static -o hostile hostile.s 2>err; then
    "$sluice" run -q -f html -o hostile.db ./hostile
    "$sluice" report -f html hostile.db >hostile.html
    visit "file://$T/hostile.html#functions?onerror"
    see 'hostile names are all there' "data.functions.rows.filter(r => r[0].includes('<img src=x onerror=')).length === 1000"
    see 'as text' "rows().length > 100 && column(rows()[0].cells.length - 2)[0].startsWith('</script><img src=x onerror=')"
    for view in summary functions flame calls source loops paths values phases tables warnings; do
        do_ do "go('$view', '')"
        see "no name makes an element in $view" "document.images.length === 0 && document.scripts.length === 2 && wide() <= 0"
    done
fi

# ---- a difference -----------------------------------------------------------------------

mkdir more
sed 's/work(1000)/work(1010)/' hot.c >more/hot.c
build more/hot gcc -O1 -g more/hot.c
"$sluice" run -q -m rocket -f html -o more.db ./more/hot
"$sluice" diff -f html hot.db more.db >difference.html
more=$(sql more.db 'SELECT instructions FROM program')
visit "file://$T/difference.html"
see 'a difference is the same page' "view() === 'difference'"
see 'with what there was, and is' "text().includes('From ' + grouped($instructions) + ' instructions to ' + grouped($more))"
see 'regressions come first' "rows()[0].innerText.includes('work') && rows()[0].cells[0].innerText[0] === '+'"
see 'with their part of the total' "/^\\+\d+\.\d\d%\$/.test(rows()[0].cells[1].innerText)"
do_ key 2
see 'and all of it by profile' "view() === 'changes' && document.querySelectorAll('.side li').length > 3"
for width in 500 1280; do
    do_ size $width 900
    see "not wider than $width pixels" "wide() <= 0"
    see "and to be read ($width)" "faint()"
done
do_ trouble
"$browser" "$T/profile" <script >out 2>err
ok 'Chromium runs the whole script' [ $? -eq 0 ]
sed '/^error/d' err | sed 's/^/# /' | head -n 5
line=0
while IFS= read -r name; do
    line=$((line + 1))
    is "$name" "$(sed -n "${line}p" out)" true
done <names
is 'nothing was fetched, and nothing went wrong' "$(sed "1,${line}d" out)" 'that is all'

# ---- what the page may do ---------------------------------------------------------------

cat >script <<END
open $page
is new Promise(done => { addEventListener('securitypolicyviolation', () => done(true)); fetch('http://127.0.0.1/').catch(() => 0); })
is new Promise(done => { addEventListener('securitypolicyviolation', () => done(true)); const s = document.createElement('script'); s.textContent = 'window.broken = true'; document.body.append(s); }).then(x => x && !window.broken)
END
is 'the page can fetch nothing, nor run what is put into it' \
    "$("$browser" "$T/profile" <script 2>err | tr '\n' ' ')" 'true true '

finish
