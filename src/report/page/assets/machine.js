/* SPDX-License-Identifier: MIT */
/* View `machine`: cycles of the CPU model by cause, and its events. */

const STACK_COLOURS = ['#56b4e9', '#d55e00', '#f0e442', '#0072b2', '#cc79a7', '#009e73', '#e69f00', '#7f7f7f', '#b3b3b3', '#5b3a8e', '#000000'];

/* A table of several CPU models that ran the same program: cycles per instruction, by cause. */
function compareModels(all, words) {
  if (all.length < 2)
    return [];
  const cpi = (one, cycles) => ratio(cycles, one.events.instructions).toFixed(3);
  const rows = [['CPI', ...all.map(one => cpi(one, one.cycles))],
    ...Object.keys(all[0].cycle_stack).filter(name => all.some(one => one.cycle_stack[name])).map(name => [words(name), ...all.map(one => cpi(one, one.cycle_stack[name]))])];
  const table = makeTable([...all.map((one, i) => ({title: one.name, kind: 'n', value: row => +row[i + 1], show: row => row[i + 1]})),
    {title: 'cycles per instruction', kind: 'where', value: row => row[0]}], rows, {});
  const uncalibrated = all.filter(one => one.events.energy && !one.energy_calibrated).map(one => one.name);
  return [element('h2', '', 'CPU models compared'), table.element,
    element('p', '', uncalibrated.length ? 'Energy is not calibrated for ' + uncalibrated.join(', ') + '.' : '')];
}

addView({
  name: 'machine',
  has: () => data.machine,
  show(root) {
    const m = data.machine, words = name => data.words[name] || name;
    const stack = Object.entries(m.cycle_stack).map((entry, i) => [...entry, STACK_COLOURS[i % STACK_COLOURS.length]]).filter(entry => entry[1] > 0);
    const drawn = element('div', 'stack', ...stack.map(([name, cycles, colour]) => {
      const segment = element('i');
      segment.style.width = 100 * ratio(cycles, m.cycles) + '%';
      segment.style.background = colour;
      segment.title = words(name);
      return segment;
    }));
    drawn.setAttribute('role', 'img');
    drawn.setAttribute('aria-label', 'cycles by cause');
    const parts = makeTable([
      {title: 'cycles', kind: 'n', wide: true, value: row => row[1], show: row => number(row[1])},
      {title: '%', kind: 'n', value: row => row[1], show: row => share(row[1], m.cycles)},
      {title: 'CPI', kind: 'n', value: row => row[1], show: row => ratio(row[1], data.machine.events.instructions).toFixed(3)},
      {title: 'cause', kind: 'where', value: row => words(row[0]), show: row => {
        const swatch = element('i', 'swatch');
        swatch.style.background = row[2];
        return element('span', '', swatch, words(row[0]));
      }},
    ], stack, {texts: row => [words(row[0])]});
    const events = makeTable([
      {title: 'count', kind: 'n', value: row => row[1], show: row => number(row[1])},
      {title: 'event', kind: 'where', value: row => words(row[0])},
    ], Object.entries(m.events).filter(row => row[1]), {texts: row => [row[0], words(row[0])]});
    const about = makeTable([{title: 'parameter', value: row => row[0]}, {title: 'value', kind: 'where', value: row => row[1]}], Object.entries(m.description || {}), {});
    const others = compareModels([m, ...(data.other_machines || [])], words);
    root.append(element('p', '', 'On ' + m.name + ': ' + number(m.cycles) + ' cycles, ' + (m.cpi || 0).toFixed(3) + ' per instruction.' +
      (m.events.energy && !m.energy_calibrated ? ' Its energy is not calibrated: it is computed with the power values of another processor.' : '')), drawn, parts.element,
      element('h2', '', 'Events'), events.element, element('h2', '', 'Parameters of the CPU model'), about.element, ...others);
    return {search: text => { parts.search(text); events.search(text); about.search(text); }};
  },
});
