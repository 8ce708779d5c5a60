#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds one HTML page from the pages of results, docs/results/index.html (`make site`; not in git):
#
#     study/experiments/site/make.sh docs/results >docs/results/index.html
set -eu
here=$(cd "$(dirname "$0")" && pwd)
style=$here/../../../src/report/page/assets/page.css
cd "$1"
pages="README interval compressors sampling paths wpp functions counters designs optimizer"
for page in *.md; do # new pages come last
    case " $pages " in *" ${page%.md} "*) ;; *) pages="$pages ${page%.md}" ;; esac
done
cat <<END
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>sluice: results</title>
<style>
END
cat "$style" "$here/site.css"
echo '</style>'
echo '</head>'
echo '<body>'
echo '<header><nav aria-label="pages">'
for page in $pages; do
    [ "$page" = README ] && name=claims || name=$page
    echo "<a href=\"#$page\">$name</a>"
done
cat <<END
</nav>
<div class="tools">
<label>search claims <input id="words" type="search" spellcheck="false" autocomplete="off" placeholder="press /"></label>
<button type="button" data-verdict="" aria-pressed="true">all</button>
<button type="button" data-verdict="holds" aria-pressed="false">holds</button>
<button type="button" data-verdict="partly" aria-pressed="false">partly</button>
<button type="button" data-verdict="does not" aria-pressed="false">does not</button>
<span id="count" class="soft"></span>
</div>
</header>
<main>
END
files=
for page in $pages; do files="$files $page.md"; done
# shellcheck disable=SC2086
awk -f "$here/markdown.awk" $files
echo '</main>'
echo '<script>'
cat "$here/site.js"
echo '</script>'
echo '</body>'
echo '</html>'
