/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repeatable time stamps (--repeatable): replaces the host's clock and tick counter by a counter of
 * reads (sluice_ticks). Files of QEMU that read them for a guest instruction include this header
 * after all others. */
#ifndef SL_ENGINE_TICKS_H
#define SL_ENGINE_TICKS_H

#include "hooks.h"

#define cpu_get_host_ticks() sluice_ticks(cpu_get_host_ticks())
#define cpu_get_clock() sluice_ticks(cpu_get_clock())

#endif
