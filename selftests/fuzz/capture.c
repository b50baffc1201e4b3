// SPDX-License-Identifier: GPL-2.0-only
/* The input is a perf.data file: everything is read; decoded bytes must not exceed AUX bytes. */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#include "../../tools/capture/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct v9_syms_opts opts = { .symfs = "/nowhere" };
	struct v9_spe_rec rec;
	struct v9_session s;
	uint64_t bytes = 0, held = 0;
	char path[64];
	int fd;

	if (size > 1 << 20)
		return 0;
	fd = memfd_create("capture", MFD_CLOEXEC);
	REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!v9_session_open(&s, path, &opts)) {
		for (size_t i = 0; i < s.nr_queues; i++) {
			while (v9_session_next(&s, &s.queues[i], &rec) > 0)
				;
			bytes += v9_spe_account_bytes(v9_spe_dec_account(s.queues[i].dec));
		}
		for (unsigned int i = 0; i < V9_KINDS; i++)
			held += s.aux[i].bytes - s.aux[i].rounding;
		REQUIRE(bytes <= held);
	}
	v9_session_close(&s);
	close(fd);
	return 0;
}
