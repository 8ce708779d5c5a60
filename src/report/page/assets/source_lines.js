/* SPDX-License-Identifier: MIT */
/* The lines of each function, colours of source text, and remarks on instructions. */

/* Code ranges by function: function -> [{part, first, last}], indices of the part's lines. lineIndex: "primes.c:22" ->
 * {f, line}. */
const sourceRanges = new Map();
const lineIndex = new Map();
for (const part of data.source ? data.source.parts : []) {
  const ranges = new Map();
  part.lines.forEach((line, i) => {
    if (!line[2] || !functions[line[3]]) return;
    const range = ranges.get(line[3]);
    if (range) range.last = i;
    else ranges.set(line[3], {part, first: i, last: i});
    if (part.file) lineIndex.set(baseName(part.file) + ':' + line[0], {f: functions[line[3]], line: line[0]});
  });
  for (const [i, range] of ranges) sourceRanges.set(functions[i], [...(sourceRanges.get(functions[i]) || []), range]);
}
const sourceOf = f => sourceRanges.get(f) || [];
const sourceLine = text => lineIndex.get(text);

/* Inlined calls by the line of the call: "/src/primes.c:30" -> [{f, cost}]. */
const inlinedAt = new Map();
for (const [file, line, i, cost] of data.source ? data.source.inlined : [])
  if (functions[i]) inlinedAt.set(file + ':' + line, [...(inlinedAt.get(file + ':' + line) || []), {f: functions[i], cost}]);

const valuesAreExact = data.tables.some(t => /^value\b/.test(t.spec) && t.exact) && !(data.program && data.program.load_sampling);

const TOKENS = /(\/\*.*?(?:\*\/|$)|\/\/.*$|^\s*\*(?:\s.*|\/)$)|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\b(if|else|for|while|return|static|const|bool|char|unsigned|signed|int|long|short|struct|void|break|continue|switch|case|default|sizeof|true|false|NULL|nullptr|inline|do|double|float|extern|goto|enum|union|typedef|auto|class|template|typename|public|private|new|delete|this|using|namespace|def|import|from|let|fn|mut|pub|impl|size_t|u?int(?:8|16|32|64)_t)\b|\b(0x[0-9a-fA-F]+|\d+(?:\.\d+)?)\b/g;

/* A line of source as nodes, with classes for comments, strings, keywords and numbers. */
function highlight(text) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(TOKENS)) {
    if (found.index > at) nodes.push(text.slice(at, found.index));
    nodes.push(element('span', found[1] !== undefined ? 'comment' : found[2] !== undefined ? 'string' : found[3] ? 'keyword' : 'literal', found[0]));
    at = found.index + found[0].length;
  }
  return [...nodes, text.slice(at)];
}

/* The callee that an instruction "-> memcpy@plt" of a function calls. */
const calledName = remark => { const found = /^-> ([^ ]+)/.exec(remark || ''); return found ? found[1] : null; };
function calledFunction(f, called) {
  const name = called.replace(/@plt$/, '').replace(/\+0x[0-9a-f]+$/, '');
  const callees = f.callees.filter(arc => !arc.inlined);
  return callees.find(arc => arc.callee.name === name) || (called.endsWith('@plt') ? callees.find(arc => arc.callee.name.includes(name)) : undefined);
}

function valueText(text) {
  return text.split(', ').map(value => {
    const [n, part] = value.split(' '), small = Number.parseInt(n, 16);
    const shown = /^0x/.test(n) && small < 1e6 ? String(small) + (small > 32 && small < 127 ? ' ‘' + String.fromCharCode(small) + '’' : '') : n;
    return shown + (part ? ' ' + (valuesAreExact ? '' : '≈\u00a0') + part.replace('%', '\u00a0%') : '');
  }).join(', ');
}

/* A remark of annotation.h as nodes: "taken 4.6%", "-> add", "reads 0x7 100%", "waits for data 62,607". */
function remarkNodes(f, remark) {
  if (!remark) return null;
  const [first, ...more] = remark.split('; '), taken = /^(not taken|taken) ([\d.]+)%$/.exec(first), nodes = [];
  if (taken) {
    const part = taken[1] === 'taken' ? Number(taken[2]) : 100 - Number(taken[2]);
    nodes.push(set(element('span', 'taken'), {'--w': part + '%'}), element('span', '', element('b', 'mono', part.toFixed(1) + '\u00a0%'), ' taken'));
  } else if (first.startsWith('-> ')) {
    const called = calledName(first), arc = f && calledFunction(f, called);
    nodes.push(element('span', '', 'calls ', arc ? functionLink(arc.callee) : element('span', 'mono', first.slice(3)), arc && called.endsWith('@plt') ? element('span', 'dim', ' via PLT') : null));
  } else if (first.startsWith('reads ')) nodes.push(element('span', '', 'reads ', element('b', 'mono', valueText(first.slice(6)))));
  else nodes.push(element('span', '', first));
  if (more.length) nodes.push(element('span', '', more.join('; ')));
  return nodes;
}
