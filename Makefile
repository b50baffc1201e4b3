# SPDX-License-Identifier: GPL-2.0-only
# Targets for users. Nothing is built here: each target names the script that does it.
# KERNEL=6.12 (default), 6.1 or 7 chooses Debian's kernel; V=1 shows commands.

# On an Arm machine modules are for the kernel that runs, unless KERNEL is given.
OWN := $(or $(KDIR),$(and $(filter aarch64,$(shell uname -m)),$(if $(KERNEL),,own)))
KERNEL ?= 6.12
export KERNEL V MANUAL REAL

.PHONY: help demo test test-host test-debug test-manual test-exports test-soak rules lab modules modules_install modules-all \
	tools install uninstall tarball deb \
	bench bench-drivers bench-growth fuzz mutate shell gen registers docs status clean distclean

help:
	@sed -n 's/^#: \{0,1\}//p' Makefile

#: v9trace - trace and profiling for Armv9 (SPE, ETE with TRBE, BRBE)
#:
#: On an Arm machine:
#:   make -C tools       v9trace, linked with this machine's libraries; says what is missing
#:   make install        v9trace and its manual pages to prefix=/usr/local; make uninstall
#:   make modules        the modules for the kernel that runs; KDIR=DIR names headers of another
#:   make modules_install
#:
#: Without one (a fresh Debian machine, amd64 or arm64, needs nothing else):
#:   make demo           record a real program with SPE, with ETE, with both on the reference platform,
#:                       show it; REAL=1 on the units of this machine
#:   make test           all tests on one kernel: on the host, of the modules, in guests
#:                       KERNELS="6.12 7" others; ALL=1 more kernels and machines, much longer, in parts
#:                       with PART=1/3, PART=2/3, PART=3/3: the last line adds them up
#:
#: Parts:
demo:
	@selftests/lab/demo.sh

test:
	@PART='$(PART)' selftests/run.sh $(if $(ALL),all)

#:   make test-host      only the tests that need no guest
test-host:
	@selftests/run.sh host

#:   make test-debug     the modules' tests on a kernel that watches itself (KASAN, lockdep, kmemleak),
#:                       then each allocation fails once; builds that kernel the first time
test-debug:
	@selftests/debug.sh

#:   make test-manual    the tables against the Arm manual: MANUAL=DIR names a copy as Markdown;
#:                       V=1 shows what differs for a reason, too ("make test" with MANUAL has it as well)
test-manual:
	@selftests/manual/run.sh

#:   make test-exports   what other programs make of our output: pages in Debian's Chromium, exports in
#:                       programs of npm
test-exports:
	@selftests/run.sh exports

#:   make test-soak      v9trace top and record --aggregate on a busy machine, SECONDS=3600 each: memory stays,
#:                       no byte is lost uncounted
test-soak:
	@selftests/lab/lab.sh prepare crosscheck && SOAK=$(or $(SECONDS),3600) selftests/run.sh --one crosscheck:soak@$(KERNEL)

#:   make rules          which rules of the architecture are shown by a test, and which are not yet;
#:                       R=ID looks up one: R_HLXGD (the manual's), SPE-PB3 (ours), D17.7.4 (section)
rules:
	@selftests/rules.sh $(if $(R),--find $(R))

#:   make lab            build root, QEMU with the model, kernel, guest image (KERNEL=6.12|6.1|7)
lab:
	@selftests/lab/lab.sh all

#:   make shell          a shell in the guest, with our modules and tools in it
shell:
	@selftests/lab/lab.sh shell

#:   make modules        v9_core.ko, v9_spe.ko, v9_ete.ko, v9_brbe.ko for KERNEL -> build/modules/KERNEL/
modules:
	@$(if $(OWN),drivers/build.sh $(KDIR),selftests/lab/modules.sh $(KERNEL))

modules_install:
	@drivers/build.sh install $(KDIR)

#:   make modules-all    the same for 6.1, 6.12 and 7, with W=1
modules-all:
	@for k in 6.1 6.12 7; do selftests/lab/modules.sh $$k W=1 || exit 1; done

#:   make tools          v9trace for this machine and for arm64, static -> build/tools/
tools:
	@selftests/lab/lab.sh tools

install uninstall:
	@$(MAKE) --no-print-directory -C tools $@

#:   make tarball        the kselftests and v9trace as one archive for any arm64 machine
tarball:
	@selftests/target/tarball.sh

#:   make deb            Debian packages: v9trace, v9trace-dkms, the libraries -> build/deb/
deb:
	@tools/packaging/deb.sh

#:   make bench          measured ratios: the platform against stock QEMU, decoders against others
bench:
	@selftests/bench.sh

#:   make bench-growth   how the cost of reports grows with the work
bench-growth:
	@selftests/bench/growth.sh

#:   make bench-drivers  what our drivers cost beside those of the kernel's tree
bench-drivers:
	@selftests/bench-drivers.sh

#:   make fuzz           each decoder with damaged input, SECONDS=60 each, by Debian's clang
fuzz:
	@selftests/fuzz/fuzz.sh $(or $(SECONDS),60)

#:   make mutate         would the tests notice? each barrier taken out, each table cell changed;
#:                       N=60 instead: so many mutants by rule, SEED=S those of a seed
mutate:
	@selftests/mutate.sh $(if $(N),-n $(N) $(if $(SEED),-s $(SEED)))

#:   make gen            headers from include/v9trace/tables/
gen:
	@tools/gen/gen.sh

#:   make registers      a page of all registers and fields -> build/registers.rst
registers:
	@mkdir -p build && tools/gen/gen.sh --registers >build/registers.rst && echo build/registers.rst

#:   make docs           the pages of Documentation/ as HTML -> build/docs/
docs:
	@selftests/docs.sh

#:   make status         what the caches hold
status:
	@selftests/lab/lab.sh status

#:   make clean          remove build/ (caches in ~/.cache/v9trace stay)
clean:
	@rm -rf build

#:   make distclean      remove build/ and ~/.cache/v9trace
distclean: clean
	@rm -rf "$${XDG_CACHE_HOME:-$$HOME/.cache}/v9trace"
