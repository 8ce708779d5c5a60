/* SPDX-License-Identifier: MIT */
/* View `functions`: all functions with self cost, inclusive cost and number of calls. */

function functionColumns(f) {
  const most = Math.max(1, ...f.rows.map(row => row[2]));
  const columns = [
    {title: f.units, kind: 'n', value: row => row[2], show: row => number(row[2])},
    {title: 'self %', kind: 'n', value: row => row[2], show: row => share(row[2], f.total)},
    {title: '', kind: 'bar', wide: true, show: row => bar(row[2], most)},
  ];
  if (f.rows.length && f.rows[0].length > 3)
    columns.push({title: 'total %', kind: 'n', value: row => row[3], show: row => share(row[3], f.total)});
  if (f.calls) columns.push({title: 'calls', kind: 'n', wide: true, value: row => row[4], show: row => number(row[4])});
  columns.push({title: 'function', kind: 'where', value: row => row[0], show: row => link('calls', row[0], row[0])});
  columns.push({title: 'line', wide: true, value: row => row[1] || '', show: row => sourceLink(row[1])});
  return columns;
}

addView({
  name: 'functions',
  has: () => data.functions,
  show(root) {
    const f = data.functions;
    const table = makeTable(functionColumns(f), f.rows, {sort: 0});
    root.append(element('p', 'soft', 'of ' + number(f.total) + ' ' + f.units), table.element);
    return {search: table.search};
  },
});
