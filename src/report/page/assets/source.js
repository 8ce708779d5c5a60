/* SPDX-License-Identifier: MIT */
/* View `source`: source lines coloured by cost. A click on a line shows its instructions with remarks such as
 * "taken 4.6%"; the key i shows the instructions of all lines. */

const sourceState = {open: new Set(), all: false};

/* Index of the code range that contains a line such as "primes.c:22"; -1 if there is none. */
function partWith(text) {
  const at = /^(.*):(\d+)$/.exec(text || '');
  if (!at || !data.source) return -1;
  return data.source.parts.findIndex(part => part.file && baseName(part.file) === baseName(at[1]) && part.lines.some(line => line[0] === Number(at[2])));
}

function sourceLink(text) {
  const part = partWith(text);
  return part < 0 ? document.createTextNode(text || '') : link('source', part + 1, text);
}

function partTitle(part) {
  const lines = part.lines.filter(line => line[2]).map(line => line[0]);
  if (!part.file) return (part.of.join(', ') || 'code') + ' (no lines)';
  return baseName(part.file) + ':' + lines[0] + (lines.length > 1 ? '-' + lines[lines.length - 1] : '');
}

const partCost = part => part.lines.reduce((sum, line) => sum + (line[2] ? line[2][0] : 0), 0);

function heat(node, part) {
  if (part > 0.0005) node.style.backgroundColor = 'rgba(var(--heat), ' + (0.06 + 0.4 * Math.sqrt(part)).toFixed(3) + ')';
  return node;
}

function instructionRow(insn, total) {
  const row = element('div', 'insn', element('span', 'n wide', number(insn[2][0])), element('span', 'n', share(insn[2][0], total)),
    element('span', 'n soft wide', insn[0]), element('span', 'text', insn[1]), element('span', 'remark', insn[3]));
  heat(row.children[1], ratio(insn[2][0], total));
  row.title = data.source.columns.map((c, i) => number(insn[2][i]) + ' ' + c.name).join(', ');
  return row;
}

function showLine(line, key, total, redraw) {
  const cost = line[2] ? line[2][0] : null, insns = line[3] || [];
  const row = element('div', 'line' + (insns.length ? ' has' : ''), element('span', 'n wide', cost ? number(cost) : ''), element('span', 'n', cost ? share(cost, total) : ''),
    element('span', 'number', line[0] || ''), element('span', 'text', line[1] === null ? '' : line[1]));
  if (cost) {
    heat(row.children[1], ratio(cost, total));
    row.title = data.source.columns.map((c, i) => number(line[2][i]) + ' ' + c.name).join(', ');
  }
  if (insns.length) row.addEventListener('click', () => { if (!sourceState.open.delete(key)) sourceState.open.add(key); redraw(); });
  const rows = [row];
  if (insns.length && (sourceState.all || sourceState.open.has(key) || !line[0]))
    for (const insn of insns) {
      if (insn[4]) rows.push(element('div', 'inlined', 'in ' + insn[4]));
      rows.push(instructionRow(insn, total));
    }
  return rows;
}

addView({
  name: 'source',
  has: () => data.source && data.source.parts.length,
  show(root, argument) {
    const source = data.source, column = source.columns[0], total = column.total;
    const chosen = Math.min(Math.max(1, Number(argument) || 1), source.parts.length) - 1, part = source.parts[chosen];
    const list = element('ul'), code = element('div', 'code');
    const items = source.parts.map((p, i) => {
      const to = link('source', i + 1, element('span', 'n', share(partCost(p), total) + ' '), partTitle(p), element('div', 'soft', p.of.slice(0, 2).join(', ')));
      if (i === chosen) to.setAttribute('aria-current', 'true');
      return {element: element('li', '', to), texts: [p.file, partTitle(p), ...p.of, ...p.lines.map(line => line[1])]};
    });
    list.append(...items.map(i => i.element));
    const draw = () => code.replaceChildren(...part.lines.flatMap(line => showLine(line, chosen + ':' + line[0], total, draw)));
    const cost = partCost(part);
    root.append(element('div', 'side', list, element('section', '',
      element('h2', '', part.file || partTitle(part)),
      element('p', '', number(cost) + ' ' + column.name + ', ' + share(cost, total) + ' of the total; in ', ...part.of.flatMap((name, i) => [i ? ', ' : '', link('calls', name, name)])),
      element('p', 'soft', part.lines.some(line => line[1] !== null) || !part.file ? 'Click a line to show its instructions. Keys: i shows those of all lines, n and p the next and previous code range.' : 'The source file was not found when this page was made. Click a line to show its instructions.'), code)));
    draw();
    return {
      search: text => items.forEach(i => { i.element.hidden = !matches(i.texts, text); }),
      key: key => {
        if (key === 'i') { sourceState.all = !sourceState.all; draw(); }
        else if (key === 'n' || key === 'p') go('source', Math.min(Math.max(1, chosen + 1 + (key === 'n' ? 1 : -1)), source.parts.length));
        else return false;
        return true;
      },
    };
  },
});
