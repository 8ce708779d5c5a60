/* SPDX-License-Identifier: MIT */
/* The trees of the flame graph. A node is {name, f (its function), entry (of the legend), cost, self, children, parent, i
 * (index of the frame on the page)}, by one metric. The page has the largest frames only. What was left out is an
 * explicit frame, {rest: true}, so that the cost of a node is the sum of its own cost and of its children's. */

const FOLDED = 0.98; /* minimum part of a frame that its first child has, to be folded */
const flameTrees = new Map();

/* Adds frames for what was left out, and sorts the children by cost. */
function finishTree(root) {
  const stack = [root];
  while (stack.length) {
    const node = stack.pop(), rest = node.cost - node.self - total(node.children.map(c => c.cost));
    node.children.sort((a, b) => b.cost - a.cost);
    stack.push(...node.children);
    if (rest > 0) node.children.push({name: 'rest', rest: true, entry: noEntry, cost: rest, self: rest, children: [], parent: node});
  }
  return root;
}

/* Without a profile of contexts, the graph has modules, their functions, and the lines of these. */
const flameData = data.flame || (functions.length ? {of: 'code', inlined: true, metrics: [{name: data.functions.metric, total: runTotal}], nodes: []} : null);
const flameCalls = Boolean(data.flame);

function codeTree(root) {
  const lines = data.source && data.source.columns[0].name === data.functions.metric;
  for (const f of bySelf) {
    const name = f.module ? f.module[0] : 'unknown';
    let module = root.children.find(c => c.name === name);
    if (!module) root.children.push(module = {name, entry: f.entry, cost: 0, self: 0, children: [], parent: root, i: 1e6 + root.children.length});
    const node = {name: f.name, f, entry: f.entry, cost: f.self, self: 0, children: [], parent: module, i: f.i};
    module.cost += f.self;
    module.children.push(node);
    for (const {part, first, last} of lines ? sourceOf(f) : [])
      for (const line of part.lines.slice(first, last + 1))
        if (part.file && line[2] && line[3] === f.i)
          node.children.push({name: baseName(part.file) + ':' + line[0], entry: f.entry, cost: line[2][0], self: line[2][0], children: [], parent: node, i: 2e6 + 1000 * f.i + node.children.length});
    node.self = f.self - node.children.reduce((sum, c) => sum + c.cost, 0);
    if (node.self < 0) { node.children = []; node.self = f.self; }
  }
}

/* Callers above their callees, by metric m. */
function topDown(m) {
  if (flameTrees.has(m)) return flameTrees.get(m);
  const root = {name: 'all', entry: noEntry, cost: flameData.metrics[m].total, self: 0, children: [], parent: null, i: -1};
  const open = [root];
  if (!flameCalls) codeTree(root);
  flameData.nodes.forEach((row, i) => {
    const parent = open[row[0]], f = functions[row[1]];
    const node = {name: f.name, f, entry: f.entry, cost: row[2 + 2 * m], self: row[3 + 2 * m], children: [], parent, i};
    parent.children.push(node);
    open[row[0] + 1] = node;
  });
  const only = root.children.length === 1 && root.children[0].cost === root.cost ? root.children[0] : root;
  only.parent = null;
  flameTrees.set(m, finishTree(only));
  return only;
}

const height = (node, most) => most ? 1 + Math.max(0, ...node.children.filter(c => !c.rest).map(c => height(c, most - 1))) : 0;

/* The frames that are folded, from the root, and the first frame that is not. */
function startUp(root) {
  const chain = [];
  let top = root;
  while (top.children.length && !top.children[0].rest && top.children[0].cost >= FOLDED * top.cost) {
    chain.push(top);
    top = top.children[0];
  }
  while (chain.length && height(top, 3) < 3) top = chain.pop();
  return {chain: chain.length > 1 ? chain : [], top: chain.length > 1 ? top : root};
}

function childOf(node, like) {
  let child = node.children.find(c => c.f === like.f);
  if (!child) node.children.push(child = {name: like.name, f: like.f, entry: like.entry, cost: 0, self: 0, children: [], parent: node});
  return child;
}

/* The exact costs of a function, over all contexts, by metric m; undefined if they are not known. */
function exactCosts(f, m) {
  const name = flameData.metrics[m].name;
  if (name === data.functions.metric && flameData.inlined) return {self: f.self, cost: f.total};
  return name === 'calls' ? {self: f.calls} : {};
}

/* Functions by self cost, with their callers below them. */
function bottomUp(m) {
  const key = 'up' + m;
  if (flameTrees.has(key)) return flameTrees.get(key);
  const down = topDown(m), folded = new Set(startUp(down).chain);
  const root = {name: 'all', entry: noEntry, cost: down.cost, self: 0, children: [], parent: null};
  const walk = [down];
  while (walk.length) {
    const node = walk.pop();
    walk.push(...node.children.filter(c => !c.rest));
    if (!node.self || !node.f) continue;
    let at = root;
    for (let up = node; up && up.f && (up === node || !folded.has(up)); up = up.parent) {
      at = childOf(at, up);
      at.cost += node.self;
    }
    at.self += node.self; /* nothing calls it */
  }
  for (const child of root.children) child.cost = Math.max(child.cost, exactCosts(child.f, m).self || 0);
  flameTrees.set(key, finishTree(root));
  return root;
}

/* The callers of a function, as a tree of its callers, and what it calls. */
function sandwich(m, f) {
  const make = () => ({name: f.name, f, entry: f.entry, cost: 0, self: 0, children: [], parent: null});
  const up = make(), down = make(), root = topDown(m), folded = new Set(startUp(root).chain);
  const add = (from, to) => {
    for (const child of from.children) {
      if (child.rest) continue;
      const copy = childOf(to, child);
      copy.cost += child.cost;
      copy.self += child.self;
      add(child, copy);
    }
  };
  const walk = [root];
  while (walk.length) {
    const node = walk.pop();
    if (node.f !== f) { walk.push(...node.children.filter(c => !c.rest)); continue; }
    let at = up;
    up.cost += node.cost;
    for (let caller = node.parent; caller && caller.f && !folded.has(caller); caller = caller.parent) {
      at = childOf(at, caller);
      at.cost += node.cost;
    }
    at.self += node.cost;
    down.cost += node.cost;
    down.self += node.self;
    add(node, down);
  }
  up.cost = down.cost = Math.max(up.cost, exactCosts(f, m).cost || 0);
  return {up: finishTree(up), down: finishTree(down)};
}

/* Cost of the frames with a name like this and of all below them; a frame below another one counts once. */
function searchedCost(root, text) {
  const walk = [root];
  let sum = 0, n = 0;
  while (walk.length) {
    const node = walk.pop();
    if (node.rest) continue;
    if (node.name.toLowerCase().includes(text)) { sum += node.cost; n++; } else walk.push(...node.children);
  }
  return {sum, n};
}
