/* SPDX-License-Identifier: MIT */
/* View `values`: the values of each load instruction, with a bar for each value. */

const VALUES_SHOWN = 8;

function showLoad(load) {
  const sum = load[2].reduce((all, value) => all + value[1], 0);
  const rows = load[2].slice(0, VALUES_SHOWN).map(value => element('tr', '', element('td', 'n', number(value[1])), element('td', 'n', share(value[1], sum)), bar(value[1], sum), element('td', 'where', value[0] || '')));
  const more = load[2].length - VALUES_SHOWN;
  return element('section', '', element('h2', '', load[0] + ' ', sourceLink(load[1]), element('span', 'soft', ' ' + share(sum, data.values.total) + ' of the loads')),
    element('table', '', element('tbody', '', ...rows)), more > 0 ? element('p', 'soft', plural(more, 'more value')) : null);
}

addView({
  name: 'values',
  has: () => data.values && data.values.loads.length,
  show(root) {
    const list = element('div');
    const sum = load => load[2].reduce((all, value) => all + value[1], 0);
    const loads = data.values.loads.slice().sort((a, b) => sum(b) - sum(a));
    const fill = searched => {
      const found = loads.filter(load => matches([load[0], load[1], ...load[2].map(v => v[0])], searched));
      list.replaceChildren(...found.slice(0, 100).map(showLoad), found.length ? '' : element('p', 'soft', 'No match.'));
    };
    root.append(element('p', 'soft', 'Of ' + plural(data.values.total, 'load') + '; percentages are relative to the values of the load that are in the table.'), list);
    fill('');
    return {search: fill};
  },
});
