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
function changeBar(change, most) {
  const drawn = element('i'), cell = element('td', 'bar', drawn);
  drawn.style.width = 50 * ratio(Math.abs(change), most) + '%';
  drawn.style.marginLeft = change < 0 ? 50 - 50 * ratio(Math.abs(change), most) + '%' : '50%';
  if (change > 0) drawn.style.background = 'rgb(var(--heat))';
  return cell;
}

function changeTable(part, rows) {
  const most = Math.max(1, ...part.rows.map(row => Math.abs(row.change)));
  return makeTable([
    {title: 'change', kind: 'n', value: row => row.change, show: row => signed(row.change)},
    {title: '% of total', kind: 'n', value: row => row.fraction ?? 0, show: row => signedPercent(row.fraction)},
    {title: '', kind: 'bar', wide: true, show: row => changeBar(row.change, most)},
    {title: 'before', kind: 'n', wide: true, value: row => row.before, show: row => number(row.before)},
    {title: 'after', kind: 'n', wide: true, value: row => row.after, show: row => number(row.after)},
    {title: 'where', kind: 'where', value: changePlace, show: row => element('span', '', changePlace(row), row.uncertain ? element('span', 'soft', ' (estimates: possibly unchanged)') : '')},
  ], rows, {texts: row => [changePlace(row)]});
}

addView({
  name: 'difference',
  has: () => data.difference,
  show(root) {
    const d = data.difference, one = (what, unit) => d.before[what] && element('p', '', 'From ' + number(d.before[what]) + ' ' + unit + ' to ' + number(d.after[what]) + ': ',
      element('b', d.after[what] > d.before[what] ? 'hot' : '', signed(d.after[what] - d.before[what]) + ' (' + signedPercent(ratio(d.after[what] - d.before[what], d.before[what])) + ')'), '.');
    for (const [what, unit] of [['instructions', 'instructions'], ['cycles', 'cycles'], ['loads', 'loads']]) root.append(one(what, unit) || '');
    const tables = d.sections.filter(part => part.rows.length).map((part, i) => {
      const table = changeTable(part, part.rows.slice(0, 5));
      root.append(element('h2', '', link('changes', d.sections.indexOf(part) + 1, partName(part))), table.element);
      return table;
    });
    if (!tables.length) root.append(element('p', '', 'No cost changed.'));
    root.append(element('p', 'soft', 'Before: ' + d.before.database + '. After: ' + d.after.database + '. Code is matched by function name and line. Percentages are relative to the total before.'));
    return {search: text => tables.forEach(table => table.search(text))};
  },
});

addView({
  name: 'changes',
  has: () => data.difference && data.difference.sections.length,
  show(root, argument) {
    const parts = data.difference.sections, chosen = Math.min(Math.max(1, Number(argument) || 1), parts.length) - 1, part = parts[chosen];
    const items = parts.map((other, i) => {
      const to = link('changes', i + 1, partName(other), element('div', 'soft', other.before ? signed(other.after - other.before) + ' ' + (other.unit || '') : plural(other.rows.length, 'change')));
      if (i === chosen) to.setAttribute('aria-current', 'true');
      return element('li', '', to);
    });
    const table = changeTable(part, part.rows);
    root.append(element('div', 'side', element('ul', '', ...items), element('section', '', element('h2', '', partName(part)), element('p', 'soft', part.name),
      element('p', '', part.before ? number(part.before) + ' ' + part.unit + ' before, ' + number(part.after) + ' after; ' : '', plural(part.unchanged, 'row') + ' unchanged.'), table.element)));
    return {
      search: table.search,
      key: key => {
        if (key !== 'n' && key !== 'p') return false;
        go('changes', Math.min(Math.max(1, chosen + 1 + (key === 'n' ? 1 : -1)), parts.length));
        return true;
      },
    };
  },
});
