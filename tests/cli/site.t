#!/bin/sh
# SPDX-License-Identifier: MIT
# `make site` builds the HTML page of the result pages.
. "$(dirname "$0")/../lib.sh"
results=$root/docs/results
mkdir site && cp "$results"/*.svg site/
site=$PWD/site/index.html

sh "$root/study/experiments/site/make.sh" "$results" >made.html 2>err
is 'it can be made from the pages' "$? $(cat err)" '0 '
claims() { awk '/^\| claim \| published/ { on = 1; next } !/^\|/ { on = 0 } on && !/^\| ---/' "$results/README.md" | wc -l; }
rows() { awk '/<section id="README">/ { on = 1 } /<table class="claims">/ { table = on } /<\/table>/ { table = 0 } /<\/section>/ { on = 0 } table && /^<tr><td>/' "$1" | wc -l; }
is 'every claim is in its table' "$(rows made.html)" "$(claims)"
ok 'which are many' [ "$(claims)" -gt 50 ]
cp made.html "$site"
# The numbers of claims by verdict, in the first sentence and in the tables after it. Only claims with a
# published figure are counted.
counted() # FILE VERDICT
{
    awk -v verdict="$2" '/^## / { on = 1 } /^## (All of them together|Windows|Without|What cannot)/ { on = 0; after = 1 }
        on && !after && /^\| claim \| published/ { table = 1; next } !/^\|/ { table = 0 }
        table && !/^\| ---/ { n += !verdict || index($0, "| " verdict " |") > 0 } END { print n + 0 }' "$1"
}
sentence() { sed -n '/^Of [0-9]* claims/,/here\./p' "$1" | tr '\n' ' ' | sed 's/ here\..*/ here./'; }
is 'the sentence counts the claims that the tables have' "$(sentence "$results/README.md")" \
    "Of $(counted "$results/README.md" '') claims with a published figure $(counted "$results/README.md" holds) hold, $(
    counted "$results/README.md" partly) hold partly, $(counted "$results/README.md" 'does not') do not, and $(
    counted "$results/README.md" –) cannot be judged here."
sed '/^| claim | published/,/^$/ { /| holds |/ { s/| holds |/| partly |/; :a; n; ba } }' "$results/README.md" >other.md
ok 'and would not if one were another' [ "$(sentence other.md)" != "Of $(counted other.md '') claims with a published figure $(
    counted other.md holds) hold, $(counted other.md partly) hold partly, $(counted other.md 'does not') do not, and $(
    counted other.md –) cannot be judged here." ]
is 'the site has the same sentence' "$(grep -o 'Of [0-9]* claims with a published figure[^.]*\.' made.html)" \
    "$(sentence "$results/README.md")"
ok 'and says with which commit it was measured' grep -qE 'measured with (several commits of sluice: |sluice.s commit )[0-9a-f]{7}' \
    "$results/README.md"
is 'every page has a place' "$(sed -n 's/^<section id="\(.*\)">/\1/p' made.html | sort | tr '\n' ' ')" \
    "$(cd "$results" && ls *.md | sed 's/\.md$//' | sort | tr '\n' ' ')"
missing=
for file in $(grep -o 'src="[^"]*"' made.html | sed 's/src="//; s/"$//' | sort -u); do
    [ -s "$results/$file" ] || missing="$missing $file"
done
is 'every plot is there' "$missing" ''
is 'no link leads nowhere' "$(grep -o 'href="#[^"]*"' made.html | sed 's/href="#//; s/"$//' | sort -u |
    while read -r to; do grep -q "id=\"$to\"" made.html || echo "$to"; done)" ''
is 'nothing comes from elsewhere' "$(grep -E 'src="(https?:|//)|<link|@import' made.html)" ''

export HOME="$T" XDG_CONFIG_HOME="$T" XDG_CACHE_HOME="$T"
if ! { command -v chromium && "$BUILD/tests/support/browser" "$T/profile" </dev/null; } >out 2>&1; then
    skip 'it is shown in Chromium' 'there is none, or it does not start here'
    finish
    exit
fi
: >script
: >names
see() { printf '%s\n' "$1" >>names; printf 'is %s\n' "$2" >>script; }
do_() { printf '%s\n' "$*" >>script; }
do_ size 1280 900
do_ open "file://$site"
see 'all claims are shown' "document.getElementById('count').textContent === '$(claims) of $(claims) rows'"
do_ do "document.querySelector('[data-verdict=\"does not\"]').click()"
see 'they can be filtered by what became of them' "[...document.querySelectorAll('#README .claims tbody tr')].every(r => r.hidden === (r.querySelector('.verdict').textContent !== 'does not'))"
do_ do "document.querySelector('[data-verdict=\"\"]').click()"
do_ key /
do_ type gcc
see 'and by their words' "[...document.querySelectorAll('#README .claims tbody tr')].every(r => r.hidden === !r.textContent.toLowerCase().includes('gcc'))"
do_ key Escape
see 'Escape shows all' "[...document.querySelectorAll('#README .claims tbody tr')].every(r => !r.hidden)"
for theme in light dark; do
    do_ theme $theme
    for width in 500 1280; do
        do_ size $width 900
        see "it is not wider than $width pixels ($theme)" "document.documentElement.scrollWidth <= innerWidth"
    done
done
see 'plots are turned dark with the page' "getComputedStyle(document.querySelector('.plot')).filter !== 'none'"
"$BUILD/tests/support/browser" "$T/profile" <script >out 2>err
ok 'Chromium runs the whole script' [ $? -eq 0 ]
line=0
while IFS= read -r name; do
    line=$((line + 1))
    is "$name" "$(sed -n "${line}p" out)" true
done <names
finish
