/* SPDX-License-Identifier: MIT */
/* View `processes`: the threads of the run, and the processes that it started, as a tree (--follow). */

addView({
  name: 'processes',
  title: 'Threads and processes',
  has: () => data.program,
  show(root) {
    const p = data.program, all = data.processes || [];
    const depth = process => { let n = 0; for (let at = process; at && n < 50; at = all.find(x => x.id === at.parent)) n++; return n; };
    const columns = [
      {title: 'Command', kind: 'name', value: row => row.command, show: row => '\u00a0\u00a0'.repeat(row.depth) + row.command},
      {title: 'Id', kind: 'num', value: row => row.id},
      {title: 'Instructions', kind: 'num strong', value: row => row.instructions ?? -1, show: row => row.instructions === null ? 'not profiled' : number(row.instructions)},
      {title: 'Started by', phone: true, value: row => row.how},
    ];
    const rows = [{command: commandLine(), id: 0, instructions: data.instructions, how: 'the user', depth: 0},
      ...all.map(x => ({command: (x.argv || [x.program || 'unknown']).join(' '), id: x.id, instructions: x.instructions, how: x.forked ? 'fork' : 'exec', depth: depth(x)}))];
    root.append(element('section', '', element('div', 'head', element('h2', '', 'Threads')), element('p', 'note', 'The program had ' + plural(p.threads || 1, 'thread') + '. Costs are the sums over all threads.')),
      element('section', '', element('div', 'head', element('h2', '', 'Processes')), all.length ? makeTable(columns, rows, {texts: row => [row.command]}) :
        element('p', 'note', p.forks || p.exec ? 'The program started other processes, which were not profiled.' : 'The program started no other process.'),
      all.length ? [element('p', 'more', 'Each process has its own report:'), command('sluice report --process 1')] : p.forks || p.exec ? command('sluice run --follow -o new.db -- ' + commandWords().map(quoted).join(' ')) : null));
    return {searches: true};
  },
});
