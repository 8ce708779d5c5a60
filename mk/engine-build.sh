#!/bin/sh
# SPDX-License-Identifier: MIT
# engine-build.sh TREE LOG GUEST...: builds the engine (QEMU's user mode with the tap) in the current
# directory, which is empty, and leaves it in ./result. mk/engine.sh calls it. TREE is the checkout;
# the output of the tools goes to LOG.
#
# tap/engine/files lists the files to copy into QEMU's tree, as "FILE DIRECTORY"; hooks-VERSION.patch
# adds the calls to them. All optional features of QEMU that user mode can do without are off.
tree=$1 log=$2
shift 2
guests=$*
tap=$tree/tap/engine
options='--without-default-features --disable-system --disable-tools --disable-docs
    --disable-debug-info --disable-werror --enable-plugins'

say()
{
    echo "  ENGINE  $*" >&3
}

stop()
{
    printf 'make engine: %s\n' "$@" >&4
    exit 1
}

failed() # DOING
{
    tail -n 12 "$log" | sed 's/^/    /' >&4
    stop "$1 failed; all that was said is in $log"
}

known_versions()
{
    for patch in "$tap"/hooks-*.patch; do
        basename "${patch#*/hooks-}" .patch
    done | sort -V | paste -sd '|' | sed 's/|/ and /g'
}

from_distribution()
{
    command -v apt-get >/dev/null ||
        stop 'there is no apt-get here: name a tarball or directory of QEMU with QEMU_SOURCE='
    say "gets the distribution's source package of QEMU, 25 to 40 MB"
    { [ "$package" ] && sh "$tree/mk/apt-source.sh" "qemu=$package"; } ||
        sh "$tree/mk/apt-source.sh" qemu || failed 'apt-get source qemu'
    mv qemu-*/ qemu
}

unpack() # into ./qemu
{
    if [ -d "$QEMU_SOURCE" ]; then
        cp -r "$QEMU_SOURCE" qemu
    elif [ "$QEMU_SOURCE" ]; then
        mkdir qemu && tar -xf "$QEMU_SOURCE" -C qemu --strip-components=1
    else
        from_distribution
    fi
}

put_tap_in()
{
    sed '/^#/d' "$tap/files" | while read -r file directory; do
        mkdir -p "qemu/$directory" && cp "$tree/$file" "qemu/$directory/" || exit
    done && patch -d qemu -p1 <"$tap/hooks-$series.patch"
}

# Shows ninja's [n/m]: on a terminal in one line that is overwritten, else one line per fifth.
progress()
{
    last=0
    while read -r line; do
        count=$(expr "$line" : '\[\([0-9]*/[0-9]*\)\]') || continue
        fifth=$((5 * ${count%/*} / ${count#*/}))
        if [ -t 3 ]; then
            printf '\r  ENGINE  %s of %s files' "${count%/*}" "${count#*/}" >&3
        elif [ $fifth -gt $last ]; then
            say "${count%/*} of ${count#*/} files"
        fi
        last=$fifth
    done
    [ ! -t 3 ] || echo >&3
}

configure()
{
    targets=$(printf '%s-linux-user,' $guests)
    case $series in 7.*) ;; *) options="$options --disable-install-blobs" ;; esac
    (mkdir qemu/build && cd qemu/build &&
        ../configure --cc="${CC:-cc}" --target-list="${targets%,}" $options)
}

compile()
{
    { ninja -C qemu/build $(printf 'qemu-%s ' $guests) || touch failed; } | tee -a "$log" | progress
    [ ! -e failed ]
}

gather() # into ./result
{
    mkdir result || return
    for guest in $guests; do
        strip -o "result/qemu-$guest" "qemu/build/qemu-$guest" || return
    done
    cp qemu/COPYING result/ && cat >result/README <<EOF
The user mode of QEMU $version with the tap of sluice in it, under the GNU General Public License,
version 2 (COPYING). It was made by "make engine" of sluice from
${QEMU_SOURCE:-"the source package qemu $package of the distribution"} and sluice's tap/engine.
EOF
}

exec 3>&1 4>&2 >"$log" 2>&1
began=$(date +%s)
unpack || failed "unpacking ${QEMU_SOURCE:-the source package}"
version=$(cat qemu/VERSION) || stop "${QEMU_SOURCE:-the source package} is no source of QEMU: it has no VERSION"
series=$(echo "$version" | cut -d . -f 1,2)
[ -f "$tap/hooks-$series.patch" ] ||
    stop "this is QEMU $version, and the tap is for $(known_versions):" \
        'name such a source with QEMU_SOURCE=, or use a QEMU that has plugins'
put_tap_in || failed 'putting the tap in'
say "builds QEMU $version's user mode with the tap for $guests;"
say 'once on this machine, 3 to 6 minutes on two cores. It is under the GPL, version 2.'
configure || failed 'configure of QEMU'
compile || failed 'building QEMU'
gather || failed 'stripping the programs'
say "took $((($(date +%s) - began + 30) / 60)) minutes"
rm "$log"
