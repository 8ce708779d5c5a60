/* SPDX-License-Identifier: MIT */
/* Rust's newer names (_R..., "v0"), as people write them, within bounds. */
#ifndef SL_RUST_V0_H
#define SL_RUST_V0_H

/* The readable form, without the crates' hashes, to be freed; NULL if it is no such name, or has a
 * form that is not known, or could be too long. */
char *sl_rust_v0(const char *name);

#endif
