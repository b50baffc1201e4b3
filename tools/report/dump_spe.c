// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace dump: the packets of SPE records. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <v9trace/gen/spe_pkt.h>

#include "../lib/spe_text.h"
#include "../util.h"
#include "dump.h"

static const char *const lat_names[] = {
#define ROW(index, name, text) [index] = #name,
	V9_SPE_FOREACH_COUNTER(ROW)
#undef ROW
};

static const char *const addr_names[] = {
#define ROW(index, name, text) [index] = #name,
	V9_SPE_FOREACH_ADDRESS(ROW)
#undef ROW
};

static void print_address(const struct v9_spe_pkt *p)
{
	const uint64_t v = p->payload;

	if (p->index >= V9_ARRAY_SIZE(addr_names) || !addr_names[p->index]) {
		printf("ADDRESS %u 0x%" PRIx64, p->index, v);
		return;
	}
	printf("%s 0x%" PRIx64, addr_names[p->index],
	       p->index == V9_SPE_ADDR_VA ? v : v & V9_SPE_ADDRESS_ADDR);
	if (p->index == V9_SPE_ADDR_PA)
		printf(" ns=%u ch=%u pat=%x", !!(v & V9_SPE_ADDRESS_NS), !!(v & V9_SPE_ADDRESS_CH),
		       (unsigned int)V9_GET(V9_SPE_ADDRESS_PAT, v));
	else if (p->index != V9_SPE_ADDR_VA)
		printf(" el%u ns=%u", (unsigned int)V9_GET(V9_SPE_ADDRESS_EL, v),
		       !!(v & V9_SPE_ADDRESS_NS));
}

static void print_packet(const struct v9_spe_pkt *p)
{
	char buf[1024];

	switch (p->kind) {
	case V9_SPE_PADDING:
		printf("PAD");
		break;
	case V9_SPE_END:
		printf("END");
		break;
	case V9_SPE_TIMESTAMP:
		printf("TS %" PRIu64, p->payload);
		break;
	case V9_SPE_EVENTS:
		printf("EV 0x%" PRIx64 " %s", p->payload,
		       v9_spe_events(buf, sizeof(buf), p->payload));
		break;
	case V9_SPE_DATA_SOURCE:
		printf("DATA-SOURCE 0x%" PRIx64, p->payload);
		break;
	case V9_SPE_CONTEXT:
		printf("CONTEXT 0x%" PRIx64 " el%u", p->payload, p->index + 1u);
		break;
	case V9_SPE_OP_TYPE:
		printf("OP %u 0x%02" PRIx64 " %s", p->index, p->payload,
		       v9_spe_op(buf, sizeof(buf), p->index, (uint8_t)p->payload));
		break;
	case V9_SPE_ADDRESS:
		print_address(p);
		break;
	case V9_SPE_COUNTER:
		if (p->index < V9_ARRAY_SIZE(lat_names) && lat_names[p->index])
			printf("LAT %" PRIu64 " %s", p->payload, lat_names[p->index]);
		else
			printf("COUNTER %u %" PRIu64, p->index, p->payload);
		break;
	case V9_SPE_ALIGNMENT:
		printf("ALIGN %" PRIu64 ", %u bytes", p->payload, p->size);
		break;
	default:
		printf("UNKNOWN, %u bytes", p->size);
	}
}

/* Prints each SPE packet. A reserved header is printed as two bytes. */
static void print_packets(const uint8_t *p, uint64_t n, uint64_t offset)
{
	struct v9_spe_pkt pkt;

	while (n && !ferror(stdout)) {
		int r = v9_spe_pkt_decode(p, n, offset, &pkt);

		if (r > 0 && pkt.kind == V9_SPE_PADDING) {
			uint64_t run = 1;

			while (run < n && p[run] == p[0])
				run++;
			v9_dump_bytes(offset, p, run);
			printf("PAD x %" PRIu64 "\n", run);
			p += run;
			offset += run;
			n -= run;
			continue;
		}
		v9_dump_bytes(offset, p, r > 0 ? (size_t)r : r == -ENODATA ? n : 2);
		if (r > 0)
			print_packet(&pkt);
		else
			printf(r == -ENODATA ? "cut: the data ends inside this packet" :
					       "RESERVED header");
		fputc('\n', stdout);
		if (r == -ENODATA)
			return;
		/* A reserved header counts as two bytes. */
		r = r > 0 ? r : 2;
		p += r;
		offset += (uint32_t)r;
		n -= (uint32_t)r;
	}
}

void v9_dump_spe(const struct v9_dump *d, void **state)
{
	(void)state;
	print_packets(d->chunk.p, d->chunk.size, d->chunk.offset);
}
