/* SPDX-License-Identifier: MIT */
/* What became dearer or cheaper from one database to another. */

const SIGNED = n => (n > 0 ? '+' : '') + number(n);
const signedPercent = x => x === null || x === undefined ? '' : percent(x).startsWith('<') ? percent(x) : (x > 0 ? '+' : '') + percent(x);
const partName = part => part.name.replace(/@.*/, '').replace(/\(.*?\)/g, '');

function changePlace(row) {
  const line = (file, at, was) => file && (at || was) ? file + ':' + (at || was) : '';
  const from = line(row.file, row.line, row.line_before), to = line(row.to_file, row.to_line, row.to_line_before);
  return [row.name || '', from ? ' ' + from : '', row.to ? ' \u2192 ' + row.to + (to ? ' ' + to : '') : '', row.second ? ' ' + row.second : ''].join('');
}

/* A bar to the right for what became dearer, to the left for what became cheaper. */
function changeBar(change, most) {
  const made = element('i'), cell = element('td', 'bar', made);
  made.style.width = 50 * ratio(Math.abs(change), most) + '%';
  made.style.marginLeft = change < 0 ? 50 - 50 * ratio(Math.abs(change), most) + '%' : '50%';
  if (change > 0) made.style.background = 'rgb(var(--heat))';
  return cell;
}

function changeTable(part, rows) {
  const most = Math.max(1, ...part.rows.map(row => Math.abs(row.change)));
  return makeTable([
    {title: 'change', kind: 'n', value: row => row.change, show: row => SIGNED(row.change)},
    {title: 'of all', kind: 'n', value: row => row.share ?? 0, show: row => signedPercent(row.share)},
    {title: '', kind: 'bar', wide: true, show: row => changeBar(row.change, most)},
    {title: 'before', kind: 'n', wide: true, value: row => row.before, show: row => number(row.before)},
    {title: 'after', kind: 'n', wide: true, value: row => row.after, show: row => number(row.after)},
    {title: 'where', kind: 'where', value: changePlace, show: row => element('span', '', changePlace(row), row.doubtful ? element('span', 'soft', ' (may be the same: both are estimates)') : '')},
  ], rows, {texts: row => [changePlace(row)]});
}

addView({
  name: 'difference',
  has: () => data.difference,
  show(root) {
    const d = data.difference, one = (what, unit) => d.before[what] && element('p', '', 'From ' + number(d.before[what]) + ' ' + unit + ' to ' + number(d.after[what]) + ': ',
      element('b', d.after[what] > d.before[what] ? 'hot' : '', SIGNED(d.after[what] - d.before[what]) + ' (' + signedPercent(ratio(d.after[what] - d.before[what], d.before[what])) + ')'), '.');
    for (const [what, unit] of [['instructions', 'instructions'], ['cycles', 'cycles'], ['loads', 'loads']]) root.append(one(what, unit) || '');
    const tables = d.parts.filter(part => part.rows.length).map((part, i) => {
      const table = changeTable(part, part.rows.slice(0, 5));
      root.append(element('h2', '', link('changes', d.parts.indexOf(part) + 1, partName(part))), table.element);
      return table;
    });
    if (!tables.length) root.append(element('p', '', 'Nothing became dearer or cheaper.'));
    root.append(element('p', 'soft', 'Before: ' + d.before.database + '. After: ' + d.after.database + '. Places are matched by names and lines; shares are of all that there was before.'));
    return {search: text => tables.forEach(table => table.search(text))};
  },
});

addView({
  name: 'changes',
  has: () => data.difference && data.difference.parts.length,
  show(root, argument) {
    const parts = data.difference.parts, chosen = Math.min(Math.max(1, Number(argument) || 1), parts.length) - 1, part = parts[chosen];
    const items = parts.map((other, i) => {
      const to = link('changes', i + 1, partName(other), element('div', 'soft', other.before ? SIGNED(other.after - other.before) + ' ' + (other.units || '') : plural(other.rows.length, 'change')));
      if (i === chosen) to.setAttribute('aria-current', 'true');
      return element('li', '', to);
    });
    const table = changeTable(part, part.rows);
    root.append(element('div', 'side', element('ul', '', ...items), element('section', '', element('h2', '', partName(part)), element('p', 'soft', part.name),
      element('p', '', part.before ? number(part.before) + ' ' + part.units + ' before, ' + number(part.after) + ' after; ' : '', plural(part.same, 'row') + ' of both are the same.'), table.element)));
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
