/* SPDX-License-Identifier: MIT */
/* View `paths`: a list of the hot paths, and the blocks and edges of the selected one. The percentage of an edge is
 * its part of all executions that leave its block on a hot path; the other edges of the block follow it. */

/* Map of block -> Map of next block -> count, over all paths. */
const pathEdges = (() => {
  const edges = new Map();
  for (const row of data.paths ? data.paths.rows : [])
    for (let i = 0; i + 1 < row[5].length; i++) {
      const from = edges.get(row[5][i]) || new Map();
      from.set(row[5][i + 1], (from.get(row[5][i + 1]) || 0) + row[0]);
      edges.set(row[5][i], from);
    }
  return edges;
})();

const pathName = row => (data.paths.blocks[row[5][0]][0] || '?') + ' ' + row[3];

function showEdge(from, to) {
  const next = pathEdges.get(from) || new Map();
  let sum = 0;
  for (const n of next.values()) sum += n;
  const part = ratio(next.get(to) || 0, sum);
  const others = [...next].filter(([block]) => block !== to).map(([block, n]) => percent(ratio(n, sum)) + ' to ' + (data.paths.blocks[block][0] || '?'));
  return element('div', 'edge' + (part < 0.5 ? ' rare' : ''), element('b', '', '\u2193 ' + percent(part)), others.length ? element('span', 'soft', '; ' + others.slice(0, 3).join(', ')) : '');
}

function showBlock(block) {
  const [symbol, line, end] = data.paths.blocks[block];
  return element('div', 'block', element('b', '', symbol || '?'), ' ', sourceLink(line), end && end !== line ? element('span', 'soft', ' to ', sourceLink(end)) : '');
}

addView({
  name: 'paths',
  has: () => data.paths && data.paths.rows.length,
  show(root, argument) {
    const paths = data.paths, chosen = Math.min(Math.max(1, Number(argument) || 1), paths.rows.length) - 1, row = paths.rows[chosen];
    const items = paths.rows.map((p, i) => {
      const to = link('paths', i + 1, share(p[0], paths.total) + ' ' + pathName(p));
      if (i === chosen) to.setAttribute('aria-current', 'true');
      return {element: element('li', '', to), texts: [pathName(p), ...p[5].flatMap(b => paths.blocks[b])]};
    });
    const drawn = element('div', 'path');
    row[5].forEach((block, i) => {
      if (i) drawn.append(showEdge(row[5][i - 1], block));
      drawn.append(showBlock(block));
    });
    if (!row[4]) drawn.append(element('div', 'edge rare', 'continues; the rest is not known'));
    const bounds = row[1] !== null && row[1] !== row[2] ? ', bounds ' + number(row[1]) + ' to ' + number(row[2]) : '';
    root.append(element('div', 'side', element('ul', '', ...items.map(i => i.element)), element('section', '',
      element('h2', '', pathName(row)),
      element('p', '', (paths.units === 'events' ? 'Taken ' + plural(row[0], 'time') : number(row[0]) + ' ' + paths.units) + ' (' + share(row[0], paths.total) + ')' + bounds + '; branches: ' + (row[3] ? [...row[3]].map(c => c === 'T' ? 'taken' : 'not taken').join(', ') : 'none') + '.'), drawn,
      element('p', 'soft', 'Percentages are relative to the hot paths of this page. Keys n and p: next and previous path.'))));
    return {
      search: text => items.forEach(i => { i.element.hidden = !matches(i.texts, text); }),
      key: key => {
        if (key !== 'n' && key !== 'p') return false;
        go('paths', Math.min(Math.max(1, chosen + 1 + (key === 'n' ? 1 : -1)), paths.rows.length));
        return true;
      },
    };
  },
});
