/* SPDX-License-Identifier: MIT */
/* Time of processors that work has taken, whatever else the machine did meanwhile; and time of the
 * clock. */
#ifndef SL_PROCESSOR_TIME_H
#define SL_PROCESSOR_TIME_H

double sl_thread_seconds(void); /* of the calling thread */
double
sl_process_seconds(void); /* of this process, and of those that it has started and waited for */
double sl_children_seconds(void); /* of the latter alone */
double sl_clock_seconds(void);    /* since some moment; only differences mean something */

#endif
