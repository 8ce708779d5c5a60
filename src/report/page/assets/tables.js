/* SPDX-License-Identifier: MIT */
/* View `tables`: the entries of every profile, with the statistics and errors of its table. */

function describeTable(t) {
  const parts = [number(t.events) + ' events'];
  parts.push(number(t.distinct) + ' distinct tuples, ' + (t.exact ? 'counted exactly' : 'table of ' + t.storage));
  if (t.bounds && !t.exact) parts.push('each count has bounds');
  if (t.drops) parts.push(number(t.drops) + ' events dropped');
  for (const name in t.errors)
    if (t.errors[name] !== null) parts.push(name.replaceAll('_', ' ') + ' ' + (/windows|events|count|runs/.test(name) ? number(t.errors[name]) : percent(t.errors[name])));
  return parts.join('; ') + '.';
}

function entryTable(t) {
  const first = t.bounds ? 3 : 1, most = Math.max(1, ...t.rows.map(row => row[0]));
  const columns = [
    {title: t.units, kind: 'n', value: row => row[0], show: row => number(row[0])},
    {title: '%', kind: 'n', value: row => row[0], show: row => share(row[0], t.weight)},
    {title: '', kind: 'bar', wide: true, show: row => bar(row[0], most)},
  ];
  if (t.bounds && t.rows.some(row => row[1] !== row[0] || row[2] !== row[0])) columns.push({title: 'bounds', kind: 'n', wide: true, value: row => row[2] - row[1], show: row => row[1] === row[2] ? 'exact' : number(row[1]) + '–' + number(row[2])});
  columns.push({title: 'where', kind: 'where', value: row => row[first] || ''});
  columns.push({title: 'line', kind: 'where', wide: true, value: row => row[first + 1] || '', show: row => sourceLink(row[first + 1])});
  t.columns.forEach((title, i) => columns.push({title, kind: 'where', value: row => row[first + 2 + i] || ''}));
  return makeTable(columns, t.rows, {sort: 0});
}

addView({
  name: 'tables',
  has: () => data.tables.length,
  show(root, argument) {
    const chosen = Math.min(Math.max(1, Number(argument) || 1), data.tables.length) - 1, t = data.tables[chosen];
    const items = data.tables.map((other, i) => {
      const to = link('tables', i + 1, other.heading, element('div', 'soft', other.given));
      if (i === chosen) to.setAttribute('aria-current', 'true');
      return element('li', '', to);
    });
    const table = entryTable(t);
    root.append(element('div', 'side', element('ul', '', ...items), element('section', '', element('h2', '', t.heading), element('p', 'soft', t.spec), element('p', '', describeTable(t)), t.note ? element('p', 'note', t.note) : null, table.element)));
    return {
      search: table.search,
      key: key => {
        if (key !== 'n' && key !== 'p') return false;
        go('tables', Math.min(Math.max(1, chosen + 1 + (key === 'n' ? 1 : -1)), data.tables.length));
        return true;
      },
    };
  },
});
