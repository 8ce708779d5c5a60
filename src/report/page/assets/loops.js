/* SPDX-License-Identifier: MIT */
/* View `loops`: cost, entries and iterations of each loop. A loop that iterates once per entry does not repeat anything,
 * and is left out. */

/* "A+0x1..A+0x2" as "A+0x1..+0x2". */
const shortLoop = name => { const at = name.split('..'), prefix = at[0].replace(/\+0x.*$/, ''); return at.length === 2 && at[1].startsWith(prefix + '+') ? at[0] + '..' + at[1].slice(prefix.length) : name; };

addView({
  name: 'loops',
  title: 'Loops',
  has: () => data.loops && data.loops.rows.length,
  show(root) {
    const loops = data.loops, perEntry = loops.entries && loops.iterations;
    const repeat = loops.rows.filter(row => !perEntry || !row[3] || row[4] >= 1.05 * row[3]), rows = repeat.filter(row => symbolInFilter(row[0]));
    const most = Math.max(1, ...rows.map(row => row[2]));
      const columns = [
      {title: 'Loop', kind: 'name', value: row => row[0], show: row => { const f = functionNamed(functionOf(row[0])); return f ? functionLink(f, row[0]) : shortLoop(row[0]); }},
      {title: loops.units, kind: 'num soft', wide: true, value: row => row[2], show: row => number(row[2])},
      {title: '%', kind: 'num strong', value: row => row[2], show: row => hundredths(ratio(row[2], loops.total), 2)},
      {title: '', kind: 'bars', show: row => bar(row[2], most, entryOfSymbol(row[0]).hue)},
    ];
    if (loops.entries) columns.push({title: 'Entries', kind: 'num', phone: true, value: row => row[3], show: row => number(row[3])});
    if (loops.iterations) columns.push({title: 'Iterations', kind: 'num', wide: true, value: row => row[4], show: row => number(row[4])});
    if (perEntry) columns.push({title: 'Per entry', kind: 'num', value: row => ratio(row[4], row[3]), show: row => row[3] ? (row[4] / row[3]).toFixed(1) : ''});
    columns.push({title: 'Lines', kind: 'line', wide: true, value: row => row[1] || '', show: row => {
      const f = sourceLine((row[1] || '').replace(/-\d+$/, ''));
      return f ? link('source', {f: functionKey(f.f), line: f.line}, row[1]) : row[1] || '';
    }});
    const hidden = loops.rows.length - repeat.length;
    root.append(element('div', 'head', element('h2', '', 'Loops'), element('span', 'sub', 'of ' + number(loops.total) + ' ' + loops.units + '; ' + share(loops.outside, loops.total) + ' outside of loops')), legend(),
      makeTable(columns, rows, {sort: 2}), element('p', 'more', hidden ? plural(hidden, 'loop') + ' with one iteration per entry ' + (hidden === 1 ? 'is' : 'are') + ' not listed.' : ''));
    return {searches: true};
  },
});
