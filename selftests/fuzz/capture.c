// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input is a perf.data file: everything is read; decoded bytes must not exceed AUX bytes. Sums of
 * branch stacks must be those of their entries.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#include "../../tools/capture/branch.h"
#include "../../tools/capture/session.h"
#include "../../tools/report/branch_sum.h"

/* Addresses are their own places. The first sample says what the stacks show. */
static void read_branches(struct v9_session *s)
{
	static struct v9_step step[V9_STACK_MOST];
	uint64_t branches = 0, stacks = 0;
	struct v9_branch_sum sum;
	struct pd_sample sample;
	struct pd_event e;

	v9_branch_sum_init(&sum);
	for (size_t i = 0; i < s->nr_samples; i++) {
		if (pd_at(&s->file, s->samples[i].offset, &e) <= 0 || pd_sample(&e, &sample) ||
		    !sample.has_branches)
			continue;
		REQUIRE(sample.nr_branches <= V9_STACK_MOST);
		for (uint64_t k = 0; k < sample.nr_branches; k++) {
			struct v9_branch_rec *b = &step[k].b;

			v9_branch_stack_decode(sample.branches + k * PD_BRANCH_BYTES, b);
			step[k].from = step[k].from_func = (uint32_t)b->from;
			step[k].to = step[k].to_func = (uint32_t)b->to;
			step[k].counts = true;
		}
		v9_branch_sum_add(&sum, step, sample.nr_branches, (unsigned int)sample.hw_idx & 7);
		branches += sample.nr_branches;
		stacks++;
	}
	REQUIRE(stacks == s->nr_stacks && branches == s->nr_branches);
	REQUIRE(sum.n == branches && sum.stacks + sum.empty == stacks);
	v9_branch_sum_free(&sum);
}

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
		read_branches(&s);
	}
	v9_session_close(&s);
	close(fd);
	return 0;
}
