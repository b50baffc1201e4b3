// SPDX-License-Identifier: GPL-2.0-only
/* Which block of the heap holds an address: allocators, threads, processes, losses, hostile captures. */
#include <string.h>

#include <v9trace/base.h>

#include "tap.h"
#include "../../tools/capture/heap.h"

#define SP	0x7ffff000u

static struct v9_strtab strings;

static void begin(struct v9_syms *syms)
{
	static const struct v9_syms_opts none;

	v9_syms_init(syms, &strings, &none);
}

/* Processes are known by their mappings. */
static void process(struct v9_syms *syms, uint64_t time, uint32_t pid)
{
	v9_syms_map(syms, time, pid, 0x400000, 0x1000, 0, V9_MAP_EXEC, "//anon", 7, NULL, 0);
}

static const char *name_of(const char *function)
{
	return v9_strtab_put(&strings, function, strlen(function));
}

/* A call of process and thread @pid, from begin to return */
static void call(struct v9_heap *h, uint64_t time, uint32_t pid, const char *function, uint64_t old,
		 uint64_t size, uint64_t result, uint64_t caller)
{
	struct v9_heap_call c = { .time = time, .pid = pid, .tid = pid, .function = name_of(function),
				  .sp = SP, .old = old, .n = 1, .size = size, .caller = { caller } };

	c.frees = !strcmp(function, "free");
	v9_heap_add(h, &c);
	if (c.frees)
		return;
	v9_heap_add(h, &(struct v9_heap_call){ .time = time + 10, .pid = pid, .tid = pid, .returns = true,
		    .function = c.function, .sp = SP, .result = result });
}

/* The first return address of the block at an address; 0: none */
static uint64_t at(struct v9_heap *h, struct v9_syms *syms, uint32_t pid, uint64_t time, uint64_t addr)
{
	const struct v9_heap_block *b = v9_heap_find(h, syms, pid, time, addr);

	return b ? b->caller[0] : 0;
}

static void life(void)
{
	struct v9_heap h = { .nr = 0 };
	const struct v9_heap_block *b;
	struct v9_syms syms;

	begin(&syms);
	process(&syms, 1, 7);
	v9_syms_seal(&syms);
	call(&h, 200, 7, "malloc", 0, 32, 0x1000, 2);
	call(&h, 100, 7, "malloc", 0, 16, 0x1000, 1);
	call(&h, 150, 7, "free", 0x1000, 0, 0, 0);
	call(&h, 300, 7, "realloc", 0x1000, 64, 0x1000, 3);	/* in place */
	call(&h, 400, 7, "realloc", 0x1000, 128, 0x2000, 4);	/* moved */
	call(&h, 500, 7, "realloc", 0x2000, 1u << 30, 0, 5);	/* failed */
	call(&h, 600, 7, "realloc", 0x2000, 0, 0, 6);		/* frees */
	call(&h, 700, 7, "free", 0, 0, 0, 0);
	call(&h, 800, 7, "malloc", 0, 0, 0x3000, 8);
	call(&h, 900, 7, "malloc", 0, 8, UINT64_MAX - 3, 9);
	v9_heap_seal(&h, &syms);
	tap_eq(at(&h, &syms, 7, 99, 0x1000), 0, "before");
	tap_eq(at(&h, &syms, 7, 100, 0x1000), 1, "from_the_call_on");
	tap_eq(at(&h, &syms, 7, 149, 0x100f), 1, "last_byte");
	tap_eq(at(&h, &syms, 7, 149, 0x1010), 0, "behind");
	tap_eq(at(&h, &syms, 7, 149, 0xfff), 0, "ahead");
	tap_eq(at(&h, &syms, 7, 150, 0x1000), 0, "freed");
	tap_eq(at(&h, &syms, 7, 199, 0x1000), 0, "freed_still");
	tap_eq(at(&h, &syms, 7, 200, 0x101f), 2, "again_at_this_address");
	b = v9_heap_find(&h, &syms, 7, 250, 0x1008);
	tap_ok(b && b->start == 0x1000 && b->size == 32 && b->begin == 200 && b->end == 300, "block");
	tap_eq(at(&h, &syms, 7, 300, 0x1000), 3, "grown_in_place");
	tap_eq(at(&h, &syms, 7, 409, 0x103f), 3, "read_while_it_is_moved");
	tap_eq(at(&h, &syms, 7, 409, 0x207f), 4, "written_while_it_is_moved");
	tap_eq(at(&h, &syms, 7, 410, 0x1000), 0, "moved_away");
	tap_eq(at(&h, &syms, 7, 599, 0x2000), 4, "kept_if_realloc_fails");
	tap_eq(at(&h, &syms, 7, 600, 0x2000), 0, "freed_by_realloc");
	tap_eq(at(&h, &syms, 7, 850, 0x3000), 0, "no_byte");
	tap_eq(at(&h, &syms, 7, UINT64_MAX, UINT64_MAX - 1), 9, "end_of_addresses");
	tap_eq(at(&h, &syms, 8, 250, 0x1000), 0, "another_process");
	tap_ok(!h.open && !h.returns && !h.unknown && !h.missed, "nothing_lost");
	v9_heap_free(&h);
	v9_syms_free(&syms);
}

/* What other calls do while realloc() moves a block, and calloc() sets one to zero */
static void meanwhile(void)
{
	struct v9_heap h = { .nr = 0 };
	struct v9_syms syms;

	begin(&syms);
	process(&syms, 1, 7);
	v9_syms_seal(&syms);
	call(&h, 100, 7, "malloc", 0, 16, 0x1000, 1);
	call(&h, 200, 7, "realloc", 0x1000, 64, 0x2000, 2);
	/* another thread gets the old block before realloc() returns at 210, and frees it */
	v9_heap_add(&h, &(struct v9_heap_call){ .time = 202, .pid = 7, .tid = 8, .function = name_of("calloc"),
		    .sp = SP, .n = 4, .size = 4, .caller = { 3 } });
	v9_heap_add(&h, &(struct v9_heap_call){ .time = 208, .pid = 7, .tid = 8, .returns = true,
		    .function = name_of("calloc"), .sp = SP, .result = 0x1000 });
	v9_heap_add(&h, &(struct v9_heap_call){ .time = 300, .pid = 7, .tid = 9, .function = name_of("free"),
		    .frees = true, .sp = SP, .n = 1, .old = 0x1000 });
	/* a call that began before the free() of the block that it gets */
	v9_heap_add(&h, &(struct v9_heap_call){ .time = 290, .pid = 7, .tid = 8, .function = name_of("malloc"),
		    .sp = SP, .n = 1, .size = 4, .caller = { 4 } });
	v9_heap_add(&h, &(struct v9_heap_call){ .time = 310, .pid = 7, .tid = 8, .returns = true,
		    .function = name_of("malloc"), .sp = SP, .result = 0x1000 });
	v9_heap_seal(&h, &syms);
	tap_eq(at(&h, &syms, 7, 207, 0x1000), 1, "until_it_is_used_again");
	tap_eq(at(&h, &syms, 7, 208, 0x1000), 3, "used_again_while_moved");
	tap_eq(at(&h, &syms, 7, 299, 0x100f), 3, "until_it_is_freed");
	tap_eq(at(&h, &syms, 7, 300, 0x1003), 4, "from_the_free_on");
	tap_eq(at(&h, &syms, 7, 300, 0x1004), 0, "size_of_the_new_one");
	tap_ok(!h.open && !h.returns && !h.unknown && !h.missed, "meanwhile_nothing_lost");
	v9_heap_free(&h);
	v9_syms_free(&syms);
}

static void inner(struct v9_heap *h, uint64_t time, const char *function, bool returns, uint64_t sp,
		  uint64_t caller, uint64_t result)
{
	v9_heap_add(h, &(struct v9_heap_call){ .time = time, .pid = 7, .tid = 7, .returns = returns,
		    .function = name_of(function), .frees = !strcmp(function, "free"), .sp = sp,
		    .n = 1, .size = 16, .caller = { caller }, .result = result });
}

static void nested(void)
{
	struct v9_heap h = { .nr = 0 };
	struct v9_syms syms;

	begin(&syms);
	process(&syms, 1, 7);
	v9_syms_seal(&syms);
	/* calloc() calls malloc() */
	inner(&h, 100, "calloc", false, SP, 1, 0);
	inner(&h, 101, "malloc", false, SP - 32, 2, 0);
	inner(&h, 102, "malloc", true, SP - 32, 0, 0x1000);
	inner(&h, 103, "calloc", true, SP, 0, 0x1000);
	/* memalign() jumps to aligned_alloc(): both return */
	inner(&h, 200, "memalign", false, SP, 3, 0);
	inner(&h, 201, "aligned_alloc", false, SP, 3, 0);
	inner(&h, 202, "aligned_alloc", true, SP, 0, 0x2000);
	inner(&h, 203, "memalign", true, SP, 0, 0x2000);
	v9_heap_seal(&h, &syms);
	tap_eq(at(&h, &syms, 7, 150, 0x1000), 1, "nested_is_of_the_outer_call");
	tap_eq(at(&h, &syms, 7, 250, 0x2000), 3, "jump_is_of_the_outer_call");
	tap_eq(h.nr, 2, "nested_blocks");
	tap_ok(!h.open && !h.missed, "nested_nothing_lost");
	v9_heap_free(&h);
	v9_syms_free(&syms);
}

static void losses(void)
{
	struct v9_heap h = { .nr = 0 };
	struct v9_syms syms;

	begin(&syms);
	process(&syms, 1, 7);
	v9_syms_seal(&syms);
	inner(&h, 100, "malloc", false, SP, 1, 0);		/* its return was lost */
	inner(&h, 110, "malloc", false, SP, 1, 0);		/* the same call in a loop */
	inner(&h, 111, "malloc", true, SP, 0, 0x1000);
	inner(&h, 120, "malloc", true, SP, 0, 0x2000);		/* its begin was lost */
	inner(&h, 130, "malloc", false, SP, 2, 0);		/* lost return, then a deeper function */
	inner(&h, 140, "malloc", false, SP - 8192, 3, 0);
	inner(&h, 141, "malloc", true, SP - 8192, 0, 0x3000);
	inner(&h, 150, "malloc", false, SP, 4, 0);
	inner(&h, 151, "malloc", true, SP, 0, 0x3000);		/* the free() before was lost */
	call(&h, 160, 7, "free", 0x9000, 0, 0, 0);		/* allocated before the recording */
	call(&h, 170, 7, "free", 0x3000, 0, 0, 0);
	call(&h, 180, 7, "free", 0x3000, 0, 0, 0);
	inner(&h, 190, "malloc", false, SP, 5, 0);		/* the recording ends */
	v9_heap_seal(&h, &syms);
	tap_eq(h.open, 3, "calls_without_a_return");
	tap_eq(h.returns, 1, "returns_without_a_call");
	tap_eq(h.missed, 1, "frees_missed");
	tap_eq(h.unknown, 2, "frees_of_unknown_blocks");
	tap_eq(at(&h, &syms, 7, 115, 0x1000), 1, "lost_return");
	tap_eq(at(&h, &syms, 7, 149, 0x3000), 3, "deeper_function");
	tap_eq(at(&h, &syms, 7, 150, 0x3000), 4, "after_the_missed_free");
	v9_heap_free(&h);
	v9_syms_free(&syms);
}

/* What looks like a pair, or like a function that another one calls */
static void unpaired(void)
{
	struct v9_heap h = { .nr = 0 };
	struct v9_syms syms;

	begin(&syms);
	process(&syms, 1, 7);
	process(&syms, 1, 8);
	v9_syms_seal(&syms);
	inner(&h, 100, "malloc", false, SP, 1, 0);		/* lost return, then another function */
	inner(&h, 110, "calloc", false, SP, 2, 0);
	inner(&h, 120, "calloc", true, SP, 0, 0x1000);
	inner(&h, 130, "malloc", false, SP, 3, 0);
	inner(&h, 140, "malloc", true, SP + 64, 0, 0x2000);	/* of a caller: its begin was lost */
	inner(&h, 150, "malloc", true, SP, 0, 0x3000);
	inner(&h, 160, "malloc", false, SP, 4, 0);
	/* the number of the thread is used again in another process */
	v9_heap_add(&h, &(struct v9_heap_call){ .time = 170, .pid = 8, .tid = 7, .returns = true,
		    .function = name_of("malloc"), .sp = SP, .result = 0x4000 });
	v9_heap_seal(&h, &syms);
	tap_eq(at(&h, &syms, 7, 200, 0x1000), 2, "another_function");
	tap_eq(at(&h, &syms, 7, 200, 0x3000), 3, "pair_around_a_return");
	tap_eq(h.nr, 2, "unpaired_make_no_block");
	tap_eq(h.open, 2, "unpaired_calls");
	tap_eq(h.returns, 2, "unpaired_returns");
	v9_heap_free(&h);
	v9_syms_free(&syms);
}

/* posix_memalign() writes its result to a variable. */
static void variable(struct v9_heap *h, uint64_t time, uint64_t out, uint64_t status, uint64_t result)
{
	uint8_t *stack = *v9_vec_add(h->stacks, h->nr_stacks);

	for (unsigned int i = 0; i < 8; i++)
		stack[V9_HEAP_STACK - 8 + i] = (uint8_t)(result >> 8 * i);
	v9_heap_add(h, &(struct v9_heap_call){ .time = time, .pid = 7, .tid = 7, .sp = SP, .out = out, .n = 1,
		    .function = name_of("posix_memalign"), .size = 64, .caller = { time } });
	v9_heap_add(h, &(struct v9_heap_call){ .time = time + 5, .pid = 7, .tid = 7, .returns = true,
		    .function = name_of("posix_memalign"), .sp = SP, .result = status,
		    .stack = h->nr_stacks });
}

static void variables(void)
{
	struct v9_heap h = { .nr = 0 };
	struct v9_syms syms;

	begin(&syms);
	process(&syms, 1, 7);
	v9_syms_seal(&syms);
	variable(&h, 100, SP + V9_HEAP_STACK - 8, 0, 0x1000);
	variable(&h, 200, SP + V9_HEAP_STACK - 8, 12, 0x2000);	/* ENOMEM */
	variable(&h, 300, SP + V9_HEAP_STACK - 7, 0, 0x3000);	/* not wholly in the copy */
	variable(&h, 400, SP - 8, 0, 0x4000);
	v9_heap_seal(&h, &syms);
	tap_eq(at(&h, &syms, 7, 500, 0x103f), 100, "result_in_a_variable");
	tap_eq(h.nr, 1, "results_in_variables");
	tap_eq(h.unplaced, 2, "variables_elsewhere");
	v9_heap_free(&h);
	v9_syms_free(&syms);
}

static void processes(void)
{
	struct v9_heap h = { .nr = 0 };
	struct v9_syms syms;

	begin(&syms);
	process(&syms, 1, 7);
	v9_syms_fork(&syms, 1000, 8, 7);
	v9_syms_fork(&syms, 2000, 9, 8);
	v9_syms_exec(&syms, 3000, 8);
	process(&syms, 3001, 8);
	v9_syms_seal(&syms);
	call(&h, 100, 7, "malloc", 0, 16, 0x1000, 1);
	call(&h, 110, 7, "malloc", 0, 16, 0x2000, 2);
	call(&h, 120, 7, "malloc", 0, 16, 0x3000, 3);
	call(&h, 130, 7, "malloc", 0, 16, 0x4000, 4);
	call(&h, 140, 7, "free", 0x4000, 0, 0, 0);
	call(&h, 1100, 7, "free", 0x1000, 0, 0, 0);		/* the child keeps its copy */
	call(&h, 1200, 7, "malloc", 0, 16, 0x5000, 5);
	call(&h, 1300, 8, "free", 0x2000, 0, 0, 0);
	call(&h, 1350, 8, "free", 0x2000, 0, 0, 0);		/* twice */
	call(&h, 1400, 8, "free", 0x4000, 0, 0, 0);		/* freed before the fork */
	call(&h, 1500, 8, "malloc", 0, 8, 0x2004, 6);
	v9_heap_seal(&h, &syms);
	tap_eq(at(&h, &syms, 8, 1999, 0x1000), 1, "inherited");
	tap_eq(at(&h, &syms, 7, 1999, 0x1000), 0, "freed_by_the_parent");
	tap_eq(at(&h, &syms, 8, 1299, 0x200f), 2, "inherited_until_freed");
	tap_eq(at(&h, &syms, 8, 1300, 0x200f), 0, "freed_by_the_child");
	tap_eq(at(&h, &syms, 7, 1999, 0x200f), 2, "not_freed_by_the_parent");
	tap_eq(at(&h, &syms, 8, 1999, 0x5000), 0, "allocated_after_the_fork");
	tap_eq(at(&h, &syms, 8, 1999, 0x2007), 6, "allocated_by_the_child");
	tap_eq(at(&h, &syms, 9, 2500, 0x3000), 3, "inherited_twice");
	tap_eq(at(&h, &syms, 9, 2500, 0x200f), 0, "freed_in_between");
	tap_eq(at(&h, &syms, 9, 2500, 0x2004), 6, "inherited_of_the_child");
	tap_eq(at(&h, &syms, 9, 4000, 0x1000), 1, "kept_after_exec_of_the_parent");
	tap_eq(at(&h, &syms, 8, 2999, 0x3000), 3, "before_exec");
	tap_eq(at(&h, &syms, 8, 3000, 0x3000), 0, "after_exec");
	tap_eq(h.unknown, 2, "frees_of_a_child");
	v9_heap_free(&h);
	v9_syms_free(&syms);
}

/* The recording began after the parent's calls: the child frees blocks that nobody knows. */
static void of_a_child_alone(void)
{
	struct v9_heap h = { .nr = 0 };
	struct v9_syms syms;

	begin(&syms);
	process(&syms, 1, 7);
	v9_syms_fork(&syms, 1000, 8, 7);
	v9_syms_seal(&syms);
	call(&h, 1100, 8, "free", 0x1000, 0, 0, 0);
	call(&h, 1200, 8, "free", 0x2000, 0, 0, 0);
	v9_heap_seal(&h, &syms);
	tap_eq(h.unknown, 2, "frees_of_a_child_alone");
	v9_heap_free(&h);
	v9_syms_free(&syms);
}

/*
 * A random story of three processes, one forked from another, beside a simple account of who owns each byte
 * at each time.
 */
#define BYTES	160u
#define TIMES	3000u
#define PIDS	3u

static uint16_t owner[PIDS][TIMES + 20][BYTES];
static uint32_t seed = 1;

static unsigned int any(unsigned int n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

static void own(unsigned int pid, unsigned int time, unsigned int from, unsigned int n, uint16_t id)
{
	for (unsigned int t = time; t < TIMES + 20; t++)
		for (unsigned int k = from; k < from + n; k++)
			owner[pid][t][k] = id;
}

static void story(void)
{
	static uint8_t start[PIDS][TIMES], size[PIDS][TIMES];	/* of each block, by id; size 0: freed */
	struct v9_heap h = { .nr = 0 };
	struct v9_syms syms;
	uint64_t wrong = 0;
	uint16_t id = 0;

	begin(&syms);
	process(&syms, 1, 100);
	process(&syms, 1, 102);
	v9_syms_fork(&syms, 600, 101, 100);
	v9_syms_seal(&syms);
	for (unsigned int time = 20; time < TIMES - 20; time += 20) {
		unsigned int p = any(PIDS), n = 1 + any(30), from = any(BYTES - n), old = 0;
		bool free = false;

		if (time == 600) {
			for (unsigned int t = time; t < TIMES + 20; t++)
				memcpy(owner[1][t], owner[0][t], sizeof(owner[1][t]));
			memcpy(start[1], start[0], sizeof(start[1]));
			memcpy(size[1], size[0], sizeof(size[1]));
			continue;
		}
		if (time < 600 && p == 1)
			continue;
		for (unsigned int k = 1; k <= id; k++)
			if (size[p][k] && !any(4))
				old = k;
		for (unsigned int k = from; k < from + n; k++)
			if (owner[p][time][k] && owner[p][time][k] != old)
				free = true;
		if (!free)
			id++;
		if (free && old) {
			call(&h, time, 100 + p, "free", 0x1000 + start[p][old], 0, 0, 0);
			own(p, time, start[p][old], size[p][old], 0);
			size[p][old] = 0;
		} else if (!free && old) {
			const bool there = start[p][old] == from;

			/* Only memory that is not of the old block, or its begin */
			if (!there && from < start[p][old] + size[p][old] && start[p][old] < from + n)
				continue;
			call(&h, time, 100 + p, "realloc", 0x1000 + start[p][old], n, 0x1000 + from, id);
			own(p, there ? time : time + 10, start[p][old], size[p][old], 0);
			size[p][old] = 0;
		} else if (!free) {
			call(&h, time, 100 + p, "malloc", 0, n, 0x1000 + from, id);
		}
		if (!free) {
			own(p, time, from, n, id);
			start[p][id] = (uint8_t)from;
			size[p][id] = (uint8_t)n;
		}
	}
	v9_heap_seal(&h, &syms);
	for (unsigned int p = 0; p < PIDS; p++)
		for (unsigned int time = p == 1 ? 600 : 1; time < TIMES; time++)
			for (unsigned int k = 0; k < BYTES; k++)
				wrong += at(&h, &syms, 100 + p, time, 0x1000 + k) != owner[p][time][k];
	tap_eq(wrong, 0, "story");
	tap_ok(h.nr > 60 && !h.unknown && !h.missed, "story_is_whole");
	v9_heap_free(&h);
	v9_syms_free(&syms);
}

/* Random numbers in all fields: nothing crashes, each call is accounted for. */
static void hostile(void)
{
	static const char *const functions[] = { "malloc", "free", "realloc", "posix_memalign", "new" };
	static const uint64_t values[] = { 0, 1, 0x1000, 0x1008, SP, SP - 8, UINT64_MAX, UINT64_MAX / 2, 1u << 31 };
	struct v9_heap h = { .nr = 0 };
	struct v9_syms syms;
	uint64_t found = 0, wrong = 0;

	begin(&syms);
	for (uint32_t pid = 0; pid < 200; pid++) {
		process(&syms, pid, pid);
		v9_syms_fork(&syms, any(300), pid + 1, any(200));	/* circles, too */
	}
	v9_syms_seal(&syms);
	for (unsigned int i = 0; i < 20000; i++) {
#define ANY	values[any(V9_ARRAY_SIZE(values))]
		struct v9_heap_call c = {
			.time = any(4) ? i : ANY, .pid = any(8), .tid = any(2), .returns = !any(4),
			.function = name_of(functions[any(V9_ARRAY_SIZE(functions))]), .frees = !any(4),
			.sp = any(2) ? SP : ANY, .old = ANY, .n = ANY, .size = ANY, .out = ANY,
			.caller = { ANY, ANY, ANY }, .result = ANY };

		v9_heap_add(&h, &c);
		/* Random calls have no return: add some. */
		c.returns = true;
		if (any(2))
			v9_heap_add(&h, &c);
	}
	v9_heap_seal(&h, &syms);
	for (unsigned int i = 0; i < 20000; i++) {
		const uint64_t time = any(2) ? i : ANY, addr = ANY + any(2);
		const struct v9_heap_block *b = v9_heap_find(&h, &syms, any(any(2) ? 8 : 202), time, addr);

		found += !!b;
		wrong += b && (addr - b->start >= b->size || time < b->begin);
	}
	tap_ok(h.nr > 100 && found > 100, "hostile_has_blocks");
	tap_eq(wrong, 0, "hostile");
	v9_heap_free(&h);
	v9_syms_free(&syms);
}

int main(void)
{
	life();
	meanwhile();
	nested();
	losses();
	unpaired();
	variables();
	processes();
	of_a_child_alone();
	story();
	hostile();
	v9_strtab_free(&strings);
	return tap_done();
}
