# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Which machine programs are built for, and by which compiler. ARCH is amd64 or arm64, by default
# this machine's. CC and AR may be given; CROSS_COMPILE is only set for the other machine.

HOST := $(shell dpkg --print-architecture 2>/dev/null || \
	uname -m | sed 's/^x86_64$$/amd64/; s/^aarch64$$/arm64/')
ARCH ?= $(HOST)
TRIPLET_amd64 := x86_64-linux-gnu
TRIPLET_arm64 := aarch64-linux-gnu
TRIPLET := $(TRIPLET_$(ARCH))
ifeq ($(TRIPLET),)
$(error v9trace is for amd64 and arm64; ARCH is "$(ARCH)". Nothing was built)
endif
CROSS_COMPILE ?= $(if $(filter-out $(HOST),$(ARCH)),$(TRIPLET)-)
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)$(if $(CROSS_COMPILE),gcc,cc)
endif
ifeq ($(origin AR),default)
AR := $(CROSS_COMPILE)ar
endif
ifeq ($(origin LD),default)
LD := $(CROSS_COMPILE)ld
endif
