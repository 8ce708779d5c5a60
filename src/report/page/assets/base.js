/* SPDX-License-Identifier: MIT */
'use strict';
/* Functions that all views use: the page's data, HTML elements, formatted numbers. Text is inserted only as text
 * nodes (`element`), never as markup, because names of functions and files may contain anything. */

const data = Object.assign({warnings: [], left_out: [], tables: []}, JSON.parse(document.getElementById('data').textContent));
if (data.difference) data.warnings = data.difference.warnings;

/* Makes an element, for example element('td', 'num', child...). A string becomes a text node; null is skipped, and
 * elements of lists are children. */
function element(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const child of children.flat(9))
    if (child !== null && child !== undefined && child !== false)
      node.append(typeof child === 'object' ? child : document.createTextNode(String(child)));
  return node;
}

/* Sets properties of the style (--w) and attributes of an element, and returns it. */
function set(node, attributes) {
  for (const name in attributes)
    if (name.startsWith('--')) node.style.setProperty(name, attributes[name]);
    else if (attributes[name] !== null && attributes[name] !== undefined) node.setAttribute(name, attributes[name]);
  return node;
}

function drawing(tag, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  if (text !== undefined) node.textContent = text;
  return node;
}

/* Makes a link to a view of this page: link('source', {f: 3}, 'main'). */
function link(view, parameters, ...children) {
  const node = element('a', '', ...children);
  node.href = address(view, parameters);
  return node;
}

function button(className, text, press) {
  const node = element('button', className, text);
  node.type = 'button';
  node.addEventListener('click', press);
  return node;
}

/* Buttons of which one is pressed: choice([['all', 'all functions'], ...], 'all', press). */
function choice(options, chosen, press, label) {
  const buttons = options.map(([value, text]) => set(button('', text, () => press(value)), {'aria-pressed': String(value === chosen)}));
  return set(element('div', 'seg small', buttons), {role: 'group', 'aria-label': label});
}

/* A line of keys and what they do, for example keyRow(['j k', 'next, previous function']). */
const keyRow = (...rows) => element('div', 'keys', rows.map(([keys, text]) => element('span', '', keys.split(' ').map(k => element('kbd', '', k)), text)));

/* A bar of `part` in `whole`. */
function bar(part, whole, className) {
  return element('span', 'both ' + (className || 'plain'), set(element('i', 'self'), {'--w': (whole > 0 ? Math.min(100, 100 * part / whole) : 0) + '%'}));
}

/* A bar of `self` inside of `total`, both relative to `whole`. */
function bothBar(self, total, whole, className) {
  const node = bar(self, whole, className);
  node.prepend(set(element('i'), {'--w': 100 * Math.min(1, ratio(total, whole)) + '%'}));
  return node;
}

/* Names and values, for example facts([['Self', '1.69 %']]). */
const facts = rows => element('dl', 'facts', rows.filter(row => row).map(([name, value, className]) => element('div', className || '', element('dt', '', name), element('dd', '', value))));

const number = n => n === null || n === undefined ? '' : Math.round(n).toLocaleString('en');
const ratio = (part, whole) => whole > 0 ? part / whole : 0;

/* Formats 591712345 as "591.7 M". */
function short(n) {
  for (const [unit, size] of [['T', 1e12], ['G', 1e9], ['M', 1e6], ['k', 1e3]])
    if (n >= size && n >= 1e4) return (n / size).toFixed(1) + '\u00a0' + unit;
  return number(n);
}

/* Formats 0.9303 as "93.0", with `digits` after the point. */
function hundredths(x, digits = 1) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  const least = 0.5 * 10 ** -digits, p = 100 * x;
  return Math.abs(p) > 0 && Math.abs(p) < least ? '<' + (2 * least).toFixed(digits) : p.toFixed(digits);
}
const percent = (x, digits = 2) => hundredths(x, digits) + '\u00a0%';
const share = (part, whole, digits = 2) => percent(ratio(part, whole), digits);

/* The function of a symbol: "main" of "main+0x1c". */
const functionOf = symbol => (symbol || '').replace(/ \([^()]*\)$/, '').replace(/\.\..*$/, '').replace(/\+0x[0-9a-f]+$/, '');

const plural = (n, one, many) => number(n) + ' ' + (n === 1 ? one : many || one + 's');
const baseName = path => (path || '').replace(/.*\//, '');
const total = list => list.reduce((a, b) => a + b, 0);

/* True if one of the texts contains the search text. */
function matches(texts, searched) {
  return !searched || texts.some(t => t && t.toLowerCase().includes(searched));
}

/* Copies a text, and says so on the button. */
function copy(text, from) {
  const before = from.textContent, done = () => { from.textContent = 'Copied'; setTimeout(() => { from.textContent = before; }, 1500); };
  const old = () => {
    const box = element('textarea');
    box.value = text;
    document.body.append(box);
    box.select();
    document.execCommand('copy');
    box.remove();
    done();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, old);
  else old();
}

function command(text) {
  const node = element('div', 'command', element('code', '', text));
  node.append(button('', 'Copy', event => copy(text, event.target)));
  return node;
}
