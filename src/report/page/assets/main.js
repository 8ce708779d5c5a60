/* SPDX-License-Identifier: MIT */
/* Navigation: views, links and keys. The address contains the current view, #view/argument?search. Keys and links
 * show a view immediately and then update the address. Back and forward of the browser cause a hashchange event. */

let shown = null; /* result of show() of the current view: {search, key} */
let shownAddress = null;

const shownViews = views.filter(view => !view.has || view.has());
const searchBox = document.getElementById('search');

function state() {
  const at = /^#?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(location.hash) || [];
  const text = part => { try { return decodeURIComponent(part || ''); } catch { return ''; } };
  return {view: text(at[1]), argument: text(at[2]), searched: text(at[3])};
}

function display(name, argument, searched) {
  const view = shownViews.find(v => v.name === name) || shownViews[0], root = document.getElementById('main');
  shownAddress = address(view.name, argument, searched);
  root.replaceChildren();
  root.dataset.view = view.name;
  shown = view.show(root, argument) || {};
  if (document.activeElement !== searchBox) searchBox.value = searched || '';
  if (shown.search && searched) shown.search(searched.toLowerCase());
  for (const a of document.querySelectorAll('#views a'))
    if (a.dataset.view === view.name) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
}

/* Shows a view and sets the address. */
function go(name, argument, searched) {
  display(name, argument, searched);
  if (location.hash !== shownAddress) history.pushState(null, '', shownAddress);
  window.scrollTo(0, 0);
}

function fromAddress() {
  const at = state();
  if (address(at.view, at.argument, at.searched) !== shownAddress) display(at.view, at.argument, at.searched);
}

function search(text) {
  const at = state(), view = document.getElementById('main').dataset.view;
  shownAddress = address(view, at.view === view ? at.argument : '', text);
  history.replaceState(null, '', shownAddress);
  if (shown.search) shown.search(text.trim().toLowerCase());
}

function toggleHelp(open) {
  const help = document.getElementById('help');
  help.hidden = open === undefined ? !help.hidden : !open;
  document.getElementById('help-button').setAttribute('aria-expanded', String(!help.hidden));
}

function handleKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target === searchBox || event.target.tagName === 'SELECT';
  if (typing) {
    if (event.key === 'Escape') { searchBox.value = ''; search(''); searchBox.blur(); }
    if (event.key === 'Enter') searchBox.blur();
    return;
  }
  const index = '1234567890-='.indexOf(event.key), at = state();
  if (event.key === 'Enter' && event.target.closest('a, button')) return;
  if (event.key === '/') searchBox.focus();
  else if (event.key === '?') toggleHelp();
  else if (event.key === 'Escape' && at.searched) { searchBox.value = ''; search(''); }
  else if (event.key === 'Escape' && !document.getElementById('help').hidden) toggleHelp(false);
  else if (shown.key && shown.key(event.key)) { /* the view has handled the key */ }
  else if (index >= 0 && index < shownViews.length) go(shownViews[index].name, '');
  else return;
  event.preventDefault();
}

function start() {
  const title = commandLine();
  document.title = title + ' — sluice';
  document.getElementById('title').textContent = title;
  document.getElementById('views').append(...shownViews.map((view, i) => {
    const a = link(view.name, '', view.name);
    a.dataset.view = view.name;
    a.title = 'key ' + '1234567890-='[i];
    return a;
  }));
  document.getElementById('help').append(
    element('p', '', shownViews.map((view, i) => '1234567890-='[i] + ' ' + view.name).join('  ')),
    element('p', '', '/ search   Escape ends the search   ? shows or hides this help'),
    element('p', '', 'flame: arrows select a frame, Enter zooms in, Backspace zooms out, Escape shows the whole graph'),
    element('p', '', 'source, paths, tables: n next, p previous; source: i shows the instructions of all lines'));
  document.addEventListener('click', event => {
    const a = event.target.closest('a');
    if (!a || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const to = a.getAttribute('href');
    if (!to || to[0] !== '#') return;
    event.preventDefault();
    history.pushState(null, '', to);
    fromAddress();
    window.scrollTo(0, 0);
  });
  document.addEventListener('keydown', handleKey);
  searchBox.addEventListener('input', () => search(searchBox.value));
  document.getElementById('help-button').addEventListener('click', () => toggleHelp());
  window.addEventListener('hashchange', fromAddress);
  window.addEventListener('popstate', fromAddress);
  fromAddress();
}

start();
