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
  const others = [...next].filter(([block]) => block !== to).map(([block, n]) => percent(ratio(n, sum), 1) + ' to ' + (data.paths.blocks[block][0] || '?'));
  return element('div', 'edge' + (part < 0.5 ? ' rare' : ''), element('b', '', '\u2193 ' + percent(part, 1)), others.length ? element('span', 'soft', '; ' + others.slice(0, 3).join(', ')) : '');
}

function showBlock(block) {
  const [symbol, line, end] = data.paths.blocks[block];
  return element('div', 'block', element('b', 'mono', symbol || '?'), ' ', element('span', 'mono dim', lineLink(line)), end && end !== line ? element('span', 'dim', ' to ', element('span', 'mono', lineLink(end))) : '');
}

addView({
  name: 'paths',
  title: 'Paths',
  has: () => data.paths && data.paths.rows.length,
  show(root) {
    const paths = data.paths, text = (state.q || '').trim().toLowerCase();
    const list = paths.rows.map((row, i) => ({row, i})).filter(({row}) => matches([pathName(row), ...row[5].flatMap(b => paths.blocks[b])], text) && symbolInFilter(paths.blocks[row[5][0]][0]));
    const chosen = list.find(p => p.i + 1 === Number(state.i)) || list[0], most = Math.max(1, ...list.map(p => p.row[0]));
    const items = list.map(p => set(link('paths', {i: p.i + 1, q: state.q}, element('span', 'a', pathName(p.row)), element('span', 'b', share(p.row[0], paths.total)), bar(p.row[0], most, entryOfSymbol(paths.blocks[p.row[5][0]][0]).hue)), {'aria-current': p === chosen ? 'true' : null}));
    if (!chosen) { root.append(legend(), element('p', 'note', 'No path matches.')); return {searches: true}; }
    const row = chosen.row, drawn = element('div', 'path');
    row[5].forEach((block, i) => {
      if (i) drawn.append(showEdge(row[5][i - 1], block));
      drawn.append(showBlock(block));
    });
    if (!row[4]) drawn.append(element('div', 'edge rare', 'continues; the rest is not known'));
    const bounds = row[1] !== null && row[1] !== row[2] ? ', bounds ' + number(row[1]) + ' to ' + number(row[2]) : '';
    root.append(element('div', 'side', set(element('nav', 'list', element('div', 'title', 'Paths by count'), items), {'aria-label': 'paths'}), element('div', '',
      element('div', 'title-of', element('h2', '', pathName(row)), facts([['Of all paths', share(row[0], paths.total)]])),
      element('p', 'note', (paths.units === 'events' ? 'Taken ' + plural(row[0], 'time') : number(row[0]) + ' ' + paths.units) + bounds + '; branches: ' + (row[3] ? [...row[3]].map(c => c === 'T' ? 'taken' : 'not taken').join(', ') : 'none') + '.'), drawn,
      element('p', 'more', 'Percentages are relative to the hot paths of this page.'), keyRow(['j k', 'next, previous path']))));
    return {
      searches: true,
      key: key => {
        const next = list[list.indexOf(chosen) + ({j: 1, k: -1}[key] || 0)];
        if (key !== 'j' && key !== 'k') return false;
        if (next) go('paths', {i: next.i + 1, q: state.q});
        return true;
      },
    };
  },
});
