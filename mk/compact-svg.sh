#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes an SVG file of gnuplot smaller without changing the picture: compact-svg.sh <PLOT.svg
# It rounds coordinates to a tenth of a pixel, removes empty groups and unused filters, and joins lines.
tr -s '\n\t ' ' ' |
    sed -E 's/([0-9]+\.[0-9])[0-9]+/\1/g; s/([0-9])\.0([^0-9])/\1\2/g
        s,<filter id='\''[a-z]*box'\''[^>]*> <feFlood[^>]*/> <feComposite[^>]*/> </filter>,,g
        s/ stroke-linecap="butt"//g; s/ stroke-linejoin="miter"//g; s/ class="gridline"//g
        :a; s,<g [^>]*> ?</g>,,g; ta
        s/> </></g; s/ +'\''/'\''/g; s/<desc>[^<]*<\/desc>//; s/version="1"/version="1.0"/'
