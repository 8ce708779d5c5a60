/* SPDX-License-Identifier: MIT */
/* View `flame`: the flame graph, from above (mode down), by self cost with the callers below (up), and of one function
 * (sandwich, parameter f). A click or Enter zooms into a frame, arrows select another one. Frames that match the search
 * are inverse, and their part of the total is shown. */

const ROW = 20;
let flameAt = null; /* the frame that the bar of information describes */

const flameHits = new Map();
function hasHit(node, text) {
  if (!flameHits.has(node)) flameHits.set(node, !node.rest && (node.name.toLowerCase().includes(text) || node.children.some(c => hasHit(c, text))));
  return flameHits.get(node);
}

const frameName = node => node.f && node.f.unnamed ? node.name.replace(/^[^+]*/, '') || node.name : node.name;

/* Draws a tree into `box`, from row `first`; `up`: callers grow upwards. Returns the number of rows. */
function drawTree(box, root, options) {
  const {row = ROW, first = 0, rows = 400, up = false, least = 1} = options;
  const width = box.clientWidth || 1200, text = (state.q || '').trim().toLowerCase(), drawn = [];
  flameHits.clear();
  (function place(node, left, part, depth) {
    if (part * width < least || depth >= rows) return;
    drawn.push({node, left, part, depth});
    let at = left;
    for (const child of node.children) {
      const of = part * ratio(child.cost, node.cost);
      place(child, at, of, depth + 1);
      at += of;
    }
  })(root, 0, 1, 0);
  const last = Math.max(0, ...drawn.map(d => d.depth));
  for (const {node, left, part, depth} of drawn) {
    const thin = part * width < 42, hit = text && !node.rest && node.name.toLowerCase().includes(text);
    const classes = ['frame', node.rest ? 'rest' : node.f || node.parent ? node.entry.hue : 'fold', thin && 'thin', hit && 'match', node === flameAt && 'at',
      text ? !hasHit(node, text) && 'other' : !node.rest && node.parent && !inFilter(node.entry) && 'other'];
    const frame = element('button', classes.filter(x => x).join(' '), thin ? '' : frameName(node));
    frame.type = 'button';
    frame.tabIndex = part * width > 60 ? 0 : -1;
    frame.style.top = (first + (up ? last - depth : depth)) * row + 'px';
    frame.node = node;
    set(frame, {'--l': (100 * left).toFixed(3) + '%', '--w': (100 * part).toFixed(3) + '%', 'aria-label': node.name + ' ' + share(node.cost, options.total)});
    box.append(frame);
  }
  box.style.height = (first + last + 1) * row + 'px';
  return last + 1;
}

/* ---- the small one of the summary ---- */

function flameMini() {
  if (!flameData) return null;
  const {chain} = startUp(topDown(0));
  return element('section', '', element('div', 'head', element('h2', '', 'Where it goes'),
    element('span', 'sub phone-hidden', flameCalls ? 'callers above what they call' + (chain.length ? '; ' + chain.length + ' start-up frames folded' : '') : 'module, function, line'),
    element('div', 'aside', element('span', 'mono mini-info'), link('flame', {}, 'Flame graph'), element('kbd', '', DIGITS[keyed.findIndex(v => v.name === 'flame')]))), element('div', 'flame mini'));
}

function flameMiniDraw(box) {
  const {top} = startUp(topDown(0)), whole = flameData.metrics[0].total;
  drawTree(box, top, {row: 17, rows: 11, least: 2, total: whole});
  box.addEventListener('mouseover', event => {
    const frame = event.target.closest('.frame');
    if (frame) document.querySelector('.mini-info').textContent = frame.node.name + '  ' + share(frame.node.cost, whole);
  });
  box.addEventListener('click', event => {
    const frame = event.target.closest('.frame');
    if (frame && !frame.node.rest) go('flame', {zoom: frame.node === top ? undefined : frame.node.i});
  });
}

/* ---- the view ---- */

function describeFrame(info, node, mode, metric) {
  const f = node.f, whole = metric.total, way = [];
  for (let up = node.parent; up && up.f; up = up.parent) way.unshift(up.name);
  flameAt = node;
  info.replaceChildren(
    element('div', 'what', element('b', '', node.rest ? 'rest of ' + node.parent.name : node.name === 'all' && !node.f ? 'the whole run' : node.name), f ? chip(f.entry, f.module && f.module[0]) : node.rest || !node.parent ? null : chip(node.entry),
      f && f.inlined ? element('span', 'badge', 'inlined') : null, f && f.line ? element('span', 'mono dim phone-hidden', functionLink(f, f.line)) : null,
      f && mode === 'down' ? element('span', 'phone-hidden', link('flame', {mode: 'sandwich', f: functionKey(f)}, 'sandwich')) : null),
    element('div', 'way mono', node.rest ? 'frames that are too small for this page' : mode === 'up' ? (way.length ? [way[0], ...way.slice(1), node.name].join(' ‹ ') : 'by self cost; callers are below') :
      mode === 'sandwich' ? 'callers above, callees below' : way.length ? (way.length > 7 ? '… › ' : '') + way.slice(-7).join(' › ') + ' › ' + node.name : 'start of the program'),
    facts([['Total', share(node.cost, whole)], !node.rest && mode !== 'up' && ['Self', share(node.self, whole)], node.parent && ['Of ' + (mode === 'up' ? 'callee' : 'caller'), share(node.cost, node.parent.cost, 1), 'phone-hidden'],
      [metric.name[0].toUpperCase() + metric.name.slice(1), short(node.cost)],
      f && f.total !== null && metric.name === data.functions.metric && ['Function', estimate(f) + share(f.total, runTotal), 'phone-hidden'], f && f.calls && ['Calls', number(f.calls), 'phone-hidden']]));
}

/* Draws the frames above the zoomed one, and then that one. Returns the node that is described first. */
function drawDown(box, m, metric) {
  const root = topDown(m), {chain, top} = startUp(root), unfolded = state.unfold === '1' || !chain.length;
  const find = i => { const walk = [root]; while (walk.length) { const node = walk.pop(); if (node.i === i) return node; walk.push(...node.children); } return null; };
  const zoomed = state.zoom !== undefined ? find(Number(state.zoom)) : null;
  const above = [];
  for (let up = zoomed && zoomed.parent; up && (unfolded || !chain.includes(up)); up = up.parent) above.unshift(up);
  let first = 0;
  if (!unfolded) {
    const names = [chain[0], ...chain.slice(1).slice(-6)].map(node => node.name).join(' › ');
    const fold = button('frame fold', '▸ ' + chain.length + ' frames folded: ', () => change({unfold: '1', zoom: undefined}));
    fold.append(element('span', 'mono', names));
    box.append(set(fold, {'--l': '0%', '--w': '100%'}));
    fold.style.top = 0;
    first = 1;
  }
  for (const node of above) {
    const frame = set(element('button', 'frame above ' + node.entry.hue, frameName(node)), {'--l': '0%', '--w': '100%'});
    frame.style.top = first++ * ROW + 'px';
    frame.node = node;
    box.append(frame);
  }
  const start = zoomed || (unfolded ? root : top);
  if (!flameAt || zoomed) flameAt = start;
  drawTree(box, start, {first, total: metric.total});
  return start;
}

function drawSandwich(box, m, metric) {
  const f = functionOfKey(state.f) || bySelf.find(x => x.entry.own) || bySelf[0], {up, down} = sandwich(m, f);
  const above = element('div', 'flame callers'), below = element('div', 'flame callees');
  box.append(element('p', 'sub', 'Callers of ', element('b', 'mono', f.name), ', the closest below'), above, below, element('p', 'sub', 'What it calls'));
  flameAt = down;
  const rows = drawTree(above, up, {up: true, total: metric.total});
  for (const frame of [...above.children]) if (frame.node === up) frame.remove();
  above.style.height = (rows - 1) * ROW + 'px';
  drawTree(below, down, {total: metric.total});
  box.style.height = 'auto';
  return down;
}

function drawUp(box, m, metric) {
  const root = bottomUp(m);
  let zoomed = root;
  for (const i of (state.zoom || '').split('.').filter(x => x)) zoomed = zoomed && zoomed.children.find(c => c.f && c.f.i === Number(i));
  const start = zoomed || root;
  flameAt = start === root ? root.children[0] : start;
  drawTree(box, start, {total: metric.total});
  return flameAt;
}

const zoomOf = (node, mode) => {
  if (mode !== 'up') return node.parent ? node.i : undefined;
  const way = [];
  for (let up = node; up && up.f; up = up.parent) way.unshift(up.f.i);
  return way.join('.') || undefined;
};

/* The frame next to another one: arrows. */
function neighbour(node, key, mode) {
  const siblings = node.parent ? node.parent.children : [node], index = siblings.indexOf(node);
  return {ArrowDown: node.children[0], ArrowUp: node.parent, ArrowRight: siblings[index + 1], ArrowLeft: siblings[index - 1]}[key];
}

addView({
  name: 'flame',
  title: 'Flame graph',
  has: () => flameData,
  show(root) {
    const calls = flameCalls, mode = calls && ['up', 'sandwich'].includes(state.mode) ? state.mode : 'down';
    const m = Math.max(0, flameData.metrics.findIndex(x => x.name === state.metric)), metric = flameData.metrics[m], text = (state.q || '').trim().toLowerCase();
    const box = element('div', 'flame'), info = set(element('div', 'info'), {'aria-live': 'polite'});
    const found = text ? searchedCost(topDown(m), text) : null;
    root.append(element('div', 'tools',
      calls ? choice([['down', 'Top-down'], ['up', 'Bottom-up'], ['sandwich', 'Sandwich']], mode, value => change({mode: value === 'down' ? undefined : value, zoom: undefined}), 'direction') : null,
      flameData.metrics.length > 1 ? choice(flameData.metrics.map(x => [x.name, x.name[0].toUpperCase() + x.name.slice(1)]), metric.name, value => change({metric: value === flameData.metrics[0].name ? undefined : value, zoom: mode === 'up' ? undefined : state.zoom}), 'metric') : null,
      legend(), found ? element('span', 'sub found', element('b', 'mono', share(found.sum, metric.total)), ' of the ' + metric.name + ' are in or below ' + plural(found.n, 'frame') + ' with “' + state.q + '”') : null,
      state.zoom !== undefined ? button('button', 'Reset zoom', () => change({zoom: undefined})) : state.unfold ? button('button', 'Fold start-up', () => change({unfold: undefined})) : null), info, box);
    flameAt = null;
    const start = mode === 'sandwich' ? drawSandwich(box, m, metric) : mode === 'up' ? drawUp(box, m, metric) : drawDown(box, m, metric);
    const select = node => {
      describeFrame(info, node, mode, metric);
      for (const frame of box.querySelectorAll('.frame')) frame.classList.toggle('at', frame.node === node);
    };
    const open = node => {
      if (node.rest) return;
      if (mode === 'sandwich') { if (node.f) change({f: functionKey(node.f)}); return; }
      const first = mode === 'up' ? null : startUp(topDown(m)).top;
      change({zoom: node === first && state.unfold !== '1' ? undefined : zoomOf(node, mode)});
    };
    box.addEventListener('click', event => { const frame = event.target.closest('.frame'); if (frame && frame.node) open(frame.node); });
    box.addEventListener('mouseover', event => { const frame = event.target.closest('.frame'); if (frame && frame.node) select(frame.node); });
    box.addEventListener('focusin', event => { const frame = event.target.closest('.frame'); if (frame && frame.node) select(frame.node); });
    select(start);
    root.append(element('p', 'more', !flameCalls ? 'Module, function, line. For call stacks, add -p context.' : flameData.inlined ? '' : 'Inlined code is part of the frame that contains it; the table of functions has it with the function that it was written in.'),
      keyRow(['click', 'zoom in'], ['Esc', 'zoom out'], ['← → ↑ ↓', 'move'], ['Enter', 'zoom'], ['o', 'open source'], ['d u s', 'top-down, bottom-up, sandwich'], ['m', 'next module']));
    return {
      key: key => {
        const next = key.startsWith('Arrow') ? neighbour(flameAt, key, mode) : null;
        if (key === 'Enter') open(flameAt);
        else if (key === 'o' && flameAt.f) go(sourceOf(flameAt.f).length ? 'source' : 'functions', {f: functionKey(flameAt.f)});
        else if (key === 'Backspace' && state.zoom !== undefined) change({zoom: undefined});
        else if (calls && 'dus'.includes(key)) change({mode: {d: undefined, u: 'up', s: 'sandwich'}[key], zoom: undefined, f: key === 's' && flameAt.f ? functionKey(flameAt.f) : state.f});
        else if (key.startsWith('Arrow')) { if (next) select(next); }
        else return false;
        return true;
      },
    };
  },
});
