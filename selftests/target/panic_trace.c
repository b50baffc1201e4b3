// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel panics while the caller is recorded: panic_trace PMU CPU. Does not return.
 * guest.sh checks the kernel's messages and the log of the model.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brbe.h"
#include "ring.h"
#include "work.h"

int main(int argc, char **argv)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .disabled = 1, .exclude_kernel = 1,
					.exclude_hv = 1 };
	struct unit unit;
	struct ring ring;

	if (argc != 3 || unit_find(&unit, argv[1]) || pin_to(atoi(argv[2])))
		return 2;
	attr.type = unit.type;
	if (!strncmp(unit.name, "arm_spe", 7))
		attr.sample_period = 1024;
	if (!strcmp(unit.name, "v9_brbe")) {
		if (brbe_run_on(&unit, 0))
			return 1;
	} else if (ring_open(&ring, &attr, 0, -1, 64, 0) || ring_enable(&ring)) {
		return 1;
	}
	spin(200000);
	write_text("/proc/sysrq-trigger", "c");
	return 1;
}
