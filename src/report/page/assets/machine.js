/* SPDX-License-Identifier: MIT */
/* View `machine`: cycles of the CPU model by cause, and its events. */

/* Colours that are none of a module: cycles without a stall are grey, causes of stalls are shades of the colour of hot code. */
const causeColour = i => i ? 'rgb(var(--heat), ' + Math.max(0.2, 1 - 0.12 * (i - 1)).toFixed(2) + ')' : 'var(--line2)';

/* A table of several CPU models that ran the same program: cycles per instruction, by cause. */
function compareModels(all, words) {
  if (all.length < 2)
    return [];
  const cpi = (one, cycles) => ratio(cycles, one.events.instructions).toFixed(3);
  const rows = [['CPI', ...all.map(one => cpi(one, one.cycles))],
    ...Object.keys(all[0].cycle_stack).filter(name => all.some(one => one.cycle_stack[name])).map(name => [words(name), ...all.map(one => cpi(one, one.cycle_stack[name]))])];
  const table = makeTable([{title: 'Cycles per instruction', kind: 'text', value: row => row[0]},
    ...all.map((one, i) => ({title: one.name, kind: 'num', value: row => +row[i + 1], show: row => row[i + 1]}))], rows, {});
  const uncalibrated = all.filter(one => one.events.energy && !one.energy_calibrated).map(one => one.name);
  return [element('section', '', element('div', 'head', element('h2', '', 'CPU models compared')), table,
    element('p', 'note', uncalibrated.length ? 'Energy is not calibrated for ' + uncalibrated.join(', ') + '.' : ''))];
}

addView({
  name: 'machine',
  title: 'CPU model',
  has: () => data.machine,
  show(root) {
    const m = data.machine, words = name => data.words[name] || name;
    const stack = Object.entries(m.cycle_stack).filter(entry => entry[1] > 0).map((entry, i) => [...entry, causeColour(i)]);
    const drawn = set(element('div', 'cycles', stack.map(([name, cycles, colour]) => set(element('i'), {'--c': colour, '--w': 100 * ratio(cycles, m.cycles), title: words(name) + ' ' + share(cycles, m.cycles)}))), {role: 'img', 'aria-label': 'cycles by cause'});
    const parts = makeTable([
      {title: 'Cause', kind: 'text', value: row => words(row[0]), show: row => element('span', 'chip', set(element('i', 'swatch'), {'--c': row[2]}), words(row[0]))},
      {title: 'Cycles', kind: 'num soft', value: row => row[1], show: row => number(row[1])},
      {title: '%', kind: 'num strong', value: row => row[1], show: row => hundredths(ratio(row[1], m.cycles), 2)},
      {title: 'CPI', kind: 'num', value: row => row[1], show: row => ratio(row[1], data.machine.events.instructions).toFixed(3)},
    ], stack, {texts: row => [words(row[0])]});
    const events = makeTable([
      {title: 'Event', kind: 'text', value: row => words(row[0])},
      {title: 'Count', kind: 'num', value: row => row[1], show: row => number(row[1])},
    ], Object.entries(m.events).filter(row => row[1]), {texts: row => [row[0], words(row[0])]});
    const about = makeTable([{title: 'Parameter', kind: 'text', value: row => row[0]}, {title: 'Value', kind: 'text', value: row => row[1]}], Object.entries(m.description || {}), {texts: row => [row[0]]});
    const others = compareModels([m, ...(data.other_machines || [])], words);
    root.append(element('div', 'head', element('h2', '', 'CPU model ' + m.name), element('span', 'sub', number(m.cycles) + ' cycles, ' + (m.cpi || 0).toFixed(3) + ' per instruction')),
      m.events.energy && !m.energy_calibrated ? element('p', 'note', 'Its energy is not calibrated: it is computed with the power values of another processor.') : '', drawn, parts,
      ...others, element('div', 'pair', element('section', '', element('div', 'head', element('h2', '', 'Events')), events), element('section', '', element('div', 'head', element('h2', '', 'Parameters of the CPU model')), about)));
    return {searches: true};
  },
});
