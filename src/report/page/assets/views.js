/* SPDX-License-Identifier: MIT */
/* The list of views, in the order of their files (mk/page.sh), and their addresses: #view&name=value, for example
 * #flame&mode=up&m=libc. A view has a name, a title, has(), which returns whether the page has data for it, and
 * show(root), which shows `state` and may return {key(key)}: whether it has handled the key. */

const views = [];
const addView = view => views.push(view);

/* The address as an object: {view, and the parameters}. All views have m (module), theme and q (search). */
let state = {view: ''};

function address(view, parameters) {
  const all = {theme: state.theme, m: state.m, ...parameters};
  return '#' + encodeURIComponent(view) + Object.entries(all).filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
    .map(([name, value]) => '&' + name + '=' + encodeURIComponent(value === true ? '1' : value)).join('');
}

function parseAddress(hash) {
  const text = part => { try { return decodeURIComponent(part); } catch { return ''; } };
  const [view, ...rest] = hash.replace(/^#/, '').split('&'), parsed = {view: text(view)};
  for (const part of rest) {
    const at = part.indexOf('=');
    if (at > 0) parsed[text(part.slice(0, at))] = text(part.slice(at + 1));
  }
  return parsed;
}
