// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks that are recorded, in a tree that looks as /proc: a number that another task has now is no member, and processes that
 * have ended are dropped.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/util.c"
#include "../../tools/collect/family.c"

static char dir[] = "/tmp/family.XXXXXX";

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(1);
}

/* A process that started at @born, with @threads more threads, numbered from there */
static void start(int pid, unsigned int born, int threads)
{
	char *path = v9_format("%s/%d", dir, pid), *stat = v9_format("%s/stat", path), *task = v9_format("%s/task", path);
	char *line = v9_format("%d (a b) c) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %u 0 0\n", pid, born);

	mkdir(path, 0700);
	mkdir(task, 0700);
	put(stat, line);
	free(line);
	for (int i = 0; i <= threads; i++) {
		char *thread = v9_format("%s/%d", task, pid + i);

		mkdir(thread, 0700);
		free(thread);
	}
	free(path);
	free(stat);
	free(task);
}

/* The first thread of a process has ended. */
static void make_zombie(int pid, unsigned int born)
{
	char *stat = v9_format("%s/%d/stat", dir, pid);
	char *line = v9_format("%d (x) Z 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %u 0 0\n", pid, born);

	put(stat, line);
	free(stat);
	free(line);
}

static void end(int pid)
{
	char *path = v9_format("%s/%d", dir, pid);

	tap_remove(path);
	free(path);
}

static void test_born(void)
{
	tap_eq(v9_task_born("7 (x) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0"), 4711, "born");
	tap_eq(v9_task_born("7 () 9 (x) y) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711"), 4711, "born_behind_the_name");
	tap_eq(v9_task_born("7 (x) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1"), 0, "line_is_too_short");
	tap_eq(v9_task_born("7 (x) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 x 0"), 0, "no_number");
	tap_eq(v9_task_born(""), 0, "no_line");
}

static int threads_of(const struct v9_family *f, int *first)
{
	int *tid, n = v9_family_tasks(f, &tid);

	*first = n ? tid[0] : 0;
	free(tid);
	return n;
}

static void test_threads(void)
{
	const int id[] = { 100, 200 };
	struct v9_family f;
	int first;

	start(100, 5, 0);
	start(200, 6, 3);
	v9_family_begin(&f, dir, id, 2, true);
	tap_ok(threads_of(&f, &first) == 2 && first == 100, "threads");
	tap_ok(v9_family_has(&f, 100) && v9_family_has(&f, 200) && !v9_family_has(&f, 201), "only_those_threads");
	end(100);
	tap_ok(threads_of(&f, &first) == 1 && first == 200 && !v9_family_has(&f, 100), "one_has_ended");
	start(100, 7, 0);
	tap_ok(threads_of(&f, &first) == 1 && !v9_family_has(&f, 100), "another_has_its_number");
	end(100);
	start(100, 5, 0);
	tap_eq(threads_of(&f, &first), 2, "the_same_again");
	v9_family_free(&f);
	end(100);
	v9_family_begin(&f, dir, id, 2, true);
	start(100, 8, 0);
	tap_ok(threads_of(&f, &first) == 1 && first == 200 && !v9_family_has(&f, 100), "ended_before_it_was_named");
	v9_family_free(&f);
	end(100);
	end(200);
}

static void test_processes(void)
{
	const int id[] = { 100 };
	struct v9_family f;
	int first, most = 0;

	start(100, 5, 2);
	v9_family_begin(&f, dir, id, 1, false);
	tap_eq(threads_of(&f, &first), 3, "threads_of_a_process");
	start(300, 8, 1);
	v9_family_add(&f, 300);
	v9_family_add(&f, 400);
	tap_ok(f.n == 2 && threads_of(&f, &first) == 5, "and_of_its_children");
	end(300);
	start(300, 9, 1);
	tap_eq(threads_of(&f, &first), 3, "another_process_has_the_number");
	end(100);
	v9_family_drop(&f);
	tap_ok(f.n == 1 && f.member[0].id == 100 && !threads_of(&f, &first), "who_was_named_stays");
	end(300);
	start(300, 9, 1);
	start(301, 9, 0);
	v9_family_add(&f, 300);
	v9_family_add(&f, 301);
	make_zombie(300, 9);
	make_zombie(301, 9);
	tap_ok(threads_of(&f, &first) == 2 && v9_family_has(&f, 300) && !v9_family_has(&f, 301), "zombies");
	end(300);
	end(301);
	v9_family_drop(&f);
	tap_eq(f.n, 1, "dropped");
	/* Children that come and go */
	for (int i = 0; i < 1000; i++) {
		start(1000 + i, 10, 0);
		v9_family_add(&f, 1000 + i);
		most = f.n > most ? f.n : most;
		end(1000 + i);
	}
	tap_ok(most <= ROOM + 2, "they_are_few");
	v9_family_free(&f);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	test_born();
	test_threads();
	test_processes();
	tap_remove(dir);
	return tap_done();
}
