# SPDX-License-Identifier: MIT
# Tools, flags, build directories. SAN=1 (address and undefined behaviour) builds in build/san,
# SAN=thread (data races) in build/tsan.
CC ?= cc
# The architecture that sluice is built for, as the compiler names it.
HOST_MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
SAN ?=
BUILD := $(if $(SAN),$(if $(filter thread,$(SAN)),build/tsan,build/san),build)
PREFIX ?= /usr/local

WARNINGS := -Wall -Wextra -Wconversion -Wno-sign-conversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CFLAGS ?= -O3 -g
comma := ,
SANFLAGS_1 := -fsanitize=address$(comma)undefined$(comma)float-cast-overflow -fno-sanitize-recover=undefined$(comma)float-cast-overflow -fno-omit-frame-pointer
SANFLAGS_thread := -fsanitize=thread -fno-omit-frame-pointer
SANFLAGS := $(if $(SAN),$(or $(SANFLAGS_$(SAN)),$(error SAN is 1 or thread)))

ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) $(SANFLAGS) -MMD -MP
# The folders of src/ in the order of the data flow. A folder includes and links only folders before
# it. A subfolder such as code/isa belongs to its parent.
FOLDERS := base code stream machine detect tables session store report
STUDY_FOLDERS := compare sweep simpoint hardware gpu experiments
INCLUDES := -Iinclude $(patsubst %/,-I%,$(sort $(dir $(wildcard $(FOLDERS:%=src/%/*.h) $(FOLDERS:%=src/%/*/*.h)))))
STUDY_INCLUDES := $(INCLUDES) $(STUDY_FOLDERS:%=-Istudy/%)
LIBS := -lzstd -lz -llzma -lxxhash -ldw -lelf -lcapstone -liberty -lsqlite3 -ljansson -lm -lpthread

# Prints one short line for each built file; V=1 shows the commands instead.
V ?=
quiet = $(if $(V),,@echo '  $(1)  $(if $(2),$(2),$@)';)
