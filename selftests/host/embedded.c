// SPDX-License-Identifier: GPL-2.0-only
/*
 * The section with code of a capture: unaligned, and with content that the recorder does not write.
 * Built with sanitizers.
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include "../../tools/util.c"
#include "../../tools/capture/embedded.c"

/* Stub of zstd: a frame has a size, and decompresses to so many letters. */
static unsigned int unpackings;

unsigned long long ZSTD_getFrameContentSize(const void *from, size_t n)
{
	uint64_t size = UINT64_MAX;

	if (n >= sizeof(size))
		memcpy(&size, from, sizeof(size));
	return size;
}

size_t ZSTD_decompress(void *to, size_t room, const void *from, size_t n)
{
	const uint64_t size = ZSTD_getFrameContentSize(from, n);

	unpackings++;
	if (size > room)
		return (size_t)-1;
	memset(to, 'x', size);
	return size;
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

/* A compressed part with @size in its header, and @frame in that of its frame */
static size_t put_packed(uint8_t *p, uint64_t size, uint64_t frame)
{
	struct pd_code_part head = { .kind = PD_CODE_KALLSYMS, .packed = 1, .size = size,
				     .stored = sizeof(frame) };

	memcpy(p, &head, sizeof(head));
	memcpy(p + sizeof(head), &frame, sizeof(frame));
	return sizeof(head) + sizeof(frame);
}

/* Sizes claimed by a few bytes must not allocate much memory. */
static void claims(void)
{
	static const struct {
		const char *name;
		uint64_t size, frame;
		unsigned int parts, kept;
		bool good;
	} cases[] = {
		{ "sizes_agree", 1000, 1000, 1, 1, true },
		{ "frame_size_larger", 1000, 1 << 30, 1, 1, false },
		{ "frame_size_smaller", 1 << 26, 1000, 1, 1, false },
		{ "frame_size_unknown", 1000, UINT64_MAX, 1, 1, false },
		{ "largest", 64 << 20, 64 << 20, 1, 1, true },
		{ "too_large", (64 << 20) + 1, (64 << 20) + 1, 1, 0, false },
		{ "too_large_by_far", UINT64_MAX, UINT64_MAX, 1, 0, false },
		{ "too_large_together", 64 << 20, 1000, 6, 4, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct pd_code head = { .version = PD_CODE_VERSION, .parts = cases[i].parts };
		const struct pd_code_part *part;
		const uint8_t *got;
		uint8_t bytes[512];
		size_t n = sizeof(head);
		struct v9_embedded k;

		memcpy(bytes, &head, n);
		for (unsigned int part = 0; part < cases[i].parts; part++)
			n += put_packed(bytes + n, cases[i].size, cases[i].frame);
		unpackings = 0;
		v9_embedded_open(&k, bytes, n);
		part = v9_embedded_part(&k, PD_CODE_KALLSYMS, 0, &got);
		tap_ok(k.nr == cases[i].kept && !!part == cases[i].good &&
		       unpackings == cases[i].good && k.damaged != cases[i].good &&
		       (!part || (part->size == cases[i].size && got[part->size - 1] == 'x' &&
				  !got[part->size])), "%s", cases[i].name);
		v9_embedded_close(&k);
	}
}

int main(void)
{
	const struct pd_code head = { .version = PD_CODE_VERSION, .parts = 2 };
	const struct pd_code_change *c;
	uint8_t bytes[4096];
	size_t n = sizeof(head);
	struct v9_embedded k;
	uint8_t *p;

	memcpy(bytes, &head, n);
	n += put_changes(bytes + n, 0x9000, 60);
	n += put_changes(bytes + n, 0x1000, 2);
	/* Two lists of changes, the shorter or the longer one first, at odd addresses */
	for (unsigned int turn = 0; turn < 2; turn++) {
		p = malloc(n + 1);
		memcpy(p + 1, bytes, n);
		v9_embedded_open(&k, p + 1, n);
		tap_eq(k.nr_changed, turn ? 2 : 60, "%s_list_counts_its_own", turn ? "short" : "long");
		c = v9_embedded_change(&k, turn ? 0x1004 : 0x9004);
		tap_ok(c && c->addr == (turn ? 0x1004 : 0x9004), "found_%u", turn);
		c = v9_embedded_change(&k, 0xa000);
		tap_ok(!c, "none_behind_%u", turn);
		v9_embedded_close(&k);
		free(p);
		n = sizeof(head);
		n += put_changes(bytes + n, 0x1000, 2);
		n += put_changes(bytes + n, 0x9000, 60);
	}
	claims();
	return tap_done();
}
