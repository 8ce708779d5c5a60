#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes an access log of a web shop with N lines for demo/visits.c, the same in every run.
#
#     access-log.sh N
awk -v lines="${1:-20000}" '
    function random(limit) { # a linear congruential generator, because rand() differs between awks
        seed = (seed * 16807) % 2147483647
        return seed % limit
    }
    BEGIN {
        seed = 42
        for (i = 0; i < lines; i++) {
            kind = random(10)
            # Some items are popular: the product of two random numbers is often small.
            if (kind < 7) path = "/shop/item/" 10000 + int(random(300) * random(300) / 10)
            else if (kind < 9) path = "/shop/search?q=" random(1000)
            else path = "/index.html"
            printf "192.0.2.%d - - [19/Nov/2026:%02d:%02d:%02d +0000] \"GET %s HTTP/1.1\" %d %d\n",
                random(256), i * 24 / lines, i / 60 % 60, i % 60, path, random(50) ? 200 : 404,
                500 + random(9000)
        }
    }'
