/* SPDX-License-Identifier: MIT */
/* View `warnings`: warnings about the run, data that are not on this page, and how the page was made. */

/* What the numbers of the page are. */
function accuracy() {
  if (data.difference) return 'differences between two runs';
  const sampling = data.program.load_sampling;
  return 'costs of functions and lines count every instruction' + (sampling ? '; load values are sampled, 1 in ' + number(sampling.period) + ' windows' : '');
}

addView({
  name: 'warnings',
  title: 'Warnings and notes',
  show(root) {
    const list = (texts, none) => texts.length ? texts.map(text => element('p', 'note', text)) : [element('p', 'note', none)];
    const written = new Date(document.lastModified);
    root.append(element('section', '', element('h2', '', 'Warnings'), list(data.warnings, data.difference ? 'None.' : 'None: the whole run was profiled.')),
      element('section', '', element('h2', '', 'Left out of this page'), list(data.left_out, 'Nothing.')),
      element('section', '', element('h2', '', 'This page'), element('p', 'note', 'Made by sluice ' + data.version + (Number.isNaN(written.getTime()) ? '' : '; the file was written on ' + written.toLocaleString('en', {dateStyle: 'medium', timeStyle: 'short'})) +
        '. The page is self-contained and loads nothing from the network. ' + accuracy()[0].toUpperCase() + accuracy().slice(1) + '. The view of tables has the entries of each table, with their bounds.')));
    return {};
  },
});
