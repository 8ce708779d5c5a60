# SPDX-License-Identifier: MIT
# Converts the pages of results, Markdown written by the lab, to sections of one HTML page. Supports headings, paragraphs, lists,
# tables, links, pictures, bold, italic, code, fences, comments, and <details> on lines of their own.
function escaped(text) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); gsub(/"/, "\\&quot;", text)
    return text
}
# A page's name is its section's; other targets stay.
function target(to) {
    if (to ~ /^[a-z]+\.md(#.*)?$/) { sub(/\.md.*$/, "", to); return "#" to }
    if (to ~ /^README\.md/) return "#README"
    return to
}
function inline(text,    out, at, label, to) {
    out = ""
    text = escaped(text)
    while (match(text, /`[^`]+`|!?\[[^]]*\]\([^)]*\)|\*\*[^*]+\*\*|\*[^* ][^*]*\*/)) {
        out = out substr(text, 1, RSTART - 1)
        at = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (at ~ /^`/) out = out "<code>" substr(at, 2, length(at) - 2) "</code>"
        else if (at ~ /^\*\*/) out = out "<b>" substr(at, 3, length(at) - 4) "</b>"
        else if (at ~ /^\*/) out = out "<em>" substr(at, 2, length(at) - 2) "</em>"
        else {
            label = at; sub(/^!?\[/, "", label); sub(/\]\(.*$/, "", label)
            to = at; sub(/^.*\]\(/, "", to); sub(/\)$/, "", to)
            if (at ~ /^!/) out = out "<img class=\"plot\" loading=\"lazy\" src=\"" to "\" alt=\"" label "\">"
            else out = out "<a href=\"" target(to) "\">" inline_code(label) "</a>"
        }
    }
    return out text
}
# A label is escaped already.
function inline_code(text) {
    while (match(text, /`[^`]+`/))
        text = substr(text, 1, RSTART - 1) "<code>" substr(text, RSTART + 1, RLENGTH - 2) "</code>" substr(text, RSTART + RLENGTH)
    return text
}
function flush() {
    if (paragraph != "") print "<p>" inline(paragraph) "</p>"
    paragraph = ""
    if (list) print "<li>" inline(item) "</li></ul>"
    list = 0
    if (table) print "</tbody></table></div>"
    table = 0
}
function cells(line, n) {
    sub(/^\| */, "", line); sub(/ *\|$/, "", line)
    return split(line, cell, / *\| */)
}
function row(line,    n, i, class) {
    n = cells(line)
    if (table == 1) {
        claims = 0
        for (i = 1; i <= n; i++) { if (cell[i] == "verdict") claims = i; head[i] = cell[i] }
        heads = n
        table = 2
        return
    }
    if (table == 2) {
        printf "<div class=\"table\"><table%s><thead><tr>", claims && head[2] == "published" ? " class=\"claims\"" : ""
        for (i = 1; i <= heads; i++) { right[i] = cell[i] ~ /:$/; printf "<th%s>%s</th>", right[i] ? " class=\"n\"" : "", inline(head[i]) }
        print "</tr></thead><tbody>"
        table = 3
        return
    }
    printf "<tr>"
    for (i = 1; i <= n; i++) {
        class = right[i] ? "n" : ""
        if (i == claims) class = "verdict " (cell[i] == "holds" ? "holds" : cell[i] == "partly" ? "partly" : cell[i] == "does not" ? "not" : "open")
        printf "<td%s>%s</td>", class != "" ? " class=\"" class "\"" : "", inline(cell[i])
    }
    print "</tr>"
}
FNR == 1 {
    flush()
    if (NR > 1) print "</section>"
    name = FILENAME; sub(/.*\//, "", name); sub(/\.md$/, "", name)
    print "<section id=\"" name "\">"
}
/^```/ { flush(); fence = !fence; print fence ? "<pre>" : "</pre>"; next }
fence { print escaped($0); next }
/^<!--/ { next }
/^<details>/ { flush(); gsub(/<details><summary>|<\/summary>/, ""); print "<details><summary>" inline($0) "</summary>"; next }
/^<\/details>/ { flush(); print "</details>"; next }
/^# / { flush(); print "<h2>" inline(substr($0, 3)) "</h2>"; next }
/^##+ / { flush(); sub(/^#+ /, ""); print "<h3>" inline($0) "</h3>"; next }
/^\|/ { if (!table) { flush(); table = 1 } row($0); next }
/^- / { if (!list) { flush(); print "<ul>" } else print "<li>" inline(item) "</li>"; list = 1; item = substr($0, 3); next }
/^$/ { flush(); next }
{ if (list) item = item " " $0; else { if (table) flush(); paragraph = paragraph (paragraph == "" ? "" : " ") $0 } }
END { flush(); print "</section>" }
