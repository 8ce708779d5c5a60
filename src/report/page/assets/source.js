/* SPDX-License-Identifier: MIT */
/* View `source`: the lines of a function (parameter f) coloured by cost, with the calls at their lines. Each line can show
 * its instructions (parameter open, a list of lines; all: those of all lines). Code without a function has the parameter
 * part, the index of a code range. */

const AROUND = 2; /* lines before and after a function */

/* The functions of the list: the user's own, or those of the chosen module, or all if none are the user's. */
function sourceFunctions() {
  const all = bySelf.filter(f => sourceOf(f).length), own = all.filter(f => f.entry.own);
  const chosen = filtered() ? all.filter(f => inFilter(f.entry)) : own.length ? own : all;
  const text = (state.q || '').trim().toLowerCase();
  return text ? all.filter(f => matches([f.name, f.line], text)) : chosen;
}

/* Lines of the ranges of a function; `own` are its lines. */
function rangeLines(ranges, f) {
  const start = range => range.part.lines[range.first][0], listed = new Set();
  const order = ranges.slice().sort((a, b) => (a.part.file || '').localeCompare(b.part.file || '') || start(a) - start(b));
  return order.flatMap(({part, first, last}) => {
    const from = part.file ? Math.max(0, first - AROUND) : first, to = part.file ? last + AROUND : last;
    return part.lines.slice(from, to + 1).filter(line => !part.file || line[2] || !listed.has(line[0]) && listed.add(line[0]))
      .map(line => ({part, line, own: Boolean(line[2]) && (!f || line[3] === f.i)}));
  });
}

function callBadges(f, {part, line}, lines) {
  const badges = [], names = insns => new Set((insns || []).map(insn => calledName(insn[3])).filter(x => x));
  const inlined = inlinedAt.get(part.file + ':' + line[0]);
  if (inlined) {
    const cost = total(inlined.map(x => x.cost)), title = inlined.map(x => x.f.name + ' ' + share(x.cost, data.source.columns[0].total)).join(', ');
    badges.push(set(link(sourceOf(inlined[0].f).length ? 'source' : 'functions', {f: functionKey(inlined[0].f)}, '↳ ' + (inlined.length > 1 ? inlined.length + ' inlined' : inlined[0].f.name) + ' ', element('b', '', share(cost, data.source.columns[0].total))), {class: 'badge inlined-call', title}));
  }
  for (const called of f ? names(line[4]) : []) {
    const arc = calledFunction(f, called);
    if (!arc) continue;
    const alone = lines.filter(other => other.own && names(other.line[4]).has(called)).length === 1;
    if (ratio(arc.cost, runTotal) >= 0.0005)
      badges.push(set(functionLink(arc.callee, '→ ' + called.replace(/@plt$/, '') + ' '), {class: 'badge call', title: arc.callee.name}));
    if (ratio(arc.cost, runTotal) >= 0.0005 && alone && flameCalls && flameData.inlined) badges[badges.length - 1].append(element('b', '', share(arc.cost, runTotal)));
  }
  return badges.length ? element('span', 'calls', badges) : null;
}

function instructions(f, insns) {
  const columns = data.source.columns;
  let before = null;
  return element('div', 'insns', insns.flatMap(insn => {
    const [address, text, costs, remark, inlined] = insn, gap = before !== null && before !== costs[0];
    before = costs[0];
    const row = element('div', 'insn' + (gap ? ' gap' : ''), element('span'), element('span', 'cost', number(costs[0])), element('span'), element('span'),
      element('span', 'address', address), element('span', 'text', text), element('span', 'remark', remarkNodes(f, remark)));
    row.title = columns.map((c, i) => number(costs[i]) + ' ' + c.name).join(', ');
    return [inlined ? element('div', 'inlined', element('span', 'badge', inlined)) : null, row];
  }));
}

/* The rows of a listing, and its ruler. */
function listing(f, lines, sum) {
  const most = Math.max(1, ...lines.map(l => l.own ? l.line[2][0] : 0)), rows = element('div'), columns = data.source.columns;
  const open = new Set((state.open || '').split(',').filter(x => x).map(Number));
  if (state.open === undefined) {
    const hottest = lines.find(l => l.own && l.line[2][0] === most);
    if (state.line) open.add(Number(state.line));
    else if (hottest) open.add(hottest.line[0]);
  }
  lines.forEach((entry, i) => {
    const {part, line, own} = entry, cost = line[2] ? line[2][0] : 0, heat = own ? cost / most : 0, insns = line[4] || [];
    const isOpen = insns.length > 0 && (open.has(line[0]) || state.all === '1' || !part.file);
    const last = i && lines[i - 1];
    if (last && part.file && (last.part.file !== part.file || line[0] > last.line[0] + 1)) rows.append(element('div', 'row cold', element('span', 'number', '⋯'), element('span', 'cost'), element('span', 'part'), element('span'), element('span', 'text', last.part.file !== part.file ? part.file : '')));
    const expand = button('expand', isOpen ? '▾' : '▸', () => {
      if (!open.delete(line[0])) open.add(line[0]);
      change({open: [...open].join(',') || '0', all: undefined}, true);
    });
    set(expand, {'aria-expanded': String(isOpen), 'aria-label': 'instructions of line ' + line[0]});
    const row = element('div', 'row' + (heat > 0.25 ? ' warm' : cost ? '' : ' cold') + (Number(state.line) === line[0] ? ' at' : ''),
      element('span', 'number', line[0] || ''), element('span', 'cost', cost ? number(cost) : ''), set(element('span', 'part', own && cost ? hundredths(ratio(cost, sum)) : ''), {'--w': 100 * heat + '%'}),
      insns.length ? expand : element('span'), element('span', 'text', line[1] ? highlight(line[1]) : part.file ? line[1] === null && cost ? element('span', 'dim', 'source not found') : ' ' : element('span', 'dim', 'code without a line'), callBadges(f, entry, lines)));
    set(row, {'--a': (0.16 * heat).toFixed(3)});
    row.dataset.line = line[0];
    row.dataset.heat = heat;
    if (cost) row.title = columns.map((c, k) => number(line[2][k]) + ' ' + c.name).join(', ');
    rows.append(row);
    if (isOpen) rows.append(instructions(f, insns));
  });
  const ruler = set(element('div', 'ruler', lines.map((l, i) => l.own ? set(element('i'), {'--t': 100 * i / lines.length + '%', '--h': 100 / lines.length + '%', '--a': (0.15 + 0.85 * l.line[2][0] / most).toFixed(2)}) : null)), {'aria-hidden': 'true'});
  return element('div', 'codebox', set(element('div', 'code', rows), {tabindex: 0, role: 'region', 'aria-label': 'source'}), ruler);
}

function sourceList(list, current) {
  const most = Math.max(1, ...list.map(f => f.self)), own = list.every(f => f.entry.own);
  return set(element('nav', 'list', element('div', 'title', element('span', '', (own ? 'Your functions' : 'Functions') + ' by self'), element('span', '', element('kbd', '', 'j'), ' ', element('kbd', '', 'k'))),
    list.slice(0, 300).map(f => set(link('source', {f: functionKey(f), q: state.q}, element('span', 'a', f.name), element('span', 'num', hundredths(ratio(f.self, runTotal), 2)),
      element('span', 'b', (f.line || '') + (f.inlined ? ' · inlined' : '')), bar(f.self, most, f.entry.hue)), {'aria-current': f === current ? 'true' : null, title: f.name}))), {'aria-label': 'functions'});
}

function calledBy(f) {
  const callers = f.callers.slice(0, 3).flatMap((arc, i) => [i ? ', ' : '', element('span', 'mono', functionLink(arc.caller)), arc.inlined ? ' (inlined)' : arc.calls ? element('span', 'dim mono', ' ' + number(arc.calls) + '×') : '']);
  return callers.length ? element('span', '', 'Called by ', callers, f.callers.length > 3 ? ' and ' + (f.callers.length - 3) + ' more' : '') : null;
}

addView({
  name: 'source',
  title: 'Source',
  has: () => data.source && data.source.parts.length,
  show(root) {
    const list = sourceFunctions(), part = data.source.parts[state.part];
    let f = part ? null : functionOfKey(state.f);
    if (!part && !(f && sourceOf(f).length)) f = list[0];
    const ranges = f ? sourceOf(f) : [{part: part || data.source.parts[0], first: 0, last: 1e9}];
    const lines = rangeLines(ranges, f), sum = total(lines.filter(l => l.own).map(l => l.line[2][0])), column = data.source.columns[0];
    const file = ranges[0].part.file, place = f && f.line && file && baseName(file) === f.line.replace(/:\d+$/, '') ? file + f.line.replace(/^.*:/, ':') : file;
    const box = listing(f, lines, sum), index = list.indexOf(f);
    root.append(element('div', 'source', sourceList(list, f), element('div', '',
      f ? functionHead(f, place) : element('div', 'title-of', element('h2', '', file || 'code without a function'), facts([['Cost', share(sum, column.total)]])),
      element('div', 'related', f ? [calledBy(f), link('functions', {f: functionKey(f)}, 'Callers and callees')] : null,
        element('span', 'aside', set(button('button', 'All instructions ', () => change({all: state.all === '1' ? undefined : '1', open: '0'}, true)), {'aria-pressed': String(state.all === '1')}))), box,
      element('p', 'more', 'Percentages are relative to the ' + column.name + ' of ' + (f ? 'this function’s own lines' : 'these lines') + '. → marks a call; its percentage of the run includes the functions that it calls. ↳ marks code inlined at the line; its percentage of the run excludes the functions that it calls.' + (file && lines.every(l => l.line[1] === null) ? ' The source file was not found when this page was made.' : '')),
      keyRow(['j k', 'next, previous function'], ['n p', 'next, previous hot line'], ['a', 'all instructions'], ['c', 'callers']))));
    const at = box.querySelector('.row.at'), chosen = root.querySelector('.list [aria-current]');
    if (at) at.scrollIntoView({block: 'center'});
    if (chosen && chosen.offsetTop > chosen.parentNode.clientHeight) chosen.parentNode.scrollTop = chosen.offsetTop - 100;
    const hot = [...box.querySelectorAll('.row')].filter(row => row.dataset.heat > 0.25).map(row => Number(row.dataset.line));
    return {
      searches: true,
      key: key => {
        if (key === 'j' || key === 'k') { const next = list[index + (key === 'j' ? 1 : -1)]; if (next) go('source', {f: functionKey(next), q: state.q}); }
        else if (key === 'n' || key === 'p') { const i = hot.indexOf(Number(state.line)), next = hot[key === 'n' ? i + 1 : Math.max(0, i - 1)]; if (next !== undefined) change({line: String(next)}, true); }
        else if (key === 'a') change({all: state.all === '1' ? undefined : '1', open: '0'}, true);
        else if (key === 'c' && f) go('functions', {f: functionKey(f)});
        else return false;
        return true;
      },
    };
  },
});
