/* SPDX-License-Identifier: MIT */
/* Test program that prints how the tap (the part of sluice in QEMU) classifies each instruction in
 * a listing of `objdump -dw` (usage: guest_dump TARGET).
 *
 * Reads the listing; writes for each instruction three words and the rest of objdump's line,
 * separated by tabs:
 *
 *   marker  B, E or -
 *   whole   w if the instruction is complete and no prefix of it is, ! if not, - where the
 *           guest does not need it, or QEMU does not execute the instruction
 *   loads   ? for unknown, 0, 1, 2, 4, 8, or a size and + if stores follow */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../../tap/guest.c"
#include "../../tap/loads_risc.c"
#include "../../tap/loads_x86.c"

/* objdump shows bytes on x86 ("0f 1f"), numbers elsewhere ("d503201f").
 * Returns the number of bytes; moves `*text` after them. */
static size_t read_bytes(const struct guest *guest, char **text, uint8_t *bytes, size_t capacity)
{
    size_t size = 0;
    char *at = *text;
    while (isxdigit((unsigned char)*at)) {
        size_t digits = strspn(at, "0123456789abcdef"), n = digits / 2;
        for (size_t i = 0; i < n && size + n <= capacity; i++) {
            unsigned byte = 0;
            sscanf(at + 2 * i, "%2x", &byte);
            bytes[size + (guest->big_endian ? i : n - 1 - i)] = (uint8_t)byte;
        }
        size += n;
        at += digits;
        while (*at == ' ')
            at++;
    }
    *text = at;
    return size <= capacity ? size : 0;
}

static char whole_letter(const struct guest *guest, const uint8_t *bytes, size_t size)
{
    if (!guest->whole || x86_shape(bytes, size).map == X86_UNKNOWN)
        return '-';
    for (size_t i = 1; i < size; i++)
        if (guest->whole(bytes, i))
            return '!';
    return guest->whole(bytes, size) ? 'w' : '!';
}

int main(int argc, char **argv)
{
    const struct guest *guest = argc == 2 ? guest_find(argv[1]) : NULL;
    if (!guest) {
        fprintf(stderr, "usage: guest_dump TARGET\n");
        return 2;
    }
    static char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        char *text = strstr(line, ":\t");
        if (!text)
            continue;
        text += 2;
        uint8_t bytes[16];
        size_t size = read_bytes(guest, &text, bytes, sizeof bytes);
        if (!size || *text != '\t')
            continue;
        int loads = guest->loads(bytes, size);
        printf("%c\t%c\t", "-BE"[guest->mark(bytes, size)], whole_letter(guest, bytes, size));
        if (loads == LOADS_UNKNOWN)
            printf("?%s", text);
        else
            printf("%d%s%s", loads & ~LOADS_THEN_STORES, loads & LOADS_THEN_STORES ? "+" : "",
                   text);
    }
    return 0;
}
