/* SPDX-License-Identifier: MIT */
/* CPU time and wall-clock time of measurements. */
#ifndef SL_CLOCKS_H
#define SL_CLOCKS_H

double sl_process_seconds(void);  /* CPU time of this process and of its waited-for children */
double sl_children_seconds(void); /* CPU time of the waited-for children alone */
double sl_clock_seconds(void);    /* monotonic wall-clock time; only differences have a meaning */

#endif
