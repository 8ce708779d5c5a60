/* SPDX-License-Identifier: MIT */
/* The machine that was modelled along: its cycles by what they were spent on, and what happened in it. */

const STACK_COLOURS = ['#56b4e9', '#d55e00', '#f0e442', '#0072b2', '#cc79a7', '#009e73', '#e69f00', '#7f7f7f', '#b3b3b3', '#5b3a8e', '#000000'];

/* Several that ran the same: cycles for each instruction by what they were spent on. */
function sideBySide(all, words) {
  if (all.length < 2)
    return [];
  const cpi = (one, cycles) => ratio(cycles, one.events.instructions).toFixed(3);
  const rows = [['CPI', ...all.map(one => cpi(one, one.cycles))],
    ...Object.keys(all[0].stack).filter(name => all.some(one => one.stack[name])).map(name => [words(name), ...all.map(one => cpi(one, one.stack[name]))])];
  const table = makeTable([...all.map((one, i) => ({title: one.name, kind: 'n', value: row => +row[i + 1], show: row => row[i + 1]})),
    {title: 'cycles of an instruction', kind: 'where', value: row => row[0]}], rows, {});
  const odd = all.filter(one => one.events.energy && !one.energy_calibrated).map(one => one.name);
  return [element('h2', '', 'Machines side by side'), table.element,
    element('p', '', odd.length ? 'Energy is not calibrated for ' + odd.join(', ') + '.' : '')];
}

addView({
  name: 'machine',
  has: () => data.machine,
  show(root) {
    const m = data.machine, words = name => data.words[name] || name;
    const stack = Object.entries(m.stack).map((entry, i) => [...entry, STACK_COLOURS[i % STACK_COLOURS.length]]).filter(entry => entry[1] > 0);
    const drawn = element('div', 'stack', ...stack.map(([name, cycles, colour]) => {
      const made = element('i');
      made.style.width = 100 * ratio(cycles, m.cycles) + '%';
      made.style.background = colour;
      made.title = words(name);
      return made;
    }));
    drawn.setAttribute('role', 'img');
    drawn.setAttribute('aria-label', 'cycles by what they were spent on');
    const parts = makeTable([
      {title: 'cycles', kind: 'n', wide: true, value: row => row[1], show: row => number(row[1])},
      {title: 'share', kind: 'n', value: row => row[1], show: row => share(row[1], m.cycles)},
      {title: 'CPI', kind: 'n', value: row => row[1], show: row => ratio(row[1], data.machine.events.instructions).toFixed(3)},
      {title: 'what for', kind: 'where', value: row => words(row[0]), show: row => {
        const swatch = element('i', 'swatch');
        swatch.style.background = row[2];
        return element('span', '', swatch, words(row[0]));
      }},
    ], stack, {texts: row => [words(row[0])]});
    const events = makeTable([
      {title: 'how often', kind: 'n', value: row => row[1], show: row => number(row[1])},
      {title: 'event', kind: 'where', value: row => words(row[0])},
    ], Object.entries(m.events).filter(row => row[1]), {texts: row => [row[0], words(row[0])]});
    const about = makeTable([{title: 'key', value: row => row[0]}, {title: 'value', kind: 'where', value: row => row[1]}], Object.entries(m.description || {}), {});
    const beside = sideBySide([m, ...(data.beside || [])], words);
    root.append(element('p', '', 'On ' + m.name + ': ' + number(m.cycles) + ' cycles, ' + (m.cpi || 0).toFixed(3) + ' for each instruction.' +
      (m.events.energy && !m.energy_calibrated ? ' Its energy is reckoned with the powers of another processor: it is not calibrated for this one.' : '')), drawn, parts.element,
      element('h2', '', 'What happened in it'), events.element, element('h2', '', 'The machine'), about.element, ...beside);
    return {search: text => { parts.search(text); events.search(text); about.search(text); }};
  },
});
