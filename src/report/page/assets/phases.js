/* SPDX-License-Identifier: MIT */
/* Intervals over time: of the candidates of each, which stayed from the one before and which were new, and,
 * below the line, which went. */

function phasePicture(profile) {
  const rows = profile.rows, width = 1000, above = 120, n = rows.length;
  const gone = Math.max(...rows.map(row => row[4])), below = gone ? 50 : 0;
  const most = Math.max(1, ...rows.map(row => row[2]));
  const scale = Math.max(most / above, below ? gone / below : 0), step = Math.min(40, width / n);
  const svg = drawing('svg', {viewBox: '0 0 ' + width + ' ' + (above + below), preserveAspectRatio: 'none', role: 'img'});
  svg.style.height = above + below + 'px';
  rows.forEach((row, i) => {
    const x = i * step, w = Math.max(0.5, step - (step > 4 ? 1 : 0)), fresh = Math.min(row[3], row[2]), stay = row[2] - fresh;
    const group = drawing('g', {});
    group.append(drawing('title', {}, 'from event ' + number(row[0]) + ': ' + number(row[2]) + ' candidates, ' + number(row[3]) + ' came, ' + number(row[4]) + ' went' + (row[5] === null ? '' : ', error ' + percent(row[5]))));
    group.append(drawing('rect', {class: 'stay', x, y: above - stay / scale, width: w, height: stay / scale}));
    group.append(drawing('rect', {class: 'come', x, y: above - (stay + fresh) / scale, width: w, height: fresh / scale}));
    group.append(drawing('rect', {class: 'gone', x, y: above, width: w, height: row[4] / scale}));
    svg.append(group);
  });
  svg.append(drawing('line', {class: 'axis', x1: 0, x2: width, y1: above, y2: above}));
  const last = rows[n - 1];
  return element('div', '', svg, element('p', 'soft', 'from event 0 on the left to ' + number(last[0] + last[1]) + '; the highest has ' + plural(most, 'candidate') + (gone ? ', and at most ' + number(gone) + ' went at once' : '')));
}

function phaseWords(profile) {
  let stayed = 0, left = 0, candidates = 0;
  profile.rows.forEach((row, i) => { candidates += row[2]; if (i) { stayed += Math.max(0, row[2] - row[3]); left += row[4]; } });
  return plural(profile.rows.length, 'interval') + (profile.each > 1 ? ' of ' + profile.each + ' each' : '') + ', ' + (candidates / profile.rows.length).toFixed(1) + ' candidates in each' +
    (stayed + left > 0 && profile.each === 1 ? ', ' + percent(stayed / (stayed + left)) + ' of them stay to the next' : '') + '.';
}

addView({
  name: 'phases',
  has: () => data.phases && data.phases.length,
  show(root) {
    const key = element('p', 'key soft', 'candidates of each interval: ', element('i', 'stay'), 'stayed', element('i', 'come'), 'came', element('i', 'gone'), 'went');
    const sections = data.phases.map(profile => element('section', '', element('h2', '', 'Hot ' + profile.of + ' over time', element('span', 'soft', ' ' + profile.spec)),
      element('p', '', phaseWords(profile)), phasePicture(profile)));
    root.append(key, ...sections);
    return {search: text => sections.forEach((s, i) => { s.hidden = !matches([data.phases[i].spec, data.phases[i].of], text); })};
  },
});
