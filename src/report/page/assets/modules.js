/* SPDX-License-Identifier: MIT */
/* Modules and functions of the page. A module is the program or one of its libraries; small libraries are one entry
 * of the legend, "other". One colour is one entry in every view: the user's own code is blue (m0), the C library and
 * the loader are grey (m2), other libraries get the other hues by their cost. */

const HUES = ['m1', 'm3', 'm5', 'm6'];
const OWN_HUES = ['m0', 'm7'];
const LEAST_MODULE = 0.005; /* smaller libraries are "other" */
const isPlumbing = name => /^(libc|ld|ld-linux.*|ld-musl.*|libpthread.*|\[?vdso\]?|linux-vdso)$/.test(name);

/* Entries of the legend: {name, self, own, hue, modules: indices}. moduleEntry[i] is the entry of module i. */
const moduleEntries = [];
const moduleEntry = [];
(() => {
  if (!data.functions) return;
  const all = data.functions.modules, whole = data.functions.total;
  const add = (entry, i) => {
    let found = moduleEntries.find(e => e.key === entry.key);
    if (!found) moduleEntries.push(found = {...entry, self: 0, modules: []});
    found.self += all[i][2];
    found.modules.push(i);
    moduleEntry[i] = found;
  };
  let own = 0, hue = 0;
  all.forEach(([name, , , isOwn], i) => { if (isOwn) add({key: 'own' + i, name, own: true, hue: OWN_HUES[Math.min(own++, 1)]}, i); });
  all.forEach(([name, , self, isOwn], i) => {
    if (isOwn) return;
    if (isPlumbing(name)) add({key: 'libc', name: 'libc', hue: 'm2', plumbing: true}, i);
    else if (hue < HUES.length && ratio(self, whole) >= LEAST_MODULE) add({key: 'lib' + i, name, hue: HUES[hue++]}, i);
    else add({key: 'other', name: 'other', hue: 'm4'}, i);
  });
  for (const entry of moduleEntries)
    if (entry.plumbing || entry.key === 'other') {
      entry.title = entry.modules.map(i => all[i][1] || 'no file').join(', ');
      if (entry.modules.length === 1) entry.name = all[entry.modules[0]][0];
      else if (entry.plumbing) entry.name = 'libc, loader';
    } else entry.title = all[entry.modules[0]][1];
})();
const noEntry = {key: 'none', name: 'unknown', hue: 'm4', self: 0, modules: []};

/* Functions: {name, entry, line, self, total, shared, calls, i}; callers and callees are arcs. */
const functions = (data.functions ? data.functions.rows : []).map(([name, module, line, self, whole, shared, calls], i) =>
  ({i, name, entry: moduleEntry[module] || noEntry, module: data.functions.modules[module], line, self, total: whole, shared, calls, callers: [], callees: []}));
for (const [caller, callee, cost, calls, inlined] of data.functions ? data.functions.arcs : []) {
  const arc = {caller: functions[caller], callee: functions[callee], cost, calls, inlined};
  arc.callee.callers.push(arc);
  arc.caller.callees.push(arc);
}
for (const f of functions) {
  f.callees.sort((a, b) => b.cost - a.cost);
  f.unnamed = /\+0x[0-9a-f]+$|^0x|^\(code/.test(f.name);
  f.inlined = f.callers.length > 0 && f.callers.every(arc => arc.inlined);
}
const runTotal = data.functions ? data.functions.total : data.instructions;
const functionsByName = new Map();
for (const f of functions) functionsByName.set(f.name, [...(functionsByName.get(f.name) || []), f]);

/* The costliest function with this name, or the one of the user's own code. */
function functionNamed(name) {
  const found = functionsByName.get(name) || [];
  return found.find(f => f.entry.own) || found[0];
}

/* The name of a function in an address, which is unique, and the function of such a name. */
const functionKey = f => functionsByName.get(f.name).length === 1 ? f.name : f.name + '~' + f.i;
function functionOfKey(key) {
  const at = /^(.*)~(\d+)$/.exec(key || '');
  return at && functions[at[2]] && functions[at[2]].name === at[1] ? functions[at[2]] : functionNamed(key);
}

/* A link to a function: to its source if the page has it, otherwise to its callers and callees. */
function functionLink(f, text) {
  const node = link(sourceOf(f).length ? 'source' : 'functions', {f: functionKey(f)}, text || f.name);
  node.classList.toggle('unnamed', f.unnamed);
  return node;
}

const swatch = entry => set(element('span', 'swatch ' + entry.hue), {'aria-hidden': 'true'});
const chip = (entry, name) => element('span', 'chip', swatch(entry), name || entry.name);
const yours = () => element('span', 'yours', 'your code');

/* The entry that is shown alone; null: all. */
const filtered = () => state.m === undefined ? null : moduleEntries.find(e => e.name === state.m) || null;
const toggleModule = entry => change({m: filtered() === entry ? undefined : entry.name});
const inFilter = entry => !filtered() || filtered() === entry;

/* The entry of a symbol such as "main+0x1c", or "libz.so.1+0x8905" without a name. */
function entryOfSymbol(symbol) {
  const name = functionOf(symbol), f = functionNamed(name);
  if (f) return f.entry;
  const module = data.functions ? data.functions.modules.findIndex(x => x[1] === name.replace(/\+0x[0-9a-f]+.*$/, '')) : -1;
  return moduleEntry[module] || noEntry;
}
const symbolInFilter = symbol => inFilter(entryOfSymbol(symbol));

function legend() {
  const buttons = moduleEntries.map(entry => set(button('', '', () => toggleModule(entry)), {'aria-pressed': String(filtered() === entry), title: entry.title}));
  moduleEntries.forEach((entry, i) => buttons[i].append(swatch(entry), entry.name, element('span', 'num', share(entry.self, runTotal, 1)), ...(entry.own ? [yours()] : [])));
  return set(element('div', 'legend', buttons), {role: 'group', 'aria-label': 'modules: choose one to see it alone'});
}

/* All entries side by side, the costliest first. */
function moduleBar() {
  const order = moduleEntries.slice().sort((a, b) => (a.key === 'other') - (b.key === 'other') || b.self - a.self);
  const width = Math.min(window.innerWidth - 40, 1310);
  return element('div', 'modules', order.filter(e => e.self).map(entry => {
    const part = ratio(entry.self, runTotal), fits = part * width > entry.name.length * 7.6 + 24;
    const node = button(entry.hue + (inFilter(entry) ? '' : ' faded'), '', () => toggleModule(entry));
    node.style.flex = 100 * part + ' 0 0';
    if (!fits) node.style.padding = 0;
    if (fits) node.append(element('b', '', entry.name));
    if (part * width > entry.name.length * 7.6 + 90) node.append(element('span', 'mono', share(entry.self, runTotal, 1)));
    return set(node, {title: entry.name + ' ' + share(entry.self, runTotal, 1), 'aria-label': entry.name + ' ' + share(entry.self, runTotal, 1)});
  }));
}
