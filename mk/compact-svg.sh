#!/bin/sh
# SPDX-License-Identifier: MIT
# compact-svg.sh <PLOT.svg: gnuplot's SVG with the same picture in fewer bytes. Coordinates have one
# decimal (a tenth of a pixel), empty groups and filters that no element uses are left out, and
# everything is on one line.
tr -s '\n\t ' ' ' |
    sed -E 's/([0-9]+\.[0-9])[0-9]+/\1/g; s/([0-9])\.0([^0-9])/\1\2/g
        s,<filter id='\''[a-z]*box'\''[^>]*> <feFlood[^>]*/> <feComposite[^>]*/> </filter>,,g
        s/ stroke-linecap="butt"//g; s/ stroke-linejoin="miter"//g; s/ class="gridline"//g
        :a; s,<g [^>]*> ?</g>,,g; ta
        s/> </></g; s/ +'\''/'\''/g; s/<desc>[^<]*<\/desc>//; s/version="1"/version="1.0"/'
