/* SPDX-License-Identifier: MIT */
/* View `calls`: the callers and callees of one function, with the costs of these calls. */

function functionNamed(name) {
  const rows = data.functions.rows;
  const found = rows.findIndex(row => row[0] === name);
  return found >= 0 ? found : rows.reduce((best, row, i) => row[2] > rows[best][2] ? i : best, 0);
}

function arcTable(arcs, side, of, whole) {
  const f = data.functions, name = arc => arc[side] < 0 ? '(unknown caller)' : f.rows[arc[side]][0];
  const columns = [
    {title: f.units, kind: 'n', wide: true, value: arc => arc[3], show: arc => number(arc[3])},
    {title: '%', kind: 'n', value: arc => arc[3], show: arc => share(arc[3], whole)},
    {title: '', kind: 'bar', show: arc => bar(arc[3], whole)},
  ];
  if (f.calls) columns.push({title: 'calls', kind: 'n', value: arc => arc[4], show: arc => number(arc[4])});
  columns.push({title: of, kind: 'where', value: name, show: arc => arc[side] < 0 ? name(arc) : link('calls', name(arc), name(arc))});
  return makeTable(columns, arcs, {sort: 1, rows: 40, texts: arc => [name(arc)]});
}

addView({
  name: 'calls',
  has: () => data.functions && data.functions.rows.length,
  show(root, argument) {
    const f = data.functions, i = functionNamed(argument), row = f.rows[i];
    const line = sourceLink(row[1]);
    const inclusive = row[3] ?? row[2];
    root.append(element('h2', '', row[0]), element('p', '',
      number(row[2]) + ' ' + f.units + ' self (' + share(row[2], f.total) + ')',
      row[3] === undefined ? '' : ', ' + number(row[3]) + ' (' + share(row[3], f.total) + ') with callees',
      f.calls ? '; called ' + plural(row[4], 'time') + (row[5] ? ', ' + number(row[5]) + ' recursively' : '') : '', '. ', line));
    if (!f.arcs.length) {
      root.append(element('p', 'soft', 'Callers need a context profile, and this database has none: run again with -p context.'));
      return {search: text => { if (text) go('functions', '', text); }};
    }
    const callers = arcTable(f.arcs.filter(arc => arc[1] === i), 0, 'caller', inclusive);
    const callees = arcTable(f.arcs.filter(arc => arc[0] === i), 1, 'callee', inclusive);
    root.append(element('div', 'pair',
      element('section', '', element('h2', '', 'Called by'), callers.element),
      element('section', '', element('h2', '', 'Calls'), callees.element)),
      element('p', 'soft', 'Percentages are relative to the cost of ' + row[0] + ' with its callees. Recursive calls count once.'));
    return {search: text => { callers.search(text); callees.search(text); }};
  },
});
