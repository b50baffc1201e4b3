// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state that side-band records leave (tools/live/places.c), compared whole: mappings that are cut, forks, threads,
 * rounds, the bound of mappings, and objects.
 */
#include <inttypes.h>

#include "said.h"
#include "tap.h"

#include "../../tools/live/places.c"

static struct v9_live_places p;

static void say_map(const char *what, const struct v9_live_map *m)
{
	say(" %s %" PRIx64 "-%" PRIx64 "@%" PRIx64 "=%u:%" PRIu64, what, m->start, m->end, m->pgoff, m->object,
	    m->from);
	if (m->to != UINT64_MAX)
		say("-%" PRIu64 "r%" PRIu64, m->to, m->round);
	say("%s%s", m->inherited ? "i" : "", m->dropped ? "d" : "");
}

/* "now": mapping=object:time; "old": with the time and the round of its end; "had": of a parent */
static void is(const char *name, uint32_t pid, const char *want)
{
	const struct v9_live_space *s = find(&p.spaces, pid);

	say_nothing();
	if (s) {
		say("%zu", s->threads);
		if (s->ended)
			say(" ended r%" PRIu64, s->round);
		if (s->forked)
			say(" of %u:%" PRIu64 "r%" PRIu64, s->fork.ppid, s->fork.from, s->fork.round);
		if (s->lossy)
			say(" lossy");
		for (size_t i = 0; i < s->nr_now; i++)
			say_map("now", &s->now[i]);
		for (size_t i = 0; i < s->nr_old; i++)
			say_map("old", &s->old[i]);
		for (size_t i = 0; i < s->nr_inherited; i++)
			say(" had %u:%" PRIu64 "-%" PRIu64 "r%" PRIu64, s->inherited[i].ppid, s->inherited[i].from,
			    s->inherited[i].to, s->inherited[i].round);
	}
	expect_said(name, want);
}

static void test_maps(void)
{
	v9_live_map(&p, 5, 9, 0x1000, 0, 0, 0);
	v9_live_map(&p, 5, 9, UINT64_MAX, 1, 0, 0);
	v9_live_map(&p, 5, 9, UINT64_MAX - 7, 16, 0, 0);
	is("nothing_is_mapped", 9, "");
	p.round = 3;
	v9_live_map(&p, 10, 1, 0x1000, 0x3000, 0x100, 5);
	v9_live_map(&p, 11, 1, 0x1000, 0x3000, 0x100, 5);
	is("told_twice", 1, "0 now 1000-4000@100=5:10");
	/* A new mapping inside another one: the parts before and behind it stay mapped. */
	v9_live_map(&p, 12, 1, 0x2000, 0x1000, 0, 6);
	is("in_its_midst", 1, "0 now 1000-2000@100=5:10 now 2000-3000@0=6:12 "
	   "now 3000-4000@2100=5:10 old 1000-4000@100=5:10-12r3");
	/* Beside others, with which it has no byte in common */
	v9_live_map(&p, 13, 1, 0x4000, 0x1000, 0, 7);
	v9_live_map(&p, 13, 1, 0x800, 0x800, 0, 8);
	is("beside_others", 1, "0 now 800-1000@0=8:13 now 1000-2000@100=5:10 now 2000-3000@0=6:12 "
	   "now 3000-4000@2100=5:10 now 4000-5000@0=7:13 old 1000-4000@100=5:10-12r3");
	/* From a byte in one to a byte in another */
	p.round = 4;
	v9_live_map(&p, 14, 1, 0x1fff, 0x1002, 9, 9);
	is("of_three", 1, "0 now 800-1000@0=8:13 now 1000-1fff@100=5:10 now 1fff-3001@9=9:14 now 3001-4000@2101=5:10 "
	   "now 4000-5000@0=7:13 old 1000-4000@100=5:10-12r3 old 1000-2000@100=5:10-14r4 old 2000-3000@0=6:12-14r4 "
	   "old 3000-4000@2100=5:10-14r4");
	/* Exactly in place of one: another object, offset, or end */
	v9_live_map(&p, 1, 2, 0x1000, 0x1000, 0, 1);
	v9_live_map(&p, 2, 2, 0x1000, 0x1000, 0, 2);
	v9_live_map(&p, 3, 2, 0x1000, 0x1000, 1, 2);
	v9_live_map(&p, 4, 2, 0x1000, 0xfff, 1, 2);
	v9_live_map(&p, 5, 2, 0x1001, 0xffe, 1, 2);
	is("in_its_place", 2, "0 now 1000-1001@1=2:4 now 1001-1fff@1=2:5 now 1fff-2000@1000=2:3 "
	   "old 1000-2000@0=1:1-2r4 old 1000-2000@0=2:2-3r4 old 1000-2000@1=2:3-4r4 old 1000-1fff@1=2:4-5r4");
}

static void found(const char *name, uint32_t pid, uint64_t time, uint64_t addr, int64_t want)
{
	const struct v9_live_map *m = v9_live_find(&p, pid, time, addr);

	tap_eq(m ? (int64_t)m->object : -1, want, "%s", name);
}

static void test_find(void)
{
	size_t n = 1;

	/* Process 1 of test_maps(), where 0x1000 to 0x4000 was mapped from time 10 to 12 */
	found("before_it", 1, 10, 0xfff, -1);
	found("first", 1, 10, 0x1000, 5);
	found("last", 1, 10, 0x3fff, 5);
	found("behind_it", 1, 10, 0x4000, -1);
	found("too_early", 1, 9, 0x2000, -1);
	found("to_its_end", 1, 11, 0x2000, 5);
	found("after_it", 1, 12, 0x2000, 6);
	found("to_the_next", 1, 13, 0x2fff, 6);
	found("now", 1, 14, 0x2fff, 9);
	found("last_now", 1, 14, 0x3000, 9);
	found("behind_that", 1, 14, 0x3001, 5);
	found("end_of_all", 1, UINT64_MAX, 0x4fff, 7);
	found("behind_all", 1, UINT64_MAX, 0x5000, -1);
	found("before_all", 1, UINT64_MAX, 0x7ff, -1);
	found("no_process", 77, UINT64_MAX, 0x1000, -1);
	tap_ok(!v9_live_maps(&p, 77, &n) && !n, "no_maps");
	tap_ok(v9_live_maps(&p, 1, &n) == ((struct v9_live_space *)find(&p.spaces, 1))->now && n == 5, "its_maps");
}

static void threads_are(const char *name, uint32_t tid, const char *want)
{
	const struct thread *t = find(&p.threads, tid);
	char got[64] = "none";
	uint32_t pid = 99;

	if (t)
		snprintf(got, sizeof(got), "%u%s r%" PRIu64, t->pid, t->ended ? " ended" : "", t->round);
	if (!tap_ok(!strcmp(got, want), "%s", name))
		printf("# got  %s\n# want %s\n", got, want);
	tap_eq(v9_live_pid(&p, tid, &pid), t != NULL, "%s", name);
	tap_eq(pid, t ? t->pid : 99, "%s", name);
}

static void test_tasks(void)
{
	p.round = 7;
	v9_live_thread(&p, 10, 10);
	v9_live_thread(&p, 10, 10);
	v9_live_thread(&p, 10, 11);
	v9_live_map(&p, 20, 10, 0x1000, 0x1000, 0, 1);
	v9_live_map(&p, 21, 10, 0x3000, 0x1000, 0, 2);
	is("two_threads", 10, "2 now 1000-2000@0=1:20 now 3000-4000@0=2:21");
	/* A thread is no child, nor is one whose process is not its own. */
	v9_live_fork(&p, 22, 10, 12, 10);
	v9_live_fork(&p, 22, 30, 31, 10);
	is("third_thread", 10, "3 now 1000-2000@0=1:20 now 3000-4000@0=2:21");
	is("no_child", 30, "1");
	v9_live_fork(&p, 30, 40, 40, 10);
	v9_live_map(&p, 31, 40, 0x1000, 0x800, 0, 3);
	is("child", 40, "1 of 10:30r7 now 1000-1800@0=3:31 now 1800-2000@800=1:30i now 3000-4000@0=2:30i "
	   "old 1000-2000@0=1:30-31r7i");
	v9_live_exec(&p, 32, 40);
	is("exec", 40, "1 old 1000-2000@0=1:30-31r7i old 1000-1800@0=3:31-32r7 had 10:30-32r7");
	found("at_the_fork", 40, 30, 0x3000, 2);
	found("before_the_fork", 40, 29, 0x3000, -1);
	found("up_to_the_exec", 40, 31, 0x3000, 2);
	found("from_the_exec_on", 40, 32, 0x3000, -1);
	/* In another round, the child keeps all that it had. */
	v9_live_fork(&p, 40, 41, 41, 10);
	p.round = 8;
	v9_live_exec(&p, 42, 41);
	is("exec_of_another_round", 41, "1 old 1000-2000@0=1:40-42r8i old 3000-4000@0=2:40-42r8i");
	/* A thread that has ended once does not end again; the last ends the process. */
	v9_live_exit(&p, 50, 10, 11);
	v9_live_exit(&p, 51, 10, 11);
	v9_live_exit(&p, 51, 11, 12);
	v9_live_exit(&p, 51, 10, 99);
	threads_are("ended", 11, "10 ended r8");
	is("two_are_left", 10, "2 now 1000-2000@0=1:20 now 3000-4000@0=2:21");
	v9_live_exit(&p, 52, 10, 10);
	v9_live_exit(&p, 53, 10, 12);
	is("process_ended", 10, "0 ended r8 old 1000-2000@0=1:20-53r8 old 3000-4000@0=2:21-53r8");
	found("up_to_its_end", 10, 52, 0x1000, 1);
	found("from_its_end_on", 10, 53, 0x1000, -1);
	/* The number of a thread of another process, which has one fewer then, unless the thread had ended */
	v9_live_thread(&p, 30, 40);
	is("taken", 40, "0 old 1000-2000@0=1:30-31r7i old 1000-1800@0=3:31-32r7 had 10:30-32r7");
	is("taker", 30, "2");
	v9_live_thread(&p, 30, 11);
	threads_are("used_again", 11, "30 r8");
	is("taker_of_one_that_ended", 30, "3");
	is("giver_has_ended", 10, "0 ended r8 old 1000-2000@0=1:20-53r8 old 3000-4000@0=2:21-53r8");
	v9_live_thread(&p, 10, 13);
	is("lives_again", 10, "1 old 1000-2000@0=1:20-53r8 old 3000-4000@0=2:21-53r8");
	v9_live_exit(&p, 60, 10, 13);
	v9_live_map(&p, 61, 10, 0x9000, 0x10, 0, 4);
	is("mapped_after_its_end", 10, "0 now 9000-9010@0=4:61 old 1000-2000@0=1:20-53r8 old 3000-4000@0=2:21-53r8");
	/* Without a thread that is known, the first end is that of the process. */
	v9_live_exec(&p, 62, 10);
	v9_live_thread(&p, 10, 14);
	v9_live_exit(&p, 63, 10, 14);
	is("exec_leaves_one", 10, "1 old 1000-2000@0=1:20-53r8 old 3000-4000@0=2:21-53r8 old 9000-9010@0=4:61-62r8");
	/* Threads whose ends were not told before an exec count once. */
	for (uint32_t tid = 65; tid < 68; tid++)
		v9_live_thread(&p, 65, tid);
	v9_live_exec(&p, 64, 65);
	v9_live_thread(&p, 30, 66);
	v9_live_thread(&p, 30, 67);
	is("no_less_than_none", 65, "0");
}

/* A table has as many slots as entries, or up to twice as many. An entry may be in the first slot. */
static void test_table(void)
{
	struct v9_live_table t = { .room = 0 };
	size_t n = 0;

	for (uint32_t key = 0; key < 65; key++)
		add(&t, key, sizeof(struct v9_live_node));
	for (uint32_t key = 0; key < 65; key++)
		n += find(&t, key) && ((struct v9_live_node *)find(&t, key))->key == key;
	tap_ok(n == 65 && !find(&t, 65) && t.used == 65 && t.room == 128, "table");
	sweep(&t, all, NULL);
	tap_eq(t.used, 0, "empty_table");
	free(t.slot);
}

/* The next round drops what ended in the one before. */
static void test_rounds(void)
{
	v9_live_fork(&p, 70, 45, 45, 1);
	v9_live_exec(&p, 71, 45);
	v9_live_exit(&p, 72, 45, 45);
	is("ended_in_this_round", 45, "0 ended r8 had 1:70-71r8");
	v9_live_forget(&p);
	tap_eq(p.round, 9, "next_round");
	is("kept_once", 45, "0 ended r8 had 1:70-71r8");
	is("older_is_dropped", 40, "0");
	is("of_the_round", 41, "1 old 1000-2000@0=1:40-42r8i old 3000-4000@0=2:40-42r8i");
	threads_are("thread_is_kept_once", 45, "45 ended r8");
	threads_are("ended_before", 13, "10 ended r8");
	v9_live_forget(&p);
	is("dropped", 45, "");
	is("lives", 41, "1");
	threads_are("thread_is_dropped", 45, "none");
	threads_are("thread_lives", 11, "30 r8");
}

/* One beyond the bound ends a quarter, of which those that began first: these have the greatest addresses. */
static void test_bound(void)
{
	const struct v9_live_space *s;

	for (uint64_t i = 0; i < V9_LIVE_MAPS; i++)
		v9_live_map(&p, 9000 - i, 50, 0x100000 + i * 0x1000, 0x1000, 0, 1);
	s = find(&p.spaces, 50);
	tap_ok(s->nr_now == 4096 && !s->nr_old && !p.dropped && !s->lossy, "as_many_as_there_may_be");
	v9_live_map(&p, 9001, 50, 0x1000, 0x1000, 0, 2);
	tap_ok(s->nr_now == 3073 && s->nr_old == 1024 && p.dropped == 1024 && !s->lossy, "one_more");
	tap_ok(s->now[0].start == 0x1000 && s->now[1].start == 0x100000 &&
	       s->now[3072].start == 0x100000 + 3071 * 0x1000, "which_stay");
	tap_ok(s->old[0].start == 0x100000 + 3072 * 0x1000 && s->old[1023].start == 0x100000 + 4095 * 0x1000 &&
	       s->old[0].dropped && s->old[1023].dropped && s->old[0].to == 9001, "which_end");
	/* Old ones: at the bound, a quarter is dropped, of which these were counted before. */
	for (uint64_t i = 0; i < 3073; i++)
		v9_live_map(&p, 9100 + i, 50, 0x1000, 0x1000, i + 1, 2);
	tap_ok(s->nr_old == 3073 && p.dropped == 1024 && s->lossy, "old_ones");
	tap_ok(s->old[0].pgoff == 0 && s->old[0].from == 9001 && s->old[0].to == 9100, "first_that_stays");
	tap_ok(s->old[3072].pgoff == 3072 && s->old[3072].to == 9100 + 3072, "last_one");
	for (uint64_t i = 3073; i < 3073 + 1024; i++)
		v9_live_map(&p, 9100 + i, 50, 0x1000, 0x1000, i + 1, 2);
	tap_ok(s->nr_old == 3073 && p.dropped == 2048, "each_is_counted_once");
	/* If all mappings began at the same time, a quarter of them is dropped. */
	p.dropped = 0;
	for (uint64_t i = 0; i <= V9_LIVE_MAPS; i++)
		v9_live_map(&p, 77, 51, 0x100000 + i * 0x1000, 0x1000, 0, 1);
	s = find(&p.spaces, 51);
	tap_ok(s->nr_now == 3073 && s->nr_old == 1024 && p.dropped == 1024, "at_once");
	tap_eq(s->now[0].start, 0x100000 + 1024 * 0x1000, "first_of_them_that_stays");
}

static void test_objects(void)
{
	/* Of each pair, hash() returns the same. */
	static const uint8_t id[4][5] = { { 0xeb, 0xdd, 0x5f, 0xd2 }, { 0x3b, 0xd6, 0x53, 0x11 },
					  { 0xec, 0xbc, 0x5c, 0xdd }, { 0xd0, 0x01, 0x2f, 0x46, 0xb1 } };
	static const uint8_t b[] = "b", long_id[21] = { 1 };
	char name[16];
	struct v9_live_object *o;

	/* Known values of FNV-1a */
	tap_eq(hash("a", NULL, 0), 0xe40c292c, "hash");
	tap_eq(hash("foo", (const uint8_t *)"bar", 3), 0xbf9cf968, "hash_of_both");
	for (int round = 0; round < 2; round++) {
		tap_eq(v9_live_object(&p, "/ab", NULL, 0), 0, "name");
		tap_eq(v9_live_object(&p, "/a", b, 1), 1, "same_hash");
		tap_eq(v9_live_object(&p, "x", id[0], 4), 2, "build_id");
		tap_eq(v9_live_object(&p, "x", id[1], 4), 3, "other_build_id");
		tap_eq(v9_live_object(&p, "x", id[2], 4), 4, "third_build_id");
		tap_eq(v9_live_object(&p, "x", id[3], 5), 5, "longer_build_id");
		tap_eq(v9_live_object(&p, "x", long_id, 20), 6, "longest_build_id");
		tap_eq(v9_live_object(&p, "x", long_id, 21), 7, "too_long_is_none");
		tap_eq(v9_live_object(&p, "x", NULL, 0), 7, "none");
	}
	o = p.objects;
	tap_ok(o[0].file && o[1].file && !o[2].file && !o[0].id_size && o[1].id_size == 1 && o[1].id[0] == 'b' &&
	       o[5].id_size == 5 && !memcmp(o[5].id, id[3], 5) && o[6].id_size == 20 && !o[7].id_size, "objects");
	for (int i = 8; i < 64; i++) {
		snprintf(name, sizeof(name), "%d", i);
		tap_eq(v9_live_object(&p, name, NULL, 0), i, "object_%d", i);
	}
	tap_ok(p.names.used == 64 && p.names.room == 64, "full");
	tap_eq(v9_live_object(&p, "64", NULL, 0), 64, "object_64");
	tap_ok(p.names.used == 65 && p.names.room == 128, "grown");
	for (int i = 8; i < 64; i++) {
		snprintf(name, sizeof(name), "%d", i);
		tap_eq(v9_live_object(&p, name, NULL, 0), i, "found_%d", i);
	}
}

static void keep(struct v9_live_places *places, void *arg)
{
	places->objects[*(const int *)arg].used = true;
}

/* Objects of mappings that there are, or were, stay, and one that the caller keeps. Others are free for new ones. */
static void test_collect(void)
{
	struct v9_live_places empty;
	int kept = 21;

	v9_live_map(&p, 1, 60, 0x1000, 0x1000, 0, 20);
	v9_live_map(&p, 2, 60, 0x1000, 0x2000, 0, 22);
	for (int i = 0; i < 30; i++)
		p.objects[i].used = true;	/* of the last time */
	v9_live_collect(&p, keep, &kept);
	for (uint32_t i = 0; i < 65; i++) {
		/* 1, 2, 5, 7, 8 and 9: of processes above */
		const bool stays = i == 1 || i == 2 || i == 5 || (i >= 7 && i <= 9) || (i >= 20 && i <= 22);

		tap_eq(p.objects[i].name != NULL, stays, "object_%u_stays", i);
	}
	tap_eq(p.nr_spare, 65 - 9, "spare");
	tap_eq(p.names.used, 9, "names_that_stay");
	tap_eq(v9_live_object(&p, "/a", (const uint8_t *)"b", 1), 1, "that_stays");
	tap_ok(v9_live_object(&p, "new", NULL, 0) < 65 && p.nr_objects == 65 && p.nr_spare == 55, "in_its_place");
	v9_live_places_free(&p);
	memset(&empty, 0, sizeof(empty));
	tap_ok(!memcmp(&p, &empty, sizeof(p)), "free");
}

int main(void)
{
	test_table();
	test_maps();
	test_find();
	test_tasks();
	test_rounds();
	test_bound();
	test_objects();
	test_collect();
	return tap_done();
}
