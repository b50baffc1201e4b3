// SPDX-License-Identifier: GPL-2.0-only
/*
 * The section of code of a capture, at any address and with more in it than the
 * recorder writes: sanitizers look on.
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include "../../tools/util.c"
#include "../../tools/decode/kept.c"

/* Nothing here is packed, and nothing is ELF. */
size_t ZSTD_decompress(void *to, size_t room, const void *from, size_t n)
{
	(void)to, (void)room, (void)from, (void)n;
	return 0;
}

unsigned int v9_elf_id(const void *image, size_t size, uint8_t id[V9_BUILD_ID_MAX])
{
	(void)image, (void)size, (void)id;
	return 0;
}

/* A part with @n changes from @addr on. */
static size_t put_changes(uint8_t *p, uint64_t addr, size_t n)
{
	struct pd_code_part head = { .kind = PD_CODE_CHANGED };
	struct pd_code_change c = { 0 };

	head.size = n * sizeof(c);
	head.stored = head.size;
	memcpy(p, &head, sizeof(head));
	for (size_t i = 0; i < n; i++) {
		c.addr = addr + 4 * i;
		memcpy(p + sizeof(head) + i * sizeof(c), &c, sizeof(c));
	}
	return sizeof(head) + head.size;
}

int main(void)
{
	const struct pd_code head = { .version = PD_CODE_VERSION, .parts = 2 };
	const struct pd_code_change *c;
	uint8_t bytes[4096];
	size_t n = sizeof(head);
	struct v9_kept k;
	uint8_t *p;

	memcpy(bytes, &head, n);
	n += put_changes(bytes + n, 0x9000, 60);
	n += put_changes(bytes + n, 0x1000, 2);
	/* The second list is the shorter one, then the longer one; each time at an odd address. */
	for (unsigned int turn = 0; turn < 2; turn++) {
		p = malloc(n + 1);
		memcpy(p + 1, bytes, n);
		v9_kept_open(&k, p + 1, n);
		tap_eq(k.nr_changed, turn ? 2 : 60, "%s_list_counts_its_own", turn ? "short" : "long");
		c = v9_kept_change(&k, turn ? 0x1004 : 0x9004);
		tap_ok(c && c->addr == (turn ? 0x1004 : 0x9004), "found_%u", turn);
		c = v9_kept_change(&k, 0xa000);
		tap_ok(!c, "none_behind_%u", turn);
		v9_kept_close(&k);
		free(p);
		n = sizeof(head);
		n += put_changes(bytes + n, 0x1000, 2);
		n += put_changes(bytes + n, 0x9000, 60);
	}
	return tap_done();
}
