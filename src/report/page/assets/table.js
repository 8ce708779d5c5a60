/* SPDX-License-Identifier: MIT */
/* A table with sortable columns. A click on a heading sorts by that column, a second click reverses the order. A search
 * (state.q) shows only the rows that contain the text.
 *
 *     columns: {title, value: row => number or text, show: row => text or element, kind: class ('num', 'name', 'bars',
 *               'line', 'text'), wide: hidden on narrow screens, phone: hidden on phones}
 *     options: {sort: column, up: ascending, rows: maximum at first, texts: row => texts to search, sorted: (i, up) => called
 *               after a click, before: shown rows => called before they are drawn, more: (shown rows, all) => text below} */
const ROWS = 200;

function makeTable(columns, rows, options = {}) {
  let sorted = options.sort ?? null, up = options.up || false, most = options.rows || ROWS;
  const searched = (state.q || '').trim().toLowerCase();
  const head = element('tr'), body = element('tbody');
  const more = element('p', 'more');
  const table = element('table', '', element('thead', '', head), body);
  const texts = options.texts || (row => row.filter(cell => typeof cell === 'string'));
  const classOf = column => [column.kind, column.wide && 'wide', column.phone && 'phone-hidden'].filter(x => x).join(' ');
  const found = rows.filter(row => matches(texts(row), searched));
  const isNumber = i => found.length > 0 && typeof columns[i].value(found[0]) === 'number';

  columns.forEach((column, i) => {
    const th = element('th', classOf(column).replace('bars', ''));
    th.scope = 'col';
    if (column.value)
      th.append(button('', column.title, () => {
        up = sorted === i ? !up : !isNumber(i);
        sorted = i;
        if (options.sorted) options.sorted(i, up);
        fill();
      }));
    else th.append(column.title);
    head.append(th);
  });

  function order(a, b) {
    const value = columns[sorted].value, x = value(a), y = value(b);
    const by = typeof x === 'number' ? x - y : String(x ?? '').localeCompare(String(y ?? ''), 'en', {numeric: true});
    return up ? by : -by;
  }

  function fill() {
    const shown = (sorted === null ? found : found.slice().sort(order)).slice(0, most);
    if (options.before) options.before(shown);
    body.replaceChildren(...shown.map(row => element('tr', '', columns.map(column => {
      const cell = element('td', classOf(column), column.show ? column.show(row) : column.value(row));
      if (column.kind === 'name' || column.kind === 'line') cell.title = column.value ? column.value(row) : '';
      return cell;
    }))));
    [...head.children].forEach((th, i) => i === sorted ? th.setAttribute('aria-sort', up ? 'ascending' : 'descending') : th.removeAttribute('aria-sort'));
    more.replaceChildren(...(options.more ? options.more(shown, found) : []));
    if (!options.more && found.length > most)
      more.append(number(found.length - most) + ' more rows. ', button('link', 'Show all', () => { most = found.length; fill(); }));
    if (!found.length) more.append(searched ? 'No match.' : 'No rows.');
  }

  fill();
  return element('div', '', element('div', 'scroll', table), more);
}

/* A link to the source of a line such as "primes.c:22", or its text. */
function lineLink(text) {
  const f = text && sourceLine(text);
  return f ? link('source', {f: functionKey(f.f), line: f.line}, text) : text || '';
}
