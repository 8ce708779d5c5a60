/* SPDX-License-Identifier: MIT */
/* View `phases`: the heavy hitters of each interval over time. Bars above the line are those still hot from the
 * previous interval and new ones, bars below the line those that are gone. */

function phasePicture(profile) {
  const rows = profile.rows, width = 1000, above = 120, n = rows.length;
  const gone = Math.max(...rows.map(row => row[4])), below = gone ? 50 : 0;
  const most = Math.max(1, ...rows.map(row => row[2]));
  const scale = Math.max(most / above, below ? gone / below : 0), step = width / n;
  const svg = drawing('svg', {viewBox: '0 0 ' + width + ' ' + (above + below), preserveAspectRatio: 'none', role: 'img', class: 'intervals', 'aria-label': 'heavy hitters of each interval'});
  svg.style.height = above + below + 'px';
  rows.forEach((row, i) => {
    const x = i * step, w = Math.max(0.5, step - (step > 4 ? 1 : 0)), added = Math.min(row[3], row[2]), still = row[2] - added;
    const group = drawing('g', {});
    group.append(drawing('title', {}, 'from event ' + number(row[0]) + ': ' + number(row[2]) + ' heavy hitters, ' + number(row[3]) + ' new, ' + number(row[4]) + ' gone' + (row[5] === null ? '' : ', error ' + percent(row[5]))));
    group.append(drawing('rect', {class: 'still', x, y: above - still / scale, width: w, height: still / scale}));
    group.append(drawing('rect', {class: 'new', x, y: above - (still + added) / scale, width: w, height: added / scale}));
    group.append(drawing('rect', {class: 'gone', x, y: above, width: w, height: row[4] / scale}));
    svg.append(group);
  });
  svg.append(drawing('line', {x1: 0, x2: width, y1: above, y2: above}));
  const last = rows[n - 1];
  return element('div', '', svg, element('p', 'sub', 'events 0 to ' + number(last[0] + last[1]) + '; at most ' + plural(most, 'heavy hitter') + ' in an interval' + (gone ? ', and at most ' + number(gone) + ' gone at once' : '')));
}

function describePhases(profile) {
  let still = 0, left = 0, candidates = 0;
  profile.rows.forEach((row, i) => { candidates += row[2]; if (i) { still += Math.max(0, row[2] - row[3]); left += row[4]; } });
  return plural(profile.rows.length, 'interval') + (profile.each > 1 ? ', each a mean of ' + profile.each : '') + ', ' + (candidates / profile.rows.length).toFixed(1) + ' heavy hitters per interval' +
    (still + left > 0 && profile.each === 1 ? ', ' + percent(still / (still + left)) + ' of them still hot in the next' : '') + '.';
}

addView({
  name: 'phases',
  title: 'Phases',
  has: () => data.phases && data.phases.some(p => p.rows.length > 1),
  show(root) {
    const text = (state.q || '').trim().toLowerCase(), key = element('span', 'sub key', element('i', 'still'), 'still hot', element('i', 'new'), 'new', element('i', 'gone'), 'gone');
    root.append(element('div', 'head', element('h2', '', 'Phases'), element('span', 'sub', 'heavy hitters of each interval of the run'), element('div', 'aside', key)),
      ...data.phases.filter(p => p.rows.length > 1 && matches([p.spec, p.of], text)).map(profile => element('section', '', element('div', 'head', element('h3', '', 'Hot ' + profile.of + ' over time'), element('span', 'sub mono', profile.spec)),
        phasePicture(profile), element('p', 'more', describePhases(profile)))),
      element('p', 'more', 'An interval with many new heavy hitters begins another part of the run. sluice report --json has the numbers of each interval.'));
    return {searches: true};
  },
});
