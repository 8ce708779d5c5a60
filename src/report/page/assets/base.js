/* SPDX-License-Identifier: MIT */
'use strict';
/* What all views use: the data, elements, figures. Text gets into the page by textContent alone, through
 * `element`: names of functions and files can hold anything. */

const data = Object.assign({notes: [], left_out: [], tables: []}, JSON.parse(document.getElementById('data').textContent));
if (data.difference) data.notes = data.difference.notes;

/* element('td', 'n', child...): a string is text, null nothing. */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const child of children)
    if (child !== null && child !== undefined)
      made.append(typeof child === 'object' ? child : document.createTextNode(String(child)));
  return made;
}

function drawing(tag, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  if (text !== undefined) made.textContent = text;
  return made;
}

/* A link into the page. */
function link(view, argument, ...children) {
  const made = element('a', '', ...children);
  made.href = address(view, argument);
  return made;
}

function button(text, press) {
  const made = element('button', '', text);
  made.type = 'button';
  made.addEventListener('click', press);
  return made;
}

function bar(part, whole) {
  const made = element('i');
  made.style.width = (whole > 0 ? Math.min(100, 100 * part / whole) : 0) + '%';
  return element('td', 'bar', made);
}

const number = n => n === null || n === undefined ? '' : Math.round(n).toLocaleString('en');
const ratio = (part, whole) => whole > 0 ? part / whole : 0;

/* 0.9303 as "93.03%", as the other reports have it. */
function percent(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return '-';
  const p = Math.abs(100 * x);
  if (p > 0 && p < 0.005) return '<0.01%';
  return (100 * x).toFixed(2) + '%';
}
const share = (part, whole) => percent(ratio(part, whole));

/* "main+0x1c" is in "main". */
const functionOf = symbol => (symbol || '').replace(/\+0x[0-9a-f]+$/, '').replace(/\.\.$/, '');

const plural = (n, one, many) => number(n) + ' ' + (n === 1 ? one : many || one + 's');

/* Whether what is searched for is in one of the texts. */
function matches(texts, wanted) {
  return !wanted || texts.some(t => t && t.toLowerCase().includes(wanted));
}
