/* SPDX-License-Identifier: MIT */
/* View `summary`: the run in a few sentences, the top functions, the processes and the warnings. */

function commandLine() {
  if (data.difference) return 'difference: ' + data.difference.before.command + ', before and after';
  const argv = data.program.argv || [];
  return argv.length ? argv.join(' ') : data.program.path || 'a stream without a program';
}

function ending() {
  const p = data.program;
  if (p.signal !== null && p.signal !== undefined) return ' and was killed by signal ' + p.signal;
  return p.exit_status === null || p.exit_status === undefined ? '' : ' and exited with status ' + p.exit_status;
}

function hottestLine() {
  let best = null;
  (data.source ? data.source.parts : []).forEach((part, p) => part.file && part.lines.forEach(line => {
    if (line[2] && (!best || line[2][0] > best.cost)) best = {cost: line[2][0], part: p, line: line[0], file: part.file};
  }));
  return best;
}

const baseName = path => path.replace(/.*\//, '');

function describeRun() {
  const sentences = [];
  const f = data.functions, m = data.machine, loops = data.loops;
  sentences.push(['The program executed ' + plural(data.instructions, 'instruction'), data.program.threads > 1 ? ' in ' + plural(data.program.threads, 'thread') : '', ending(), '.']);
  if (f && f.rows.length) {
    const bySelf = f.rows.slice().sort((a, b) => b[2] - a[2]), top = bySelf[0];
    let n = 0, sum = 0;
    while (n < bySelf.length && sum < 0.9 * f.total) sum += bySelf[n++][2];
    sentences.push([share(top[2], f.total) + ' of the ' + f.units + ' are in ', link('calls', top[0], top[0]), n > 1 ? '; ' + plural(n, 'function') + ' have 90% of the total' : '', '.']);
  }
  const line = hottestLine();
  if (line)
    sentences.push(['The hottest line is ', link('source', line.part + 1, baseName(line.file) + ':' + line.line), ', with ' + share(line.cost, data.source.columns[0].total) + ' of the ' + data.source.columns[0].name + '.']);
  if (loops && loops.rows.length) {
    const top = loops.rows[0];
    sentences.push(['The costliest loop is ', link('loops', '', top[0]), ', with ' + share(top[2], loops.total) + ' of the ' + loops.units,
      top[3] && top[4] ? ' and ' + (top[4] / top[3]).toFixed(1) + ' iterations per entry' : '', '.']);
  }
  const load = data.values && data.values.loads[0];
  if (load && load[2].length) {
    sentences.push(['The most frequent load value is ', link('values', '', load[2][0][0]), ' at ' + load[0] + ': ' + share(load[2][0][1], data.values.total) + ' of the loads.']);
  }
  if (m && m.cpi) {
    const lost = Object.entries(m.cycle_stack).filter(([name]) => name !== 'base').sort((a, b) => b[1] - a[1])[0];
    sentences.push(['On the CPU model ', link('machine', '', m.name), ' the run takes ' + number(m.cycles) + ' cycles, ' + m.cpi.toFixed(3) + ' per instruction',
      lost && lost[1] ? '; ' + share(lost[1], m.cycles) + ' are ' + (data.words[lost[0]] || lost[0]) : '', '.']);
  }
  return sentences;
}

function processTable() {
  const list = data.processes;
  if (!list || !list.length) return null;
  const table = makeTable([
    {title: 'process', kind: 'n', value: row => row.pid},
    {title: 'instructions', kind: 'n', value: row => row.instructions || 0, show: row => row.instructions === null ? 'not profiled' : number(row.instructions)},
    {title: 'program', kind: 'where', value: row => (row.argv || []).join(' ') || row.program || ''},
  ], list, {texts: row => [row.program]});
  return element('div', '', element('h2', '', 'Processes that the program started'), table.element);
}

addView({
  name: 'summary',
  has: () => data.program,
  show(root) {
    root.append(...describeRun().map(parts => element('p', '', ...parts)));
    const f = data.functions;
    let table = null;
    if (f && f.rows.length) {
      const rows = f.rows.slice().sort((a, b) => b[2] - a[2]).slice(0, 10);
      table = makeTable(functionColumns(f).filter(c => c.title !== 'calls'), rows, {});
      root.append(element('h2', '', 'Top functions by ' + f.units), table.element, element('p', '', link('functions', '', 'all functions')));
    }
    const processes = processTable();
    if (processes) root.append(processes);
    if (data.warnings.length) root.append(element('h2', '', 'Warnings'), ...data.warnings.map(text => element('p', 'note', text)));
    if (data.left_out.length) root.append(element('p', 'soft', 'The size of this page is limited: ', link('warnings', '', 'data that were left out'), '.'));
    return {search: text => { if (text) go('functions', '', text); }};
  },
});
