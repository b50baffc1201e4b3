// SPDX-License-Identifier: GPL-2.0-only
/* Epochs (struct v9_epochs) and the last look-ups of places (tools/capture/place_cache.c) */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tap.h"
#include "../../tools/capture/place_cache.h"

static void map(struct v9_syms *s, uint64_t time, uint32_t pid, uint64_t start, const char *name)
{
	v9_syms_map(s, time, pid, start, 0x1000, 0, PROT_READ | PROT_EXEC, name, strlen(name), NULL, 0);
}

/* Process 1 executes another program at 100 and at 200; 2 does not. */
static void make(struct v9_session *s)
{
	static const struct v9_syms_opts none;

	v9_syms_init(&s->syms, &s->strtab, &none);
	map(&s->syms, 10, 1, 0x10000, "/first");
	map(&s->syms, 10, 2, 0x10000, "/other");
	v9_syms_exec(&s->syms, 100, 1);
	map(&s->syms, 100, 1, 0x10000, "/second");
	v9_syms_exec(&s->syms, 200, 1);
	map(&s->syms, 200, 1, 0x10000, "/third");
	/* 4 has a mapping over a part of another one. 5 has one of its own over a part of what it has from 2. */
	v9_syms_map(&s->syms, 10, 4, 0x10000, 0x4000, 0, PROT_READ | PROT_EXEC, "/large", 6, NULL, 0);
	map(&s->syms, 10, 4, 0x12000, "/inner");
	v9_syms_map(&s->syms, 10, 2, 0x30000, 0x4000, 0, PROT_READ | PROT_EXEC, "/large", 6, NULL, 0);
	v9_syms_fork(&s->syms, 20, 5, 2);
	map(&s->syms, 20, 5, 0x32000, "/inner");
	v9_syms_seal(&s->syms);
}

static void epochs(struct v9_syms *s)
{
	uint64_t changes[] = { 100, 101, 200 };
	uint64_t *own = s->changes;
	const size_t nr = s->nr_changes;
	static const struct { uint64_t time; size_t epoch; } rows[] = {
		{ 0, 0 }, { 99, 0 }, { 100, 1 }, { 100, 1 }, { 101, 2 }, { 199, 2 }, { 100, 1 }, { 200, 3 },
		{ UINT64_MAX - 1, 3 }, { UINT64_MAX, 3 }, { 200, 3 }, { 199, 2 }, { 99, 0 }, { 101, 2 },
	};
	struct v9_epochs e = { .syms = s };

	s->changes = changes;
	s->nr_changes = 3;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_ok(v9_epochs_at(&e, rows[i].time) == rows[i].epoch, "epoch_%zu", i);
	s->nr_changes = 0;
	e = (struct v9_epochs){ .syms = s };
	tap_ok(!v9_epochs_at(&e, 0) && !v9_epochs_at(&e, UINT64_MAX), "no_changes");
	s->changes = own;
	s->nr_changes = nr;
}

static void places(struct v9_session *s, struct v9_lookup *lookup)
{
	static const struct { uint64_t time, addr; uint32_t pid; const char *name; } rows[] = {
		{ 50, 0x10004, 1, "/first" }, { 60, 0x10004, 1, "/first" }, { 60, 0x10008, 1, "/first" },
		{ 60, 0x10004, 2, "/other" }, { 60, 0x10004, 1, "/first" }, { 100, 0x10004, 1, "/second" },
		{ 199, 0x10004, 1, "/second" }, { 200, 0x10004, 1, "/third" }, { 99, 0x10004, 1, "/first" },
		{ 250, 0x20004, 1, "[unknown]" }, { 250, 0, 1, "[unknown]" }, { 250, 0x10004, 3, "[unknown]" },
		/* Addresses that share an entry */
		{ 250, 0x14004, 1, "[unknown]" }, { 250, 0x10004, 1, "/third" }, { 250, 0x10004, 2, "/other" },
		/* Addresses of one mapping, one after another */
		{ 50, 0x10010, 1, "/first" }, { 50, 0x10014, 2, "/other" }, { 100, 0x10018, 1, "/second" },
		{ 50, 0x1001c, 1, "/first" }, { 50, 0x10ffc, 1, "/first" }, { 50, 0x11000, 1, "[unknown]" },
		{ 50, 0x10020, 1, "/first" }, { 50, 0xfffc, 1, "[unknown]" }, { 200, 0x10024, 1, "/third" },
		{ 50, 0x11004, 4, "/large" }, { 50, 0x12004, 4, "/inner" }, { 50, 0x13004, 4, "/large" },
		{ 50, 0x31004, 5, "/large" }, { 50, 0x32004, 5, "/inner" }, { 50, 0x33004, 5, "/large" },
		{ 50, V9_KERNEL_HALF, 1, "[kernel.kallsyms]" }, { 50, V9_KERNEL_HALF + 4, 1, "[kernel.kallsyms]" },
	};
	struct v9_place_cache c;

	v9_place_cache_init(&c, lookup, 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct v9_sampled at = { .pid = rows[i].pid, .time = rows[i].time, .has_time = true };
		const struct v9_place *p = v9_place_cached(&c, &at, rows[i].addr);
		struct v9_place want;

		v9_syms_find(&s->syms, rows[i].pid, rows[i].time, rows[i].addr, &want);
		tap_ok(!strcmp(p->dso_name, rows[i].name) && p->dso == want.dso && p->func == want.func &&
		       p->offset == want.offset, "place_%zu", i);
	}
	v9_place_cache_free(&c);
}

/* Keys differ by each of the three. */
static void keys(void)
{
	const struct v9_place_key k = { 1, 2, 3 }, addr = { 2, 2, 3 }, epoch = { 1, 3, 3 }, pid = { 1, 2, 4 };

	tap_ok(v9_place_key_same(&k, &k) && !v9_place_key_same(&k, &addr) && !v9_place_key_same(&k, &epoch) &&
	       !v9_place_key_same(&k, &pid), "keys");
}

int main(void)
{
	struct v9_session *s = calloc(1, sizeof(*s));
	struct v9_lookup lookup;

	if (!s)
		return 1;
	make(s);
	epochs(&s->syms);
	v9_lookup_init(&lookup, s);
	places(s, &lookup);
	v9_lookup_free(&lookup);
	keys();
	v9_syms_free(&s->syms);
	v9_strtab_free(&s->strtab);
	free(s);
	return tap_done();
}
