/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where QEMU reads clocks and counters of the machine for an instruction of the guest's, it
 * includes this behind all else: for runs that repeat, they count how often they were read. */
#ifndef SL_ENGINE_TICKS_H
#define SL_ENGINE_TICKS_H

#include "hooks.h"

#define cpu_get_host_ticks() sluice_ticks(cpu_get_host_ticks())
#define cpu_get_clock() sluice_ticks(cpu_get_clock())

#endif
