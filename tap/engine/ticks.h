/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repeatable time stamps (--repeatable): instead of the host's clock or tick counter, the guest
 * reads a counter that each read increments (sluice_ticks). The files of QEMU that implement guest
 * instructions for reading the time include this header after all others. */
#ifndef SL_ENGINE_TICKS_H
#define SL_ENGINE_TICKS_H

#include "hooks.h"

#define cpu_get_host_ticks() sluice_ticks(cpu_get_host_ticks())
#define cpu_get_clock() sluice_ticks(cpu_get_clock())

#endif
