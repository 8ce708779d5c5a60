/* SPDX-License-Identifier: MIT */
/* View `functions`: all functions, or with the parameter f one function with its callers and callees. */

function arcTable(arcs, side, title, whole) {
  const columns = [
    {title, kind: 'name', value: arc => arc[side].name, show: arc => element('span', '', link('functions', {f: functionKey(arc[side])}, arc[side].name), arc.inlined ? [' ', element('span', 'badge', side === 'caller' ? 'inlined there' : 'inlined')] : null)},
    {title: 'Module', phone: true, value: arc => arc[side].entry.name, show: arc => chip(arc[side].entry)},
    {title: '%', kind: 'num strong', value: arc => arc.cost, show: arc => hundredths(ratio(arc.cost, whole))},
    {title: '', kind: 'bars', show: arc => bar(arc.cost, whole, arc[side].entry.hue)},
    {title: data.functions.units, kind: 'num soft', wide: true, value: arc => arc.cost, show: arc => number(arc.cost)},
  ];
  if (hasCalls) columns.push({title: 'Calls', kind: 'num soft', value: arc => arc.calls || 0, show: arc => arc.calls ? number(arc.calls) : '–'});
  return makeTable(columns, arcs.filter(arc => inFilter(arc[side].entry)), {sort: 2, rows: 40, texts: arc => [arc[side].name]});
}

/* Name, module, place and costs of a function. */
function functionHead(f, extra) {
  return element('div', 'title-of', element('div', '', element('h2', '', f.name, f.inlined ? [' ', element('span', 'badge', 'inlined')] : null),
    element('div', 'sub', chip(f.entry, f.module ? f.module[0] : 'unknown'), ' ', element('span', 'mono', extra || f.line || ''))),
  facts([['Self', share(f.self, runTotal)], f.total !== null && ['Total', estimate(f) + share(f.total, runTotal)],
    f.calls && ['Calls', number(f.calls)], f.calls && f.total !== null && ['Per call', estimate(f) + number(f.total / f.calls)]]));
}

function showFunction(root, f) {
  const whole = f.total ?? f.self;
  root.append(element('div', 'tools', link('functions', {}, '← All functions'), sourceOf(f).length ? link('source', {f: functionKey(f)}, 'Source') : null,
    flameCalls ? link('flame', {mode: 'sandwich', f: functionKey(f)}, 'Sandwich') : null), functionHead(f));
  if (!f.callers.length && !f.callees.length) {
    root.append(element('p', 'note', hasTotal ? 'No call of this function is known.' : 'Callers need a context profile, and this database has none: run again with -p context.'));
    return;
  }
  root.append(element('div', 'pair',
    element('section', '', element('div', 'head', element('h2', '', 'Called by')), arcTable(f.callers, 'caller', 'Caller', whole)),
    element('section', '', element('div', 'head', element('h2', '', 'Calls')), arcTable(f.callees, 'callee', 'Callee', whole))),
  element('p', 'more', 'Percentages are relative to the cost of ' + f.name + ' with its callees. Recursive calls count once.'));
}

addView({
  name: 'functions',
  title: 'Functions',
  has: () => functions.length,
  show(root) {
    const f = state.f && functionOfKey(state.f);
    if (f) { showFunction(root, f); return {key: key => key === 'c' ? (go('functions'), true) : false}; }
    root.append(legend(), functionTable(state.rows === 'all' ? 1e9 : ROWS));
    root.append(element('section', 'next', element('div', 'head', element('h2', '', 'In other tools')),
      element('p', '', 'Time order and stacks in speedscope'), command('sluice report -f speedscope -o run.speedscope.json'),
      element('p', '', 'The call graph in KCachegrind'), command('sluice report -f callgrind -o callgrind.out')));
    return {};
  },
});
