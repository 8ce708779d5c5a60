/* SPDX-License-Identifier: MIT */
'use strict';
/* Functions that all views use: the page's data, HTML elements, formatted numbers. Text is inserted only as text
 * nodes (`element`), never as markup, because names of functions and files may contain anything. */

const data = Object.assign({warnings: [], left_out: [], tables: []}, JSON.parse(document.getElementById('data').textContent));
if (data.difference) data.warnings = data.difference.warnings;

/* Makes an element, for example element('td', 'n', child...). A string becomes a text node; null is skipped. */
function element(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const child of children)
    if (child !== null && child !== undefined)
      node.append(typeof child === 'object' ? child : document.createTextNode(String(child)));
  return node;
}

function drawing(tag, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  if (text !== undefined) node.textContent = text;
  return node;
}

/* Makes a link to a view of this page. */
function link(view, argument, ...children) {
  const node = element('a', '', ...children);
  node.href = address(view, argument);
  return node;
}

function button(text, press) {
  const node = element('button', '', text);
  node.type = 'button';
  node.addEventListener('click', press);
  return node;
}

function bar(part, whole) {
  const node = element('i');
  node.style.width = (whole > 0 ? Math.min(100, 100 * part / whole) : 0) + '%';
  return element('td', 'bar', node);
}

const number = n => n === null || n === undefined ? '' : Math.round(n).toLocaleString('en');
const ratio = (part, whole) => whole > 0 ? part / whole : 0;

/* Formats 0.9303 as "93.03%", as the text report does. */
function percent(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return '-';
  const p = Math.abs(100 * x);
  if (p > 0 && p < 0.005) return '<0.01%';
  return (100 * x).toFixed(2) + '%';
}
const share = (part, whole) => percent(ratio(part, whole));

/* The function of a symbol: "main" of "main+0x1c". */
const functionOf = symbol => (symbol || '').replace(/\+0x[0-9a-f]+$/, '').replace(/\.\.$/, '');

const plural = (n, one, many) => number(n) + ' ' + (n === 1 ? one : many || one + 's');

/* True if one of the texts contains the search text. */
function matches(texts, searched) {
  return !searched || texts.some(t => t && t.toLowerCase().includes(searched));
}
