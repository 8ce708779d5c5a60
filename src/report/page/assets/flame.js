/* SPDX-License-Identifier: MIT */
/* The flame graph: as wide as a frame costs with all below it. A click, or Enter, zooms into a frame;
 * arrows go from frame to frame, Escape back to the whole. What is searched for is marked, and how much of
 * the whole it is, each frame once, is said. */

const flame = {metric: 0, zoom: 0, at: 0, wanted: ''};

/* nodes[i] = {name, depth, cost[], parent, end}; 0 is the root that holds all. */
const flameNodes = (() => {
  if (!data.flame) return [];
  const source = data.flame, all = {name: 'all', depth: -1, cost: source.metrics.map(m => m.total), parent: -1, end: 0};
  const nodes = [all], open = [0];
  for (const row of source.nodes) {
    while (open.length > row[0] + 1) nodes[open.pop()].end = nodes.length;
    nodes.push({name: source.names[row[1]], depth: row[0], cost: row.slice(2), parent: open[open.length - 1], end: 0});
    open.push(nodes.length - 1);
  }
  while (open.length) nodes[open.pop()].end = nodes.length;
  return nodes;
})();

function flameChildren(i) {
  const found = [];
  for (let c = i + 1; c < flameNodes[i].end; c = flameNodes[c].end) found.push(c);
  return found.sort((a, b) => flameNodes[b].cost[flame.metric] - flameNodes[a].cost[flame.metric]);
}

/* What is in frames that match, each once. */
function flameFound() {
  let sum = 0, n = 0;
  for (let i = 1; i < flameNodes.length;) {
    if (flameNodes[i].name.toLowerCase().includes(flame.wanted)) {
      sum += flameNodes[i].cost[flame.metric];
      n++;
      i = flameNodes[i].end;
    } else i++;
  }
  return {sum, n};
}

function flameWord(name) {
  let sum = 0;
  for (let i = 0; i < name.length; i++) sum = (sum * 31 + name.charCodeAt(i)) >>> 0;
  return ['', ' b', ' c'][sum % 3];
}

function flameSay(said) {
  const node = flameNodes[flame.at], m = data.flame.metrics[flame.metric], cost = node.cost[flame.metric];
  let own = cost;
  for (const c of flameChildren(flame.at)) own -= flameNodes[c].cost[flame.metric];
  said.replaceChildren(element('b', '', node.name), ' ' + number(cost) + ' ' + m.name + ', ' + share(cost, m.total) + ' of all',
    own !== cost ? '; ' + number(own) + ' (' + share(own, m.total) + ') of them its own' : '');
  if (flame.at && data.flame.of === 'calls') said.append(' ', link('calls', node.name, 'callers and callees'));
  if (flame.wanted) {
    const found = flameFound();
    said.append(element('div', 'hot', plural(found.n, 'frame') + ' with “' + flame.wanted + '”: ' + share(found.sum, m.total) + ' of all'));
  }
}

/* Frames from the root to the one that is zoomed into, as wide as the picture; then what is below that. */
function flameDraw(picture, said) {
  const shown = [], m = flame.metric, zoom = flame.zoom;
  const way = [];
  for (let i = flameNodes[zoom].parent; i >= 0; i = flameNodes[i].parent) way.unshift(i);
  way.forEach((i, row) => shown.push({i, row, left: 0, width: 100, below: true}));
  const whole = flameNodes[zoom].cost[m];
  let rows = way.length;
  (function place(i, row, left) {
    const width = ratio(flameNodes[i].cost[m], whole) * 100;
    if (width < 0.06) return;
    rows = Math.max(rows, row + 1);
    shown.push({i, row, left, width});
    for (const c of flameChildren(i)) {
      place(c, row + 1, left);
      left += ratio(flameNodes[c].cost[m], whole) * 100;
    }
  })(zoom, way.length, 0);
  picture.style.height = rows * 20 + 'px';
  picture.replaceChildren(...shown.map(s => {
    const node = flameNodes[s.i], hit = flame.wanted && s.i && node.name.toLowerCase().includes(flame.wanted);
    const made = element('div', 'frame' + flameWord(node.name) + (s.below ? ' below' : '') + (hit ? ' match' : '') + (s.i === flame.at ? ' at' : ''), s.width > 1 ? node.name : '');
    made.style.left = s.left + '%';
    made.style.width = s.width + '%';
    made.style.top = s.row * 20 + 'px';
    made.dataset.node = s.i;
    made.title = node.name + '\n' + number(node.cost[m]) + ', ' + share(node.cost[m], data.flame.metrics[m].total);
    return made;
  }));
  flameSay(said);
}

addView({
  name: 'flame',
  has: () => data.flame && data.flame.nodes.length,
  show(root, argument) {
    const picture = element('div', 'flame'), said = element('div', 'said');
    const choose = element('select');
    choose.setAttribute('aria-label', 'metric');
    data.flame.metrics.forEach((m, i) => { const o = element('option', '', 'by ' + m.name); o.value = i; choose.append(o); });
    const known = Number(argument);
    flame.zoom = flame.at = Number.isInteger(known) && known > 0 && known < flameNodes.length ? known : 0;
    choose.value = flame.metric;
    const draw = () => flameDraw(picture, said);
    const zoomTo = i => { flame.zoom = flame.at = i; go('flame', i || ''); };
    choose.addEventListener('change', () => { flame.metric = Number(choose.value); draw(); });
    picture.addEventListener('click', event => { const at = event.target.closest('.frame'); if (at) zoomTo(Number(at.dataset.node)); });
    picture.addEventListener('mouseover', event => {
      const at = event.target.closest('.frame');
      if (at) { flame.at = Number(at.dataset.node); flameSay(said); }
    });
    root.append(element('div', 'tools', choose, button('reset', () => zoomTo(0)),
      element('span', 'soft', data.flame.of === 'calls' ? 'calls: callers above, what they call below' : 'code: file, function, inlined functions, line; profile contexts for stacks of calls')), picture, said);
    draw();
    return {
      search: text => { flame.wanted = text; draw(); },
      key: key => {
        const siblings = flame.at ? flameChildren(flameNodes[flame.at].parent) : [], here = siblings.indexOf(flame.at);
        const next = {ArrowDown: flameChildren(flame.at)[0], ArrowUp: flameNodes[flame.at].parent, ArrowRight: siblings[here + 1], ArrowLeft: siblings[here - 1]}[key];
        if (key === 'Enter') zoomTo(flame.at);
        else if (key === 'Backspace') zoomTo(Math.max(0, flameNodes[flame.zoom].parent));
        else if (key === 'Escape') zoomTo(0);
        else if (key.startsWith('Arrow')) { if (next !== undefined && next >= 0) { flame.at = next; draw(); } }
        else return false;
        return true;
      },
    };
  },
});
