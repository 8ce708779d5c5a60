/* SPDX-License-Identifier: MIT */
/* View `flame`: the flame graph. The width of a frame is its inclusive cost. A click or Enter zooms into a frame,
 * arrows select another frame, Escape zooms out completely. Frames that match the search are highlighted, and their
 * percentage of the total is shown; a frame below another match is not counted again. */

const flame = {metric: 0, zoom: 0, at: 0, searched: ''};

/* nodes[i] = {name, depth, cost[], parent, end}. Node 0 is the root of all frames. */
const flameNodes = (() => {
  if (!data.flame) return [];
  const source = data.flame, root = {name: 'total', depth: -1, cost: source.metrics.map(m => m.total), parent: -1, end: 0};
  const nodes = [root], open = [0];
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

/* Cost and number of the frames that match the search. */
function flameMatches() {
  let sum = 0, n = 0;
  for (let i = 1; i < flameNodes.length;) {
    if (flameNodes[i].name.toLowerCase().includes(flame.searched)) {
      sum += flameNodes[i].cost[flame.metric];
      n++;
      i = flameNodes[i].end;
    } else i++;
  }
  return {sum, n};
}

function frameClass(name) {
  let sum = 0;
  for (let i = 0; i < name.length; i++) sum = (sum * 31 + name.charCodeAt(i)) >>> 0;
  return ['', ' b', ' c'][sum % 3];
}

function describeFrame(info) {
  const node = flameNodes[flame.at], m = data.flame.metrics[flame.metric], cost = node.cost[flame.metric];
  let own = cost;
  for (const c of flameChildren(flame.at)) own -= flameNodes[c].cost[flame.metric];
  info.replaceChildren(element('b', '', node.name), ' ' + number(cost) + ' ' + m.name + ', ' + share(cost, m.total) + ' of the total',
    own !== cost ? '; self ' + number(own) + ' (' + share(own, m.total) + ')' : '');
  if (flame.at && data.flame.of === 'calls') info.append(' ', link('calls', node.name, 'callers and callees'));
  if (flame.searched) {
    const found = flameMatches();
    info.append(element('div', 'hot', plural(found.n, 'frame') + ' with “' + flame.searched + '”: ' + share(found.sum, m.total) + ' of the total'));
  }
}

/* Draws the ancestors of the zoomed frame at full width, then that frame and everything below it. */
function flameDraw(picture, info) {
  const shown = [], m = flame.metric, zoom = flame.zoom;
  const ancestors = [];
  for (let i = flameNodes[zoom].parent; i >= 0; i = flameNodes[i].parent) ancestors.unshift(i);
  ancestors.forEach((i, row) => shown.push({i, row, left: 0, width: 100, below: true}));
  const whole = flameNodes[zoom].cost[m];
  let rows = ancestors.length;
  (function place(i, row, left) {
    const width = ratio(flameNodes[i].cost[m], whole) * 100;
    if (width < 0.06) return;
    rows = Math.max(rows, row + 1);
    shown.push({i, row, left, width});
    for (const c of flameChildren(i)) {
      place(c, row + 1, left);
      left += ratio(flameNodes[c].cost[m], whole) * 100;
    }
  })(zoom, ancestors.length, 0);
  picture.style.height = rows * 20 + 'px';
  picture.replaceChildren(...shown.map(s => {
    const node = flameNodes[s.i], hit = flame.searched && s.i && node.name.toLowerCase().includes(flame.searched);
    const frame = element('div', 'frame' + frameClass(node.name) + (s.below ? ' below' : '') + (hit ? ' match' : '') + (s.i === flame.at ? ' at' : ''), s.width > 1 ? node.name : '');
    frame.style.left = s.left + '%';
    frame.style.width = s.width + '%';
    frame.style.top = s.row * 20 + 'px';
    frame.dataset.node = s.i;
    frame.title = node.name + '\n' + number(node.cost[m]) + ', ' + share(node.cost[m], data.flame.metrics[m].total);
    return frame;
  }));
  describeFrame(info);
}

addView({
  name: 'flame',
  has: () => data.flame && data.flame.nodes.length,
  show(root, argument) {
    const picture = element('div', 'flame'), info = element('div', 'info');
    const choose = element('select');
    choose.setAttribute('aria-label', 'metric');
    data.flame.metrics.forEach((m, i) => { const o = element('option', '', 'by ' + m.name); o.value = i; choose.append(o); });
    const requested = Number(argument);
    flame.zoom = flame.at = Number.isInteger(requested) && requested > 0 && requested < flameNodes.length ? requested : 0;
    choose.value = flame.metric;
    const draw = () => flameDraw(picture, info);
    const zoomTo = i => { flame.zoom = flame.at = i; go('flame', i || ''); };
    choose.addEventListener('change', () => { flame.metric = Number(choose.value); draw(); });
    picture.addEventListener('click', event => { const at = event.target.closest('.frame'); if (at) zoomTo(Number(at.dataset.node)); });
    picture.addEventListener('mouseover', event => {
      const at = event.target.closest('.frame');
      if (at) { flame.at = Number(at.dataset.node); describeFrame(info); }
    });
    root.append(element('div', 'tools', choose, button('reset', () => zoomTo(0)),
      element('span', 'soft', data.flame.of === 'calls' ? 'calls: callers above, callees below' : 'code: file, function, inlined functions, line (for call stacks, add -p context)')), picture, info);
    draw();
    return {
      search: text => { flame.searched = text; draw(); },
      key: key => {
        const siblings = flame.at ? flameChildren(flameNodes[flame.at].parent) : [], index = siblings.indexOf(flame.at);
        const next = {ArrowDown: flameChildren(flame.at)[0], ArrowUp: flameNodes[flame.at].parent, ArrowRight: siblings[index + 1], ArrowLeft: siblings[index - 1]}[key];
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
