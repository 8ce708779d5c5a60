/* SPDX-License-Identifier: MIT */
/* What compressors are made of (pipeline.h). */
#ifndef SL_COMPONENT_H
#define SL_COMPONENT_H

enum sl_component {
    SL_COMPONENT_P,
    SL_COMPONENT_R,
    SL_COMPONENT_RD,
    SL_COMPONENT_CR,
    SL_COMPONENT_A,
    SL_COMPONENT_T,
    SL_COMPONENT_G,
};

#endif
