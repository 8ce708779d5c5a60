/* SPDX-License-Identifier: MIT */
/* View `loops`: cost, entries and iterations of each loop. */

addView({
  name: 'loops',
  has: () => data.loops && data.loops.rows.length,
  show(root) {
    const loops = data.loops, most = Math.max(1, ...loops.rows.map(row => row[2]));
    const columns = [
      {title: loops.units, kind: 'n', wide: true, value: row => row[2], show: row => number(row[2])},
      {title: '%', kind: 'n', value: row => row[2], show: row => share(row[2], loops.total)},
      {title: '', kind: 'bar', wide: true, show: row => bar(row[2], most)},
    ];
    if (loops.entries) columns.push({title: 'entries', kind: 'n', value: row => row[3], show: row => number(row[3])});
    if (loops.iterations) columns.push({title: 'iterations', kind: 'n', wide: true, value: row => row[4], show: row => number(row[4])});
    if (loops.entries && loops.iterations) columns.push({title: 'per entry', kind: 'n', value: row => ratio(row[4], row[3]), show: row => row[3] ? (row[4] / row[3]).toFixed(1) : ''});
    columns.push({title: 'loop', kind: 'where', value: row => row[0], show: row => link('calls', functionOf(row[0].replace(/\.\..*/, '')), row[0])});
    columns.push({title: 'lines', wide: true, value: row => row[1] || '', show: row => sourceLink((row[1] || '').replace(/-\d+$/, '')).textContent === row[1] ? sourceLink(row[1]) : link('source', Math.max(0, partWith((row[1] || '').replace(/-\d+$/, ''))) + 1, row[1] || '')});
    const table = makeTable(columns, loops.rows, {sort: 1});
    root.append(element('p', 'soft', 'of ' + number(loops.total) + ' ' + loops.units + '; ' + number(loops.outside) + ' (' + share(loops.outside, loops.total) + ') outside of loops'), table.element);
    return {search: table.search};
  },
});
