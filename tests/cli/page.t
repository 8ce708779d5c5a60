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
        if (__builtin_expect(i % 128 == 127, 1)) /* a hint: the branch is nearly always taken */
            seven[0] = 7;
    }
    return sum;
}
static inline __attribute__((always_inline)) int folded(int x) { return (x * 31) ^ (x >> 3); }
int main(void)
{
    int sum = 0, rand(void);
    for (int i = 0; i < 700; i++)
        sum += rand() & 1; /* through a PLT stub */
    for (int i = 0; i < 1200; i++) {
        sum += work(1000);
        sum ^= folded(sum);
    }
    return sum == 12345;
}
END
build hot gcc -O1 -g hot.c
"$sluice" run -q -m rocket -f html -o hot.db ./hot
"$sluice" report -f html hot.db >hot.html
"$sluice" report --json hot.db >hot.json
ok 'a run for a page makes the profiles that its views need' [ \
    "$(sql hot.db 'SELECT count(DISTINCT detector) FROM profile')" -ge 7 ]

"$sluice" report -n 100000 hot.db >hot.txt

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
window.press = (where, what) => [...document.querySelectorAll(where)].find(b => b.textContent.trim() === what).click();
window.text = () => document.getElementById('main').innerText.replaceAll('\u00a0', ' ');
window.view = () => document.getElementById('main').dataset.view;
window.rows = () => [...document.querySelectorAll('#main tbody tr')].filter(r => r.offsetParent);
window.column = i => rows().map(r => r.cells[i].innerText);
window.tree = (node, good) => good(node) && node.children.every(c => tree(c, good));
window.summed = node => node.rest || node.cost === node.self + node.children.reduce((sum, c) => sum + c.cost, 0);
window.frame = name => [...document.querySelectorAll('#main .frame')].find(f => f.node && !f.node.rest && f.node.name === name);
window.hues = () => new Set([...document.querySelectorAll('.frame, .swatch, .modules button')].filter(e => (e.node && !e.node.rest && e.node.f ? e.node.f.entry.hue : [...e.classList].find(c => /^m\d$/.test(c))) !== [...e.classList].find(c => /^m\d$/.test(c))));
window.copied = ''; Object.defineProperty(navigator, 'clipboard', {value: {writeText: t => { window.copied = t; return Promise.resolve(); }}});
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
edge=$(figure '[.profiles[] | select(.spec | test("^edge.*@multihash"))][0].entries[0].count')
path=$(entry path count '.entries[0].count')

do_ size 1280 900
visit "$page"
see 'the page begins with a summary' "view() === 'summary'"
see 'the summary has the command' "document.getElementById('title').textContent === './hot'"
see 'the summary says how many instructions were executed' "text().includes(grouped($instructions) + ' instructions')"
see 'the summary has the cycles of the CPU model' "text().includes(grouped($cycles) + ' cycles on rocket')"
see 'the summary has the exit status, the architecture and the threads' "/exit status \\d+/.test(text()) && text().includes('1 thread') && text().includes(data.program.arch)"
see 'the summary describes the run in words' "/Your own code executes \\d+ % of this run/.test(text())"
see 'the functions of the summary have their costs' "rows().some(r => r.innerText.includes('weigh') && r.innerText.includes(grouped($weigh)))"
see 'the summary has the start of the flame graph' "document.querySelectorAll('.mini .frame').length >= 3"
see 'the summary has hot lines with their text' "[...document.querySelectorAll('.lines a')].some(l => l.innerText.includes('return x * seven[x & 3];') && /\\d\\s%/.test(l.innerText))"
see 'the hottest line comes first' "(c => c.length > 2 && c.every((x, i) => !i || c[i - 1] >= x))([...document.querySelectorAll('.lines a')].map(l => Number.parseFloat(l.innerText)))"
see 'the summary has the next commands' "[...document.querySelectorAll('.next code')].some(c => c.textContent === 'sluice diff sluice.db new.db')"
do_ do "document.querySelector('.next .command button').click()"
see 'Copy copies the command' "copied.startsWith('sluice annotate ')"

# Modules: one colour each, and a filter of the whole page.
see 'the modules add up to the run' "moduleEntries.reduce((sum, e) => sum + e.self, 0) === data.functions.total"
see 'code of the user is blue' "moduleEntries.filter(e => e.own).every(e => e.hue === 'm0') && functionNamed('weigh').entry.hue === 'm0'"
see 'the C library is grey' "functions.some(f => f.module && f.module[0] === 'libc') && functions.filter(f => f.module && f.module[0] === 'libc').every(f => f.entry.hue === 'm2')"
see 'the bar of modules is as wide as the page' "Math.abs([...document.querySelectorAll('.modules button')].reduce((sum, b) => sum + b.offsetWidth + 2, -2) - document.querySelector('.modules').offsetWidth) < 4"
do_ do "[...document.querySelectorAll('.legend button')].find(b => /^libc/.test(b.textContent)).click()"
see 'a module of the legend is a filter of the functions' "rows().length > 1 && column(1).every(m => /libc|ld-/.test(m))"
see 'the filter is in the address' "/&m=libc/.test(location.hash)"
do_ key 2
see 'the filter is that of the other views' "[...document.querySelectorAll('.frame')].some(f => f.classList.contains('other')) && [...document.querySelectorAll('.frame.other')].every(f => f.node.entry.hue !== 'm2')"
do_ key Escape
see 'Escape ends the filter' "!/&m=/.test(location.hash) && !document.querySelector('.frame.other')"
do_ key m
see 'the key m shows one module alone' "/&m=/.test(location.hash)"
do_ key Escape

do_ key 3
see 'a key shows the functions at once' "view() === 'functions'"
see 'functions have the costs of the database' "rows().some(r => r.cells[0].innerText === 'weigh' && r.cells[5].innerText === grouped($weigh) && r.cells[6].innerText === grouped($calls))"
see 'a call through a PLT stub counts once' "rows().some(r => r.cells[0].innerText === 'rand' && r.cells[6].innerText === '700')"
see 'the costliest function comes first' "(c => c.every((x, i) => !i || c[i - 1] >= x))(column(5).map(x => Number(x.replaceAll(',', ''))))"
do_ do "document.querySelectorAll('#main th button')[0].click()"
see 'a click on a heading sorts by that column' "(c => c.length > 5 && c.every((x, i) => !i || c[i - 1].localeCompare(x, 'en', {numeric: true}) <= 0))(column(0).map(x => x.replace(/\\s*inlined\$/, '')))"
see 'the order is known to screen readers' "document.querySelectorAll('#main th')[0].getAttribute('aria-sort') === 'ascending'"
do_ do "document.querySelectorAll('#main th button')[0].click()"
see 'a second click reverses the order' "(c => c.every((x, i) => !i || c[i - 1].localeCompare(x, 'en', {numeric: true}) >= 0))(column(0).map(x => x.replace(/\\s*inlined\$/, '')))"
see 'the order is in the address' "/&sort=function/.test(location.hash)"
do_ do "press('.seg button', 'your code')"
see 'functions of the user alone can be listed' "rows().length > 2 && column(1).every(m => m === 'hot')"
do_ do "document.querySelector('.copy-csv').click()"
see 'the table can be copied as CSV' "copied.split('\\n')[0] === 'function,module,source,self cycles,self %,total cycles,total %,calls' && copied.split('\\n').some(l => l.startsWith('weigh,hot,hot.c:3,$weigh,') && l.endsWith(',$calls'))"
see 'the CSV text has a line for each function' "copied.trim().split('\\n').length === 1 + functions.filter(f => f.entry.own && (f.self || f.total)).length"
do_ do "press('.seg button', 'all functions')"
see 'the next commands lead to other tools' "[...document.querySelectorAll('.next code')].some(c => c.textContent.startsWith('sluice report -f speedscope'))"
do_ key /
see 'the slash goes to the search' "document.activeElement.id === 'search'"
do_ type weig
see 'a search keeps the rows that contain it' "rows().length === 1 && column(0)[0] === 'weigh'"
see 'the search is in the address' "location.hash === '#functions&q=weig'"
do_ key Escape
see 'Escape ends the search' "rows().length > 5 && location.hash === '#functions'"

# One number: functions, flame graphs and the text report agree.
see 'self costs of functions and modules have the same sum' "functions.reduce((sum, f) => sum + f.self, 0) === data.functions.total"
see 'functions have the self cost of the flame graph' "(sums => { (function walk(n) { if (n.f) sums.set(n.f, (sums.get(n.f) || 0) + n.self); n.children.forEach(walk); })(topDown(0)); return ['weigh', 'work', 'main'].every(name => sums.get(functionNamed(name)) === functionNamed(name).self); })(new Map())"
see 'functions have the total cost of the flame graph' "['weigh', 'work', 'main'].every(name => { let sum = 0; (function walk(n) { if (n.name === name) sum += n.cost; else n.children.forEach(walk); })(topDown(0)); return sum === functionNamed(name).total; })"
see 'arcs have the calls of their functions' "functionNamed('weigh').callers.reduce((sum, arc) => sum + arc.calls, 0) === functionNamed('weigh').calls"
for name in weigh work main; do
    see "$name has the costs of the text report" "'$(awk -v f="$name" '$0 ~ "  " f "  " { print $1, $2, $3; exit }' hot.txt)' === (f => [grouped(f.self), (100 * f.self / runTotal).toFixed(2) + '%', (100 * f.total / runTotal).toFixed(2) + '%'].join(' '))(functionNamed('$name'))"
done
see 'no PLT stub is a function' "!functions.some(f => f.name.endsWith('@plt') && f.total > runTotal / 100)"

do_ key 2
see 'the flame graph is by cycles' "view() === 'flame' && topDown(0).cost === $cycles && flameData.metrics[0].name === 'cycles'"
see 'the flame graph has other metrics' "flameData.metrics.length === 3 && [...document.querySelectorAll('.seg button')].filter(b => ['Cycles', 'Instructions', 'Calls'].includes(b.textContent)).length === 3"
see 'each frame is the sum of its own cost, its children and the rest' "[0, 1, 2].every(m => tree(topDown(m), summed) && tree(bottomUp(m), summed) && [sandwich(m, functionNamed('weigh'))].every(s => tree(s.up, summed) && tree(s.down, summed)))"
see 'a left-out part of a frame is an explicit rest' "(t => t.children.some(c => c.rest && c.cost === 40))(finishTree({name: 'a', cost: 100, self: 10, children: [{name: 'b', cost: 50, self: 50, children: []}]}))"
see 'the frames of start-up are folded' "startUp(topDown(0)).chain.length > 2 && /frames folded/.test(document.querySelector('.fold').innerText) && !startUp(topDown(0)).chain.some(n => frame(n.name))"
see 'each folded frame has nearly all of the cost' "startUp(topDown(0)).chain.every(n => n.children[0].cost >= 0.98 * n.cost)"
see 'the first frame is as wide as the picture' "frame(startUp(topDown(0)).top.name).offsetWidth >= document.querySelector('.flame').offsetWidth - 1"
see 'frames have the colours of their modules' "hues().size === 0"
see 'the bar of information has a fixed height' "document.querySelector('.info').offsetHeight === 66"
do_ do "document.querySelector('.fold').click()"
see 'a click unfolds them' "startUp(topDown(0)).chain.every(n => frame(n.name)) && /unfold=1/.test(location.hash)"
do_ do "window.before = document.querySelectorAll('.frame').length"
do_ do "frame('work').click()"
see 'a click zooms' "frame('work').offsetWidth >= document.querySelector('.flame').offsetWidth - 1 && document.querySelectorAll('.frame.above').length > 1"
see 'the zoom is in the address' "/&zoom=\\d+\$/.test(location.hash)"
see 'the bar of information describes the frame' "document.querySelector('.info').innerText.startsWith('work') && /hot.c:5/.test(document.querySelector('.info').innerText)"
do_ key ArrowDown
see 'arrows select a callee' "document.querySelector('.frame.at').node.name === 'weigh'"
do_ key Enter
see 'Enter zooms' "(f => f.node.name === 'weigh' && f.offsetWidth >= document.querySelector('.flame').offsetWidth - 1)(document.querySelector('.frame.at'))"
do_ key Escape
see 'Escape ends the zoom' "location.hash === '#flame&unfold=1' && document.querySelectorAll('.frame').length === before"
do_ key /
do_ type weigh
see 'a search marks frames' "[...document.querySelectorAll('.frame.match')].every(f => f.node.name.includes('weigh')) && document.querySelectorAll('.frame.match').length > 0"
see 'frames without a match are faint' "frame('main') && !frame('main').classList.contains('other') && document.querySelectorAll('.frame.other').length > 0"
see 'the sum of the matching frames is shown' "document.querySelector('.found').innerText.replaceAll('\u00a0', ' ').startsWith((100 * functionNamed('weigh').total / runTotal).toFixed(2) + ' %')"
do_ key Escape
do_ do "press('.seg button', 'Calls')"
see 'another metric draws another picture' "topDown(2).cost !== topDown(0).cost && /metric=calls/.test(location.hash) && document.querySelector('.info').innerText.includes('Calls')"
do_ do "press('.seg button', 'Cycles')"
do_ key u
see 'bottom-up begins with functions by self cost' "(n => n.children.slice(0, 3).every((c, i) => c.rest || c.name === bySelf[i].name && c.cost === bySelf[i].self))(bottomUp(0))"
see 'bottom-up shows callers below' "frame('work') && bottomUp(0).children.find(c => c.name === 'weigh').children[0].name === 'work' && /mode=up/.test(location.hash)"
visit "$page#flame&mode=sandwich&f=work"
see 'sandwich has the callers above' "[...document.querySelectorAll('.callers .frame')].every(f => f.getBoundingClientRect().bottom <= document.querySelector('.callees .frame').getBoundingClientRect().top + 1)"
see 'sandwich has the callees below' "[...document.querySelectorAll('.callees .frame')].some(f => f.node.name === 'weigh')"
see 'sandwich has the total cost of the function' "document.querySelector('.callees .frame').node.cost === functionNamed('work').total"
do_ do "[...document.querySelectorAll('.callees .frame')].find(f => f.node.name === 'weigh').click()"
see 'a click in it shows that function' "/f=weigh/.test(location.hash) && document.querySelector('.callees .frame').node.name === 'weigh'"
do_ key d
see 'the key d goes back to the graph from above' "!/mode=/.test(location.hash) && frame('weigh') !== undefined"

visit "$page#functions&f=work"
see 'a link goes to a function' "view() === 'functions' && document.querySelector('#main h2').textContent === 'work'"
see 'a function has its callers' "rows().some(r => r.innerText.includes('main'))"
see 'a function has its callees with their calls' "rows().some(r => r.innerText.includes('weigh') && r.innerText.includes(grouped($calls)))"
do_ do "[...document.querySelectorAll('#main a')].find(a => a.textContent === 'weigh').click()"
see 'links inside of the page work' "document.querySelector('#main h2').textContent === 'weigh' && location.hash === '#functions&f=weigh'"
do_ do "history.back()"
see 'the browser can go back' "document.querySelector('#main h2').textContent === 'work' && location.hash === '#functions&f=work'"

do_ key 4
see 'source opens on the own function with the highest self cost' "view() === 'source' && document.querySelector('.title-of h2').textContent.startsWith(bySelf.find(f => f.entry.own && sourceOf(f).length).name)"
see 'the list has only functions of the user' "document.querySelectorAll('.list a').length >= 3 && [...document.querySelectorAll('.list a')].every(a => functionNamed(a.querySelector('.a').textContent).entry.own)"
visit "$page#source&f=work"
see 'source is shown with its text' "text().includes('sum += weigh(i);')"
see 'lines have their part of the function' "[...document.querySelectorAll('.code .row')].some(l => l.innerText.includes('sum += weigh(i)') && Number(l.querySelector('.part').innerText) > 0)"
see 'the parts of the lines are 100 %' "Math.abs([...document.querySelectorAll('.code .part')].reduce((sum, p) => sum + (Number.parseFloat(p.innerText) || 0), 0) - 100) < 1"
see 'a line has the call that it makes' "[...document.querySelectorAll('.code .row')].some(l => l.innerText.includes('sum += weigh(i)') && l.querySelector('.badge.call') && l.querySelector('.badge.call').textContent.includes('weigh'))"
visit "$page#source&f=main"
see 'a line has the call that was inlined there' "[...document.querySelectorAll('.code .row')].some(l => l.innerText.includes('folded(sum)') && l.querySelector('.inlined-call').textContent.includes('folded'))"
visit "$page#source&f=work"
do_ key a
see 'instructions are below their lines' "[...document.querySelectorAll('.insn')].some(l => /call/.test(l.innerText)) && location.hash.includes('all=1')"
see 'instructions have remarks' "[...document.querySelectorAll('.remark')].some(l => /calls weigh/.test(l.innerText))"
see 'a gauge shows how often a branch is taken' "(g => g.length > 0 && g.every(t => Math.abs(Number.parseFloat(t.style.getPropertyValue('--w')) - Number.parseFloat(t.nextSibling.textContent)) < 0.1))([...document.querySelectorAll('.taken')])"
see 'the gauge has the exact count of the branch' "[...document.querySelectorAll('.taken')].some(t => /^99\\.9/.test(t.nextSibling.textContent))"
do_ key a
do_ do "window.open_ = document.querySelectorAll('.insn').length; document.querySelector('.expand').click()"
see 'a click on a line shows its instructions' "document.querySelectorAll('.insn').length > open_ && /open=/.test(location.hash)"
do_ key j
see 'j goes to the next function' "!location.hash.includes('f=work') && /f=/.test(location.hash)"
do_ key k
see 'k goes back' "location.hash === '#source&f=work'"
do_ key n
see 'n goes to a hot line' "/line=\\d+/.test(location.hash) && document.querySelectorAll('.row.at').length === 1"
do_ do "go('loops')"
see 'loops have how often they were entered' "view() === 'loops' && rows().some(r => r.cells[4].innerText === grouped($entries))"
see 'loops have iterations per entry' "rows().some(r => r.innerText.includes('work') && Number(r.cells[6].innerText) > 900)"
see 'loops with one iteration per entry are left out' "data.loops.rows.length > 3 && column(6).every(x => Number(x) > 1)"
do_ do "go('paths')"
see 'hot paths are blocks and edges' "view() === 'paths' && document.querySelectorAll('.block').length > 0 && text().includes(grouped($path))"
see 'blocks have the text of their place' "[...document.querySelectorAll('.block')].some(b => /hot.c:\\d+/.test(b.innerText))"
do_ key j
see 'j goes to the next path' "location.hash === '#paths&i=2'"
do_ do "go('values')"
see 'values have bars' "view() === 'values' && document.querySelectorAll('.values .both').length > 0 && text().includes('$value')"
see 'values of a small table are estimates' "text().includes('≈')"
do_ key 5
see 'intervals are drawn over time' "view() === 'phases' && document.querySelectorAll('#main svg rect').length > 3"
do_ do "document.getElementById('more-views').click()"
see 'the menu has the other views' "!document.getElementById('menu').hidden && document.querySelectorAll('#menu a').length === 7"
do_ do "press('#menu a', document.querySelector('#menu a[data-view=machine]').textContent.trim())"
see 'the CPU model has its cycles' "view() === 'machine' && text().includes(grouped($cycles)) && document.querySelectorAll('.cycles i').length > 1"
see 'the cycles by cause add up' "column(1).slice(0, document.querySelectorAll('.cycles i').length).reduce((a, x) => a + Number(x.replaceAll(',', '')), 0) === $cycles"
see 'the name of a view of the menu is in the bar' "document.getElementById('more-views').textContent.startsWith('CPU model')"
do_ do "go('processes')"
see 'threads and processes have a view' "text().includes('1 thread') && text().includes('started no other process')"
do_ do "go('tables')"
see 'all tables are listed' "view() === 'tables' && document.querySelectorAll('.side .list a').length === $(figure '.profiles | length')"
do_ do "[...document.querySelectorAll('.side a')].find(a => a.innerText.startsWith('Edges') && a.innerText.includes('multihash')).click()"
see 'tables have their entries' "column(1)[0] === grouped($edge)"
see 'tables have their accuracy' "/table of .* KB/.test(text()) && /bounds/.test(text())"
do_ do "go('warnings')"
see 'the last view lists data that were left out' "view() === 'warnings' && /Left out/.test(text())"
do_ key '?'
see 'the question mark shows the keys' "document.getElementById('help').open"
do_ do "document.querySelector('#help button').click()"
see 'a button hides them' "!document.getElementById('help').open"

# A run with the default profiles has the numbers of its overview.
"$sluice" run -q -o plain.db ./hot
"$sluice" report plain.db >plain.txt
"$sluice" report -f html plain.db >plain.html
visit "file://$T/plain.html"
for name in weigh work; do
    see "$name has the costs of the overview" "'$(awk -v f="$name" '$4 == f { print $1, $2, $3; exit }' plain.txt)' === (f => [hundredths(ratio(f.self, runTotal)), hundredths(ratio(f.total, runTotal)), grouped(f.self)].join(' '))(functionNamed('$name'))"
done
see 'the modules have the percentages of the overview' "'$(sed -n 's/^Modules  hot \([0-9]*\)% (yours).*/\1/p' plain.txt)' === hundredths(ratio(moduleEntries.find(e => e.own).self, runTotal), 0)"
see 'the hot lines are those of the overview' "[...document.querySelectorAll('.lines .where span:first-child')].slice(0, 3).map(e => e.textContent).join() === '$(sed -n '/^Hot lines/,/^$/p' plain.txt | grep -o 'hot\.c:[0-9]*' | head -n 3 | paste -sd,)'"
see 'the hints are those of the overview' "document.querySelectorAll('.card .at').length > 0 && [...document.querySelectorAll('.card .at')].map(e => e.textContent.match(/hot\\.c:\\d+/)[0]).join() === '$(sed -n '/^Hints/,$p' plain.txt | grep -o '^  hot\.c:[0-9]*' | tr -d ' ' | paste -sd,)'"
see 'the calls of a default run are known' "functionNamed('weigh').calls === 1200000"
see 'a function that a stub leads to has its calls' "functions.every(f => !f.name.endsWith('@plt') || f.self < runTotal / 1000)"

# Without contexts.
"$sluice" run -q -p function -p block:instructions -o code.db ./hot
"$sluice" report -f html code.db >code.html
visit "file://$T/code.html#flame"
see 'without contexts, the flame graph has modules, functions and lines' "(w => w.parent.name === 'hot' && w.children.some(c => c.name === 'hot.c:3') && w.cost === functionNamed('weigh').self)(frame('weigh').node)"
see 'frames of code are sums, too' "tree(topDown(0), summed) && topDown(0).cost === data.functions.total"
visit "file://$T/code.html#functions&f=weigh"
see 'a page without contexts says how to get callers' "text().includes('run again with -p context')"

# The address has all that is shown.
visit "$page#flame&theme=dark&metric=instructions&mode=up&q=weigh"
see 'an address restores metric, direction, search and theme' "document.querySelector('.found') && document.querySelectorAll('[aria-pressed=true]').length === 2 && [...document.querySelectorAll('[aria-pressed=true]')].map(b => b.textContent).join() === 'Bottom-up,Instructions' && document.getElementById('search').value === 'weigh'"
see 'an address restores the theme' "getComputedStyle(document.body).backgroundColor === 'rgb(14, 17, 21)'"
do_ key Escape
do_ key t
see 'the key t changes the theme' "getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)' && /theme=light/.test(location.hash)"
visit "$page#source&f=weigh&all=1"
see 'an address restores a function with its instructions' "document.querySelector('.title-of h2').textContent === 'weigh' && document.querySelectorAll('.insn').length > 3"
visit "$page#functions&own=1&sort=total%20%25"
see 'an address restores the order of a table' "document.querySelectorAll('#main th')[3].getAttribute('aria-sort') === 'descending' && column(1).every(m => m === 'hot')"
visit "$page#nothing&f=%E0%A4%A"
see 'a wrong address shows the summary' "view() === 'summary'"

# ---- widths and themes ----------------------------------------------------------------

for theme in light dark; do
    do_ theme $theme
    for width in 768 1440; do
        do_ size $width 900
        for view in summary flame functions source phases loops paths values processes tables machine warnings; do
            do_ do "go('$view')"
            see "$view is not wider than $width pixels ($theme)" "view() === '$view' && wide() <= 0 || 'wider by ' + wide()"
            see "$view can be read ($theme, $width)" "faint()"
        done
    done
    do_ do "go('flame', {mode: 'sandwich', f: 'work'})"
    see "sandwich can be read ($theme)" "faint()"
    do_ do "go('flame', {mode: 'up', q: 'weigh'})"
    see "bottom-up with a search can be read ($theme)" "faint()"
    do_ do "go('functions', {f: 'work'})"
    see "a function can be read ($theme)" "faint()"
    do_ do "window.paper_$theme = getComputedStyle(document.body).backgroundColor"
done
see 'the themes are those of the browser' "paper_light !== paper_dark"

# A phone, in a frame: the frame's page is same-origin because its text is in the frame's element.
{
    printf '<meta charset="utf-8"><body style="margin:0"><iframe style="width:390px;height:800px;border:0" srcdoc="'
    sed 's/&/\&amp;/g; s/"/\&quot;/g' hot.html
    printf '"></iframe>\n'
} >phone.html
do_ size 1280 900
do_ open "file://$T/phone.html"
phone="document.querySelector('iframe').contentWindow"
see 'the page is shown in a frame' "$phone.innerWidth === 390 && $phone.document.querySelectorAll('.modules button').length > 1"
for view in summary flame functions source phases loops paths values processes tables machine warnings; do
    do_ do "$phone.document.querySelector('a[data-view=$view]').click()"
    see "$view does not scroll sideways in a frame of 390 pixels" "(d => d.getElementById('main').dataset.view === '$view' && d.documentElement.scrollWidth <= 390 || 'width ' + d.documentElement.scrollWidth)($phone.document)"
done

# ---- hostile names -------------------------------------------------------------------

awk 'BEGIN { print ".text"
    for (i = 0; i < 1000; i++) printf "\"</script><img src=x onerror=alert(%d)>\\\"&amp;%d\":\nret\n", i, i
    print ".globl _start\n_start:"
    for (i = 0; i < 1000; i++) printf "call \"</script><img src=x onerror=alert(%d)>\\\"&amp;%d\"\n", i, i
    print "mov $60,%eax\nxor %edi,%edi\nsyscall" }' >hostile.s
if gcc -nostdlib -static -o hostile hostile.s 2>err; then
    "$sluice" run -q -f html -o hostile.db ./hostile
    "$sluice" report -f html hostile.db >hostile.html
    visit "file://$T/hostile.html#functions&q=onerror"
    see 'hostile names are all there' "data.functions.rows.filter(r => r[0].includes('<img src=x onerror=')).length === 1000"
    see 'as text' "rows().length > 100 && column(0)[0].startsWith('</script><img src=x onerror=')"
    see 'hostile names are frames' "go('flame', {unfold: '1'}) || [...document.querySelectorAll('.frame')].some(f => f.node && f.node.name.includes('<img'))"
    for view in summary flame functions source phases loops paths values processes tables warnings; do
        do_ do "go('$view', '')"
        see "no name makes an element in $view" "document.images.length === 0 && document.scripts.length === 2 && wide() <= 0"
    done
fi

"$sluice" run -q -f html -o self.db -- "$sluice" report --json plain.db >out
"$sluice" report -f html self.db >self.html
ok 'a page has at most 2 MB' [ "$(wc -c <self.html)" -lt 2000000 ]
ok 'a page lists data that were left out' grep -q '^"left_out":\["\|"left_out":.*of [0-9,]* frames' self.html

# ---- a difference -----------------------------------------------------------------------

mkdir more
sed 's/work(1000)/work(1010)/' hot.c >more/hot.c
build more/hot gcc -O1 -g more/hot.c
"$sluice" run -q -m rocket -f html -o more.db ./more/hot
"$sluice" diff -f html hot.db more.db >difference.html
more=$(sql more.db 'SELECT instructions FROM program')
visit "file://$T/difference.html"
see 'a difference has a page of the same style' "view() === 'difference'"
see 'the difference has both totals' "text().includes('From ' + grouped($instructions) + ' instructions to ' + grouped($more))"
see 'regressions come first' "rows()[0].innerText.includes('work') && rows()[0].cells[0].innerText[0] === '+'"
see 'with their part of the total' "/^\\+\d+\.\d\d\\s%\$/.test(rows()[0].cells[1].innerText)"
do_ key 2
see 'and all of it by profile' "view() === 'changes' && document.querySelectorAll('.side .list a').length > 3"
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

# A tail call is a jump, and enters the function like a call.
cat >tail.c <<'END'
static volatile int sum;
__attribute__((noinline)) static void leaf(int x) { for (int i = 0; i < 50; i++) sum += x; }
__attribute__((noinline)) void front(int x) { sum ^= x; leaf(x + 1); }
int main(void)
{
    for (int i = 0; i < 300; i++)
        front(i);
    return 0;
}
END
build tail gcc -O2 -g tail.c
"$sluice" run -q -o tail.db ./tail
is 'functions that are entered by tail calls have their number of calls' \
    "$("$sluice" report -f html tail.db | grep -o '\["leaf",[^]]*\]' | head -n 1 | sed 's/.*,\(.*\)]/\1/')" 300
finish
