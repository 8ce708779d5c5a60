/* SPDX-License-Identifier: MIT */
/* What is to be known, what was left out, and what this page is. */

addView({
  name: 'notes',
  show(root) {
    root.append(element('h2', '', 'To be known'), ...(data.notes.length ? data.notes.map(text => element('p', 'note', text)) : [element('p', '', data.difference ? 'Nothing.' : 'Nothing: all that the program did was profiled.')]));
    root.append(element('h2', '', 'Left out of this page'), ...(data.left_out.length ? data.left_out.map(text => element('p', '', text)) : [element('p', '', 'Nothing.')]));
    root.append(element('h2', '', 'This page'), element('p', 'soft', 'Made by sluice ' + data.version + '. It is complete in itself, fetches nothing, and shows what is in the database of the run. Counts are of what was executed: nothing is sampled, except where a table says so by its bounds.'));
    return {};
  },
});
