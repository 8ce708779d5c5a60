/* SPDX-License-Identifier: MIT */
/* View `summary`: the run in one message, the modules, the top of the flame graph, the top functions, the hot lines of
 * the user's own code, hints, one warning, and the next commands. */

const quoted = word => /^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
const commandWords = () => data.program.argv && data.program.argv.length ? data.program.argv : [data.program.path || 'a stream without a program'];

function commandLine() {
  if (data.difference) return 'difference: ' + data.difference.before.command + ', before and after';
  return commandWords().map((word, i) => i ? quoted(word) : word).join(' ');
}

function ending() {
  const p = data.program;
  if (p.signal !== null && p.signal !== undefined) return 'killed by signal ' + p.signal;
  return p.exit_status === null || p.exit_status === undefined ? null : 'exit status ' + p.exit_status;
}

function summaryHead() {
  const p = data.program, m = data.machine, words = commandWords();
  const meta = [[element('span', 'mono', number(data.instructions)), ' instructions'], m && [element('span', 'mono', number(m.cycles)), ' cycles on ' + m.name], p.arch !== 'none' && p.arch,
    plural(p.threads || 1, 'thread'), data.processes && plural(data.processes.length, 'child process', 'child processes'), ending(), p.tap && 'traced by the ' + p.tap, 'sluice ' + data.version];
  return element('div', 'hero', set(element('h1', '', words[0][0] === '/' ? baseName(words[0]) : words[0], element('span', '', words.slice(1).map(word => ' ' + quoted(word)))), {id: 'title'}),
    element('div', 'meta', meta.filter(x => x).map(x => element('span', '', x))));
}

/* The run in one message. */
function lead() {
  if (!functions.length) return element('p', 'lead', 'The program executed ', element('b', '', number(data.instructions) + ' instructions'), '.');
  const own = moduleEntries.filter(e => e.own), ownSelf = total(own.map(e => e.self));
  const bold = (name, part) => element('b', '', name + ' ' + share(part, runTotal, 0));
  const libraries = moduleEntries.filter(e => !e.own && e.key !== 'other' && ratio(e.self, runTotal) >= 0.02).sort((a, b) => b.self - a.self).slice(0, 3);
  const join = list => list.flatMap((x, i) => [i ? i === list.length - 1 ? ' and ' : ', ' : '', x]);
  const top = bySelf.find(f => f.entry.own), name = f => element('b', 'mono', f.name);
  const text = element('p', 'lead');
  if (ratio(ownSelf, runTotal) >= 0.5) {
    text.append('Your own code executes ', element('b', '', share(ownSelf, runTotal, 0)), ' of this run');
    if (top) text.append('; ', name(top), ' alone ', element('b', '', share(top.self, runTotal, 0)));
    text.append('.');
    if (libraries.length) text.append(' The rest is in ', ...join(libraries.map(e => bold(e.name, e.self))), '.');
  } else {
    if (libraries.length === 1) text.append(bold(libraries[0].name, libraries[0].self), ' of this run. ');
    else text.append(element('b', '', share(runTotal - ownSelf, runTotal, 0)), ' of this run is in libraries: ', ...join(libraries.map(e => bold(e.name, e.self))), '. ');
    text.append('Your own code executes ', element('b', '', share(ownSelf, runTotal, 0)), ' itself');
    if (top && ratio(top.self, runTotal) >= 0.005) text.append('; its hottest function is ', name(top), ...(top.total && !top.shared ? [' (', element('b', '', share(top.total, runTotal, 0)), ' with the functions that it calls)'] : []));
    text.append('.');
  }
  return text;
}

/* ---- hot lines ---- */

function hotLines() {
  const all = (data.summary ? data.summary.lines : []).map(([file, line, name, host, cost, own, text]) => ({file, line, name, host, cost, own, text, f: functionNamed(name)}))
    .filter(l => inFilter(l.f ? l.f.entry : noEntry));
  const readable = all.some(l => l.text !== null), lines = all.filter(l => !readable || l.text !== null).slice(0, 8);
  if (!lines.length) return null;
  const most = lines[0].cost, own = lines[0].own, ownSelf = total(moduleEntries.filter(e => e.own).map(e => e.self));
  return element('section', 'hot-lines', element('div', 'head', element('h2', '', own ? 'Hot lines of your code' : 'Hot lines of libraries'),
    element('span', 'sub', own ? share(ownSelf, runTotal, 1) + ' of the run' : 'no line of the program is known'),
    data.source ? element('div', 'aside', link('source', {}, 'Source'), element('kbd', '', DIGITS[keyed.findIndex(v => v.name === 'source')])) : null),
  element('div', 'lines', lines.map(l => {
    const a = l.f && sourceOf(l.f).length ? link('source', {f: functionKey(l.f), line: l.line}) : element('a');
    a.append(element('span', 'num strong', share(l.cost, runTotal)), element('span', 'num soft phone-hidden', number(l.cost)),
      l.text === null ? element('code', 'dim', 'source not found') : element('code', '', highlight(l.text.trim())),
      element('span', 'where', element('span', 'mono', baseName(l.file) + ':' + l.line), element('span', 'mono', l.name), l.host ? element('span', 'badge', 'inlined in ' + l.host) : null));
    return set(a, {'--w': 100 * ratio(l.cost, most) + 'px', title: l.text || ''});
  })));
}

/* ---- hints, the warning, next commands ---- */

/* A hint is "branch in passes is taken 99.6% of 1,197,378 times: make the common case fall through". */
function hintCard([where, text]) {
  const at = text.indexOf(': '), claim = at < 0 ? text : text.slice(0, at), what = at < 0 ? '' : text.slice(at + 2);
  const found = /(about )?([\d.]+)%/.exec(claim), name = /\bin (\S+) /.exec(claim), f = name && functionNamed(name[1]);
  const sentence = claim[0].toUpperCase() + claim.slice(1).replace(/about ([\d.]+%)/, '≈ $1') + '.';
  return element('div', 'card', element('div', 'at mono', f ? functionLink(f) : null, lineLink(where)), element('h3', '', sentence),
    found ? element('div', 'gauge', set(element('i'), {'--w': Math.min(100, Number(found[2])) + '%'}), element('span', 'mono', (found[1] ? '≈ ' : '') + found[2] + '\u00a0%')) : null,
    what ? element('p', 'do', what[0].toUpperCase() + what.slice(1) + '.') : null);
}

/* The most important warning, with a command that avoids it. */
function warningCard() {
  if (!data.warnings.length) return null;
  const program = commandWords().map(quoted).join(' ');
  /* "No symbols for libjansson.so.4 (23%), libz.so.1 (6%): apt install libjansson4-dbgsym, or set DEBUGINFOD_URLS." */
  const unnamed = data.warnings.map(warning => /^No symbols for (.*?): (apt install [^,]+)?/.exec(warning)).find(x => x);
  if (unnamed) {
    const percents = [...unnamed[1].matchAll(/\((\d+)%\)/g)].map(x => Number(x[1]));
    return element('div', 'card warn', element('h3', '', 'No names for ' + total(percents) + '\u00a0% of the run'),
      element('p', '', unnamed[1] + (percents.length > 1 ? ' have' : ' has') + ' no symbols: functions there are named by their addresses. ' + (unnamed[2] ? 'Install the debug information and run the program again, or name a server in DEBUGINFOD_URLS:' : 'Use an unstripped file, or name a server of debug information:')),
      command(unnamed[2] || 'DEBUGINFOD_URLS=SERVER sluice run -o new.db -- ' + program), element('p', '', link('warnings', {}, data.warnings.length > 1 ? 'All ' + data.warnings.length + ' warnings' : 'Details')));
  }
  const remedies = [
    [/events were dropped/, 'Counts are too low', 'sluice run -o new.db -- ' + program],
    [/called exec|child process/, 'Other processes were not profiled', 'sluice run --follow -o new.db -- ' + program],
  ];
  for (const [pattern, title, text] of remedies) {
    const hits = data.warnings.map(warning => pattern.exec(warning)).filter(x => x);
    if (!hits.length) continue;
    return element('div', 'card warn', element('h3', '', title), element('p', '', hits[0].input),
      command(text), element('p', '', link('warnings', {}, data.warnings.length > 1 ? 'All ' + data.warnings.length + ' warnings' : 'Details')));
  }
  return element('div', 'card warn', element('h3', '', plural(data.warnings.length, 'warning')), element('p', '', data.warnings[0]),
    command('sluice report --json'), element('p', '', link('warnings', {}, 'Details')));
}

function nextCommands() {
  const top = bySelf.find(f => f.entry.own && sourceOf(f).length) || bySelf[0], program = commandWords().map(quoted).join(' ');
  return element('section', 'next', element('div', 'head', element('h2', '', 'Next')),
    top ? [element('p', '', 'Read your hottest function'), command('sluice annotate ' + quoted(top.name))] : null,
    element('p', '', 'After a change, compare'), command('sluice run -o new.db -- ' + program), command('sluice diff sluice.db new.db'),
    element('p', '', 'Open it elsewhere'), command('sluice report -f speedscope -o run.speedscope.json'));
}

addView({
  name: 'summary',
  title: 'Summary',
  has: () => data.program,
  show(root) {
    root.append(element('section', '', summaryHead(), lead(), functions.length ? [moduleBar(), legend()] : null));
    const small = flameMini();
    if (small) root.append(small);
    const hints = (data.summary ? data.summary.hints : []).slice(0, 3), warning = warningCard();
    root.append(element('div', 'columns',
      element('div', 'stack', functions.length ? functionTable(14, {all: true}) : null, hotLines()),
      element('aside', 'stack', hints.length ? element('section', '', element('div', 'head', element('h2', '', 'Hints')), hints.map(hintCard)) : null,
        warning ? element('section', '', warning) : null, nextCommands())));
    root.append(keyRow(['1 … ' + DIGITS[tabs.length - 1], 'views'], ['/', 'search'], ['m', 'next module'], ['t', 'theme'], ['?', 'all keys']));
    if (small) flameMiniDraw(small.querySelector('.flame'));
    return {};
  },
});
