/* SPDX-License-Identifier: MIT */
/* View `warnings`: warnings about the run, data that are not on this page, and how the page was made. */

addView({
  name: 'warnings',
  show(root) {
    root.append(element('h2', '', 'Warnings'), ...(data.warnings.length ? data.warnings.map(text => element('p', 'note', text)) : [element('p', '', data.difference ? 'None.' : 'None: the whole run was profiled.')]));
    root.append(element('h2', '', 'Left out of this page'), ...(data.left_out.length ? data.left_out.map(text => element('p', '', text)) : [element('p', '', 'Nothing.')]));
    root.append(element('h2', '', 'This page'), element('p', 'soft', 'Made by sluice ' + data.version + '. The page is self-contained and loads nothing from the network. Counts are those of the whole run; where a table holds estimates, it shows their bounds.'));
    return {};
  },
});
