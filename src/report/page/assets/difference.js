/* SPDX-License-Identifier: MIT */
/* Views `difference` and `changes`: regressions and improvements between two databases. */

const signed = n => (n > 0 ? '+' : '') + number(n);
const signedPercent = x => x === null || x === undefined ? '' : percent(x).startsWith('<') ? percent(x) : (x > 0 ? '+' : '') + percent(x);
const partName = part => part.name.replace(/@.*/, '').replace(/\(.*?\)/g, '');

function changePlace(row) {
  const line = (file, at, was) => file && (at || was) ? file + ':' + (at || was) : '';
  const from = line(row.file, row.line, row.line_before), to = line(row.target_file, row.target_line, row.target_line_before);
  return [row.name || '', from ? ' ' + from : '', row.target ? ' \u2192 ' + row.target + (to ? ' ' + to : '') : '', row.detail ? ' ' + row.detail : ''].join('');
}

/* A bar to the right for a regression, to the left for an improvement. */
function changeBar(difference, most) {
  const width = 50 * ratio(Math.abs(difference), most);
  return element('span', 'change' + (difference > 0 ? ' worse' : ''), set(element('i'), {'--w': width + '%', '--l': (difference < 0 ? 50 - width : 50) + '%'}));
}

function changeTable(part, rows) {
  const most = Math.max(1, ...part.rows.map(row => Math.abs(row.change)));
  return makeTable([
    {title: 'Change', kind: 'num strong', value: row => row.change, show: row => element('span', row.change > 0 ? 'hot' : '', signed(row.change))},
    {title: '% of total', kind: 'num', value: row => row.fraction ?? 0, show: row => signedPercent(row.fraction)},
    {title: '', kind: 'bars', phone: true, show: row => changeBar(row.change, most)},
    {title: 'Before', kind: 'num soft', wide: true, value: row => row.before, show: row => number(row.before)},
    {title: 'After', kind: 'num soft', wide: true, value: row => row.after, show: row => number(row.after)},
    {title: 'Where', kind: 'text', value: changePlace, show: row => element('span', '', changePlace(row), row.uncertain ? element('span', 'dim', ' (≈ estimates: possibly unchanged)') : '')},
  ], rows, {texts: row => [changePlace(row)]});
}

/* Total before and after, and their difference. */
function changeOf(d, what, unit) {
  const before = d.before[what], after = d.after[what];
  return before ? element('p', 'lead', 'From ' + number(before) + ' ' + unit + ' to ' + number(after) + ': ', element('b', after > before ? 'hot' : '', signed(after - before) + ' (' + signedPercent(ratio(after - before, before)) + ')'), '.') : null;
}

addView({
  name: 'difference',
  title: 'Difference',
  has: () => data.difference,
  show(root) {
    const d = data.difference, sections = d.sections.filter(section => section.rows.length);
    root.append(element('section', 'hero', set(element('h1', '', d.before.command, element('span', '', ' before and after')), {id: 'title'}),
      element('div', 'meta', element('span', 'mono', 'before: ' + d.before.database), element('span', 'mono', 'after: ' + d.after.database)),
      ['instructions', 'cycles', 'loads'].map(what => changeOf(d, what, what)), data.warnings.length ? element('p', 'note', link('warnings', {}, plural(data.warnings.length, 'warning')), ' about the two runs') : null));
    for (const section of sections)
      root.append(element('section', '', element('div', 'head', element('h2', '', link('changes', {i: d.sections.indexOf(section) + 1}, partName(section))), element('span', 'sub mono', section.name)), changeTable(section, section.rows.slice(0, 5))));
    if (!sections.length) root.append(element('p', 'note', 'No cost changed.'));
    root.append(element('p', 'more', 'Code is matched by function name and line. Percentages are relative to the total before.'));
    return {searches: true};
  },
});

addView({
  name: 'changes',
  title: 'All changes',
  has: () => data.difference && data.difference.sections.length,
  show(root) {
    const parts = data.difference.sections, chosen = Math.min(Math.max(1, Number(state.i) || 1), parts.length) - 1, section = parts[chosen];
    const items = parts.map((other, i) => set(link('changes', {i: i + 1}, element('span', 'a', partName(other)), element('span', 'b', other.before ? signed(other.after - other.before) + ' ' + (other.unit || '') : plural(other.rows.length, 'change'))), {'aria-current': i === chosen ? 'true' : null}));
    root.append(element('div', 'side', set(element('nav', 'list', element('div', 'title', 'Profiles'), items), {'aria-label': 'profiles'}), element('div', '', element('div', 'title-of', element('div', '', element('h2', '', partName(section)), element('div', 'sub mono', section.name))),
      element('p', 'note', section.before ? number(section.before) + ' ' + section.unit + ' before, ' + number(section.after) + ' after; ' : '', plural(section.unchanged, 'row') + ' unchanged.'), changeTable(section, section.rows), keyRow(['j k', 'next, previous profile']))));
    return {
      searches: true,
      key: key => {
        if (key !== 'j' && key !== 'k') return false;
        go('changes', {i: Math.min(Math.max(1, chosen + 1 + (key === 'j' ? 1 : -1)), parts.length)});
        return true;
      },
    };
  },
});
