/* SPDX-License-Identifier: MIT */
/* A table with sortable columns and a search. A click on a heading sorts by that column, a second click reverses the
 * order. A search shows only the rows that contain the text.
 *
 *     columns: {title, value: row => number or text, show: row => text or element, kind: 'n' (number)|'bar'|'where'|'',
 *               wide: hidden on narrow screens}
 *     options: {sort: column, rows: maximum at first, texts: row => texts to search, chosen: row => bool} */
const ROWS = 200;

function makeTable(columns, rows, options = {}) {
  let sorted = options.sort ?? null, down = true, searched = '', most = options.rows || ROWS;
  const head = element('tr'), body = element('tbody');
  const more = element('p', 'soft');
  const table = element('table', '', element('thead', '', head), body);
  const texts = options.texts || (row => row.filter(cell => typeof cell === 'string'));

  columns.forEach((column, i) => {
    const th = element('th', (column.kind === 'n' ? 'n' : '') + (column.wide ? ' wide' : ''));
    th.scope = 'col';
    if (column.value) th.append(button(column.title, () => { down = sorted === i ? !down : true; sorted = i; fill(); }));
    else th.append(column.title);
    head.append(th);
  });

  function order(a, b) {
    const value = columns[sorted].value, x = value(a), y = value(b);
    const by = typeof x === 'number' ? x - y : String(x ?? '').localeCompare(String(y ?? ''), 'en', {numeric: true});
    const reversed = typeof x === 'number' ? down : !down;
    return reversed ? -by : by;
  }

  function cell(column, row) {
    const shown = column.show ? column.show(row) : column.value(row);
    if (column.kind === 'bar') return shown;
    return element('td', (column.kind || '') + (column.wide ? ' wide' : ''), shown);
  }

  function fill() {
    let found = rows.filter(row => matches(texts(row), searched));
    if (sorted !== null) found = found.slice().sort(order);
    body.replaceChildren(...found.slice(0, most).map(row => {
      const tr = element('tr', options.chosen && options.chosen(row) ? 'chosen' : '', ...columns.map(c => cell(c, row)));
      for (const td of tr.children) if (td.className === 'bar' && columns.some(c => c.kind === 'bar' && c.wide)) td.className = 'bar wide';
      return tr;
    }));
    [...head.children].forEach((th, i) => i === sorted ? th.setAttribute('aria-sort', descending() ? 'descending' : 'ascending')
                                                       : th.removeAttribute('aria-sort'));
    more.replaceChildren();
    if (found.length > most)
      more.append(number(found.length - most) + ' more rows ', button('show all', () => { most = found.length; fill(); }));
    else if (!found.length)
      more.append(searched ? 'No match.' : 'No rows.');
  }
  const descending = () => rows.length && typeof columns[sorted].value(rows[0]) === 'number' ? down : !down;

  fill();
  return {element: element('div', '', table, more), search: text => { searched = text; fill(); }};
}
