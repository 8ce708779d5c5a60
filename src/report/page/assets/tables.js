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
    {title: 'Where', kind: 'name', value: row => row[first] || ''},
    {title: t.units, kind: 'num soft', value: row => row[0], show: row => number(row[0])},
    {title: '%', kind: 'num strong', value: row => row[0], show: row => (t.exact || t.bounds && row[1] === row[2] ? '' : '≈ ') + hundredths(ratio(row[0], t.weight), 2)},
    {title: '', kind: 'bars', show: row => bar(row[0], most, entryOfSymbol(row[first]).hue)},
  ];
  if (t.bounds && t.rows.some(row => row[1] !== row[0] || row[2] !== row[0])) columns.push({title: 'Bounds', kind: 'num', wide: true, value: row => row[2] - row[1], show: row => row[1] === row[2] ? 'exact' : number(row[1]) + '–' + number(row[2])});
  columns.push({title: 'Line', kind: 'line', wide: true, value: row => row[first + 1] || '', show: row => lineLink(row[first + 1])});
  t.columns.forEach((title, i) => columns.push({title: title[0].toUpperCase() + title.slice(1), kind: 'name', value: row => row[first + 2 + i] || ''}));
  return makeTable(columns, t.rows.filter(row => symbolInFilter(row[first])), {sort: 1});
}

addView({
  name: 'tables',
  title: 'Tables',
  has: () => data.tables.length,
  show(root) {
    const chosen = Math.min(Math.max(1, Number(state.i) || 1), data.tables.length) - 1, t = data.tables[chosen];
    const items = data.tables.map((other, i) => set(link('tables', {i: i + 1}, element('span', 'a', other.heading), element('span', 'b', other.given)), {'aria-current': i === chosen ? 'true' : null}));
    root.append(element('div', 'side', set(element('nav', 'list', element('div', 'title', 'Tables of the profile'), items), {'aria-label': 'tables'}), element('div', '',
      element('div', 'title-of', element('div', '', element('h2', '', t.heading), element('div', 'sub mono', t.spec))), element('p', 'note', describeTable(t)), t.note ? element('p', 'note', t.note) : null, legend(), entryTable(t), keyRow(['j k', 'next, previous table']))));
    return {
      searches: true,
      key: key => {
        if (key !== 'j' && key !== 'k') return false;
        go('tables', {i: Math.min(Math.max(1, chosen + 1 + (key === 'j' ? 1 : -1)), data.tables.length)});
        return true;
      },
    };
  },
});
