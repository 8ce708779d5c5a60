// SPDX-License-Identifier: MIT
'use strict';
/* Filters the claims by words in them and by verdict. */
const words = document.getElementById('words'), count = document.getElementById('count');
const rows = [...document.querySelectorAll('#README .claims tbody tr')];
let verdict = '';

function filter() {
  const wanted = words.value.trim().toLowerCase();
  let n = 0;
  for (const row of rows) {
    const fits = (!verdict || row.querySelector('.verdict').textContent === verdict) && row.textContent.toLowerCase().includes(wanted);
    row.hidden = !fits;
    n += fits;
  }
  count.textContent = n + ' of ' + rows.length + ' rows';
}

for (const choice of document.querySelectorAll('button[data-verdict]'))
  choice.addEventListener('click', () => {
    verdict = choice.dataset.verdict;
    for (const other of document.querySelectorAll('button[data-verdict]')) other.setAttribute('aria-pressed', String(other === choice));
    filter();
  });
words.addEventListener('input', filter);
document.addEventListener('keydown', event => {
  if (event.key === '/' && event.target !== words) { words.focus(); event.preventDefault(); }
  if (event.key === 'Escape' && event.target === words) { words.value = ''; filter(); words.blur(); }
});
filter();
