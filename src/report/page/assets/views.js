/* SPDX-License-Identifier: MIT */
/* The views in the order of their files (mk/page.sh), and what their addresses are. A view has a name; `has`,
 * whether there is something for it; and show(root, argument), which returns {search(text), key(key)}. */

const views = [];
const addView = view => views.push(view);

function address(view, argument, wanted) {
  const part = text => encodeURIComponent(text ?? '');
  return '#' + part(view) + (argument || argument === 0 ? '/' + part(argument) : '') + (wanted ? '?' + part(wanted) : '');
}
