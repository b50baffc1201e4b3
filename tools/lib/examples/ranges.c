// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ranges TRACE ADDRESS CODE: print the executed instructions. TRACE is a trace of one ETE, CODE a
 * dump of the program from ADDRESS on. The register values below are those of a common trace unit;
 * a real tool reads them from the recording.
 *
 *	cc ranges.c $(pkg-config --cflags --libs libv9ete)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <v9ete.h>

struct dump {
	uint64_t addr;
	uint8_t *bytes;
	size_t size;
};

static const uint8_t *code(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	const struct dump *d = arg;

	(void)ctx;		/* there is only one program */
	*n = addr - d->addr < d->size ? d->size - (addr - d->addr) : 0;
	return *n ? d->bytes + (addr - d->addr) : NULL;
}

static int read_all(const char *path, uint8_t **bytes, size_t *size)
{
	FILE *f = fopen(path, "rb");

	if (!f)
		return -1;
	*bytes = malloc(1 << 24);
	*size = *bytes ? fread(*bytes, 1, 1 << 24, f) : 0;
	fclose(f);
	return *bytes ? 0 : -1;
}

static void show(struct v9_flow *flow)
{
	struct v9_flow_rec r;

	while (v9_flow_next(flow, &r) > 0)
		if (r.kind == V9_FLOW_RANGE)
			printf("%" PRIx64 "-%" PRIx64 " %u\n", r.start, r.end, r.insns);
		else if (r.kind == V9_FLOW_GAP)
			printf("gap: %s\n", v9_flow_why[r.why]);
}

int main(int argc, char **argv)
{
	struct dump dump;
	struct v9_ete_setup setup = {
		.size = sizeof(setup),
		.trcidr0 = 0x28000ea1,
		.trcidr2 = 0xc0001088,
		.trcdevarch = 0x47705a13,
		.code = code,
		.arg = &dump,
	};
	struct v9_flow *flow;
	uint8_t *trace;
	size_t size;

	if (argc != 4 || read_all(argv[1], &trace, &size) ||
	    read_all(argv[3], &dump.bytes, &dump.size))
		return 2;
	dump.addr = strtoull(argv[2], NULL, 16);
	flow = v9_flow_new(&setup);
	if (!flow)
		return 1;
	v9_flow_feed(flow, trace, size, 0);
	show(flow);
	v9_flow_end(flow);
	show(flow);
	printf("%" PRIu64 " instructions, %" PRIu64 " of %zu bytes accounted for\n",
	       v9_flow_sums(flow)->insns, v9_ete_account_bytes(v9_flow_account(flow)), size);
	v9_flow_delete(flow);
	free(dump.bytes);
	free(trace);
	return 0;
}
