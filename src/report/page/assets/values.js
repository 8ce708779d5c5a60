/* SPDX-License-Identifier: MIT */
/* View `values`: the values of each load instruction, with a bar for each value. */

const VALUES_SHOWN = 8;

function showLoad(load) {
  const sum = total(load[2].map(value => value[1])), more = load[2].length - VALUES_SHOWN;
  const rows = load[2].slice(0, VALUES_SHOWN).map(value => element('tr', '', element('td', 'name', value[0] || ''), element('td', 'num soft', number(value[1])),
    element('td', 'num strong', (valuesAreExact ? '' : '≈ ') + hundredths(ratio(value[1], sum), 1)), element('td', 'bars', bar(value[1], sum, entryOfSymbol(load[0]).hue))));
  return element('section', '', element('h3', 'mono', load[0]), element('p', 'sub', element('span', 'mono', lineLink(load[1])), ' ' + share(sum, data.values.total) + ' of the loads'),
    element('table', '', element('tbody', '', rows)), more > 0 ? element('p', 'more', plural(more, 'more value')) : null);
}

addView({
  name: 'values',
  title: 'Values',
  has: () => data.values && data.values.loads.length,
  show(root) {
    const sum = load => total(load[2].map(value => value[1])), text = (state.q || '').trim().toLowerCase();
    const loads = data.values.loads.slice().sort((a, b) => sum(b) - sum(a)).filter(load => symbolInFilter(load[0]) && matches([load[0], load[1], ...load[2].map(v => v[0])], text));
    root.append(element('div', 'head', element('h2', '', 'Values of loads'), element('span', 'sub', 'of ' + plural(data.values.total, 'load') + (valuesAreExact ? '' : '; counts are estimates'))), legend(),
      element('p', 'more', 'Percentages are relative to the values of the load that are in the table.'), element('div', 'values', loads.slice(0, 100).map(showLoad)), loads.length ? '' : element('p', 'note', 'No match.'));
    return {searches: true};
  },
});
