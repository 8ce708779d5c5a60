/* SPDX-License-Identifier: MIT */
/* The list of views, in the order of their files (mk/page.sh), and their addresses. A view has a name, has(), which
 * returns whether the page has data for it, and show(root, argument), which returns {search(text), key(key)}. */

const views = [];
const addView = view => views.push(view);

function address(view, argument, searched) {
  const part = text => encodeURIComponent(text ?? '');
  return '#' + part(view) + (argument || argument === 0 ? '/' + part(argument) : '') + (searched ? '?' + part(searched) : '');
}
