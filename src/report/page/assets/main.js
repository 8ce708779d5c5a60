/* SPDX-License-Identifier: MIT */
/* Navigation: views, links and keys. The address contains everything that is shown, so that a link shows the same.
 * Keys and links show a view immediately and then update the address. Back and forward of the browser cause a
 * hashchange event. */

let shown = {}; /* result of show() of the current view */
let shownAddress = null;

const MAIN_VIEWS = ['summary', 'flame', 'functions', 'source', 'phases', 'difference', 'changes'];
const shownViews = views.filter(view => !view.has || view.has());
const tabs = shownViews.filter(view => MAIN_VIEWS.includes(view.name));
const others = shownViews.filter(view => !MAIN_VIEWS.includes(view.name));
const keyed = [...tabs, ...others]; /* by the keys 1 to 9, 0, - and = */
const DIGITS = '1234567890-=';
const part = id => document.getElementById(id);
const searchBox = part('search');

function display() {
  const view = shownViews.find(v => v.name === state.view) || shownViews[0], root = part('main');
  state.view = view.name;
  root.replaceChildren();
  root.dataset.view = view.name;
  if (state.theme) document.documentElement.dataset.theme = state.theme;
  else delete document.documentElement.dataset.theme;
  const {view: name, ...parameters} = state;
  shownAddress = address(name, parameters);
  if (document.activeElement !== searchBox) searchBox.value = state.q || '';
  shown = view.show(root) || {};
  for (const a of document.querySelectorAll('#views a'))
    if (a.dataset.view === name) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  const more = part('more-views');
  if (more) {
    const inMenu = others.includes(view);
    more.textContent = (inMenu ? view.title : 'More') + ' \u25be';
    if (inMenu) more.setAttribute('aria-current', 'page');
    else more.removeAttribute('aria-current');
  }
  const current = document.querySelector('.tabs [aria-current]');
  if (current) current.parentNode.scrollLeft = current.offsetLeft - current.parentNode.offsetLeft - 40;
}

/* Sets the address. A page in an attribute srcdoc has no address of its own. */
function setAddress(replace) {
  try {
    if (location.hash !== shownAddress) history[replace ? 'replaceState' : 'pushState'](null, '', shownAddress);
  } catch { /* everything else works without it */ }
}

/* Shows the state, and sets the address; `replace`: without an entry in the browser's history. */
function update(replace) {
  display();
  setAddress(replace);
}

/* Shows a view; the module and the theme stay. */
function go(view, parameters) {
  state = {view, theme: state.theme, m: state.m, ...(parameters || {})};
  update(false);
  window.scrollTo(0, 0);
}

/* Changes parameters of the current view; undefined removes one. */
function change(parameters, replace) {
  state = {...state, ...parameters};
  for (const name in state) if (state[name] === undefined) delete state[name];
  update(replace);
}

function fromAddress() {
  if (location.hash === shownAddress) return;
  state = parseAddress(location.hash);
  display();
}

const search = text => change({q: text || undefined, zoom: state.view === 'flame' ? state.zoom : undefined}, true);

function toggleTheme() {
  const dark = state.theme ? state.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  change({theme: dark ? 'light' : 'dark'}, true);
}

function toggleMenu(open) {
  const menu = part('menu'), at = part('more-views');
  if (!at) return;
  menu.hidden = open === undefined ? !menu.hidden : !open;
  at.setAttribute('aria-expanded', String(!menu.hidden));
  const box = at.getBoundingClientRect();
  menu.style.top = box.bottom + 4 + 'px';
  menu.style.left = Math.max(8, Math.min(box.left, window.innerWidth - 216)) + 'px';
  if (!menu.hidden) menu.querySelector('a').focus();
}

function nextModule() {
  const next = moduleEntries[moduleEntries.indexOf(filtered()) + 1];
  change({m: next ? next.name : undefined}, true);
}

/* Undoes one step. */
function escape() {
  if (!part('menu').hidden) toggleMenu(false);
  else if (state.zoom) change({zoom: undefined});
  else if (state.m) change({m: undefined});
  else if (state.q) { searchBox.value = ''; search(''); }
}

function handleKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || part('help').open) return;
  if (event.target === searchBox || event.target.tagName === 'SELECT') {
    if (event.key === 'Escape') { searchBox.value = ''; search(''); searchBox.blur(); }
    if (event.key === 'Enter') {
      searchBox.blur();
      if (!['functions', 'flame'].includes(state.view) && !shown.searches && data.functions) go('functions', {q: searchBox.value});
    }
    return;
  }
  const index = DIGITS.indexOf(event.key);
  if (event.key === 'Enter' && event.target.closest('a, button') && !event.target.closest('.frame')) return;
  if (event.key === '/') searchBox.focus();
  else if (event.key === '?') part('help').showModal();
  else if (event.key === 't') toggleTheme();
  else if (event.key === 'm' && moduleEntries.length) nextModule();
  else if (event.key === 'Escape') escape();
  else if (shown.key && shown.key(event.key)) { /* the view has handled the key */ }
  else if (index >= 0 && index < keyed.length) go(keyed[index].name);
  else return;
  event.preventDefault();
}

function viewLink(view) {
  const a = link(view.name, {}, view.title);
  a.dataset.view = view.name;
  a.title = 'key ' + DIGITS[keyed.indexOf(view)];
  return a;
}

function makeHelp() {
  const rows = [[keyed.map((view, i) => DIGITS[i]).filter((k, i) => i < tabs.length).join(' '), tabs.map(view => view.title).join(', ')],
    [others.map(view => DIGITS[keyed.indexOf(view)]).join(' '), others.map(view => view.title).join(', ')],
    ['/', 'find a function'], ['m', 'one module after the other, alone'], ['Esc', 'undo one step: zoom, module, search'],
    ['d u s', 'flame graph: top-down, bottom-up, sandwich'], ['\u2190 \u2192 \u2191 \u2193', 'flame graph: next frame; Enter zooms, o opens its source'],
    ['j k', 'source: next and previous function; in other lists, next and previous entry'], ['n p', 'source: next and previous hot line'],
    ['a', 'source: instructions of all lines'], ['c', 'source: callers and callees'], ['t', 'light or dark'], ['?', 'these keys']];
  part('help').append(element('h2', '', 'Keys'),
    element('dl', '', rows.filter(row => row[0]).map(([keys, text]) => [element('dt', '', keys.split(' ').map(k => [element('kbd', '', k), ' '])), element('dd', '', text)])),
    button('button', 'Close', () => part('help').close()));
}

function start() {
  const title = commandLine();
  document.title = title + ' · sluice';
  part('views').append(...tabs.map(viewLink));
  if (others.length) {
    const more = set(button('', 'More', () => toggleMenu()), {id: 'more-views', 'aria-haspopup': 'menu', 'aria-expanded': 'false'});
    part('views').append(more);
    part('menu').append(...others.map(view => { const a = viewLink(view); a.append(element('kbd', '', DIGITS[keyed.indexOf(view)])); return a; }));
  }
  part('foot').append('sluice ' + data.version + ' · one file, no network · ' + accuracy());
  makeHelp();
  document.addEventListener('click', event => {
    if (!event.target.closest('#menu, #more-views')) toggleMenu(false);
    const a = event.target.closest('a');
    if (!a || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const to = a.getAttribute('href');
    if (!to || to[0] !== '#') return;
    event.preventDefault();
    toggleMenu(false);
    state = parseAddress(to);
    update(false);
    window.scrollTo(0, 0);
  });
  document.addEventListener('keydown', handleKey);
  let resized = 0;
  window.addEventListener('resize', () => { clearTimeout(resized); resized = setTimeout(display, 150); });
  searchBox.addEventListener('input', () => search(searchBox.value));
  part('theme').addEventListener('click', toggleTheme);
  part('help-button').addEventListener('click', () => part('help').showModal());
  window.addEventListener('hashchange', fromAddress);
  window.addEventListener('popstate', fromAddress);
  fromAddress();
  if (shownAddress === null) display();
}

start();
