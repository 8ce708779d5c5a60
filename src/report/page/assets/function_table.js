/* SPDX-License-Identifier: MIT */
/* The table of functions, of the summary and of the view of functions, and its text as CSV. */

/* Functions in the order of the text report. */
const bySelf = functions.filter(f => f.self || f.total).sort((a, b) => b.self - a.self || b.total - a.total);
const hasTotal = functions.some(f => f.total !== null);
const hasCalls = functions.some(f => f.calls !== null);

const estimate = f => f.shared ? '\u2248\u00a0' : '';

function csv(list) {
  const cell = text => /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  const units = data.functions.metric;
  const rows = [['function', 'module', 'source', 'self ' + units, 'self %', 'total ' + units, 'total %', 'calls']];
  for (const f of list)
    rows.push([f.name, f.module ? f.module[0] : '', f.line || '', f.self, hundredths(ratio(f.self, runTotal), 2), f.total ?? '',
      f.total === null ? '' : hundredths(ratio(f.total, runTotal), 2), f.calls ?? '']);
  return rows.map(row => row.map(value => cell(String(value))).join(',')).join('\n') + '\n';
}

function lineOf(f) {
  if (f.line) return lineLink(f.line);
  return element('span', 'dim', f.unnamed ? 'no symbols' : 'no lines');
}

function functionColumns(scale) {
  return [
    {title: 'Function', kind: 'name', value: f => f.name, show: f => element('span', '', functionLink(f), f.inlined ? [' ', element('span', 'badge', 'inlined')] : null)},
    {title: 'Module', phone: true, value: f => f.module ? f.module[0] : '', show: f => chip(f.entry, f.module ? f.module[0] : 'unknown')},
    {title: 'Self %', kind: 'num strong', value: f => f.self, show: f => hundredths(ratio(f.self, runTotal))},
    hasTotal && {title: 'Total %', kind: 'num', value: f => f.total, show: f => estimate(f) + hundredths(ratio(f.total, runTotal))},
    {title: hasTotal ? 'Self within total' : 'Self', kind: 'bars', show: f => bothBar(f.self, f.total ?? f.self, scale.whole, f.entry.hue)},
    {title: data.functions.units[0].toUpperCase() + data.functions.units.slice(1), kind: 'num soft', phone: true, value: f => f.self, show: f => number(f.self)},
    hasCalls && {title: 'Calls', kind: 'num soft', wide: true, value: f => f.calls || 0, show: f => f.calls ? number(f.calls) : '–'},
    {title: 'Source', kind: 'line', wide: true, value: f => f.line || '', show: lineOf},
  ].filter(column => column);
}

/* A heading with controls, whose bars have the scale of the first rows, and the table of the first `rows` functions. */
function functionTable(rows, options = {}) {
  const own = state.own === '1', list = bySelf.filter(f => inFilter(f.entry) && (!own || f.entry.own));
  const searched = (state.q || '').trim().toLowerCase();
  const scale = {whole: 1}, columns = functionColumns(scale);
  let sort = columns.findIndex(c => c.title.toLowerCase().startsWith(state.sort || (own && hasTotal ? 'total' : 'self %')));
  if (sort < 0) sort = columns.findIndex(c => c.title === 'Self %');
  const all = list.filter(f => matches([f.name], searched));
  const box = makeTable(columns, list, {
    before: shownRows => { scale.whole = Math.max(1, ...shownRows.slice(0, 20).map(f => f.total ?? f.self)); },
    sort, up: state.up === '1', rows, texts: f => [f.name],
    sorted: (i, up) => {
      state.sort = columns[i].title.toLowerCase();
      state.up = up ? '1' : undefined;
      if (up === undefined || !up) delete state.up;
      const {view, ...parameters} = state;
      shownAddress = address(view, parameters);
      setAddress(true);
    },
    more: shownRows => [
      (shownRows.length === 1 ? 'This function executes ' : 'These ' + number(shownRows.length) + ' functions execute ') +
        share(total(shownRows.map(f => f.self)), runTotal, 1) + ' of the run' + (data.functions.metric === 'instructions' ? '' : ' (' + data.functions.units + ')') + '. ',
      shownRows.length < all.length ? options.all ? link('functions', {own: state.own}, 'All ' + number(data.functions.n) + ' functions')
        : button('link', 'Show all ' + number(all.length), () => change({rows: 'all'}, true)) : null].filter(x => x),
  });
  return element('section', 'functions', element('div', 'head', element('h2', '', 'Functions'),
    element('span', 'sub', 'of ' + number(runTotal) + ' ' + data.functions.units + (functions.some(f => f.shared) ? '; ≈ marks an estimate' : '')),
    element('div', 'aside', choice([['', 'all functions'], ['1', 'your code']], own ? '1' : '', value => change({own: value || undefined, sort: undefined, up: undefined}, true), 'which functions'),
      set(button('button copy-csv', 'Copy as CSV', event => copy(csv(all), event.target)), {title: 'copies the functions of this table'}))), box);
}
