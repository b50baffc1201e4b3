// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files of a recording that is many: names, and which of them are removed (--switch-max-files,
 * --switch-max-size), those of earlier recordings included.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "tap.h"

static bool somebody_else;

/* The user that asks: the owner of the files, or another one */
static uid_t user(void)
{
	return geteuid() + somebody_else;
}

#define geteuid user
#include "../../tools/collect/switch.c"
#undef geteuid

static char dir[] = "/tmp/v9trace-switch.XXXXXX";

static char *path_of(const char *name)
{
	return v9_format("%s/%s", dir, name);
}

/* A file of @size bytes that was changed @age seconds ago */
static void make(const char *name, size_t size, int age)
{
	char *path = path_of(name);
	struct timespec times[2];
	int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);

	clock_gettime(CLOCK_REALTIME, &times[0]);
	times[0].tv_sec -= age;
	times[1] = times[0];
	if (fd < 0 || ftruncate(fd, (off_t)size) || futimens(fd, times) || close(fd))
		exit(1);
	free(path);
}

static bool is_there(const char *name)
{
	char *path = path_of(name);
	const bool there = !access(path, F_OK);

	free(path);
	return there;
}

static void clear(void)
{
	char *command = v9_format("rm -rf '%s'/*", dir);

	if (system(command))
		exit(1);
	free(command);
}

static const char *add(struct v9_switch_output *s, const char *prefix, size_t size)
{
	char *path = path_of("new"), *as = path_of(prefix);
	const char *name;

	make("new", size, 0);
	name = v9_switch_name(s, path, as);
	free(path);
	free(as);
	return name;
}

static void adopt(struct v9_switch_output *s, const char *prefix)
{
	char *path = path_of(prefix);

	v9_switch_adopt(s, path);
	free(path);
}

#define OLD(n)	"p.202611241637348" #n ".shard"

static void test_number(void)
{
	struct v9_switch_output s = { .most = 2, .ending = ".shard" };

	for (int i = 0; i < 3; i++)
		tap_ok(add(&s, "p", 10) && s.n == (i < 2 ? i + 1 : 2), "so_many_are_kept");
	tap_eq(s.removed, 1, "one_is_removed");
	tap_eq(s.removed_bytes, 10, "its_bytes");
	tap_ok(!access(s.name[0], F_OK) && !access(s.name[1], F_OK), "the_newest_are_there");
	v9_switch_free(&s);
	clear();
}

static void test_bytes(void)
{
	struct v9_switch_output s = { .most_bytes = 100 };

	add(&s, "p", 40);
	add(&s, "p", 60);
	tap_eq(s.n, 2, "as_many_bytes");
	add(&s, "p", 1);
	tap_eq(s.n, 2, "one_byte_more");
	tap_eq(s.removed_bytes, 40, "bytes_of_the_oldest");
	add(&s, "p", 101);
	tap_eq(s.n, 1, "too_large_alone");
	tap_ok(!access(s.name[0], F_OK), "but_it_is_kept");
	tap_eq(s.removed, 3, "all_others");
	/* Of both limits the narrower counts. */
	s.most = 1;
	s.most_bytes = 1000;
	add(&s, "p", 1);
	tap_eq(s.n, 1, "both_limits");
	v9_switch_free(&s);
	clear();
}

static void test_adopt(void)
{
	static const char *const others[] = {
		"p.2026112416373481", "p.202611241637348.shard", "p.20261124163734811.shard",
		"p.2026112416373481.shard.old", "p.20261124163734x1.shard", "q.2026112416373481.shard",
		"pp.2026112416373481.shard", "px2026112416373481.shard", "p.AbCdEf",
	};
	struct v9_switch_output s = { .most = 3, .ending = ".shard" };
	char *link_path = path_of(OLD(9)), *to = path_of("p.AbCdEf");

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		make(others[i], 10, 1000);
	if (symlink(to, link_path))
		exit(1);
	/* The names are not in the order of the times. */
	make(OLD(1), 10, 100);
	make(OLD(2), 20, 400);
	make(OLD(3), 30, 200);
	make(OLD(4), 40, 300);
	adopt(&s, "p");
	tap_eq(s.n, 3, "beyond_the_limit");
	tap_ok(!is_there(OLD(2)) && is_there(OLD(1)) && is_there(OLD(3)) && is_there(OLD(4)), "the_oldest");
	tap_eq(s.removed_bytes, 20, "its_size");
	add(&s, "p", 1);
	tap_ok(!is_there(OLD(4)) && is_there(OLD(3)), "the_next");
	add(&s, "p", 1);
	add(&s, "p", 1);
	tap_ok(!is_there(OLD(3)) && !is_there(OLD(1)) && s.n == 3, "all_of_before");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		tap_ok(is_there(others[i]), "of_others_%zu", i);
	tap_ok(is_there(OLD(9)), "a_link_is_none");
	v9_switch_free(&s);
	clear();

	/* Profiles have another ending; bytes count, too. */
	s = (struct v9_switch_output){ .most_bytes = 60, .ending = ".pb.gz" };
	make("p.2026112416373481.pb.gz", 50, 30);
	make("p.2026112416373482.pb.gz", 50, 20);
	make(OLD(1), 50, 10);
	adopt(&s, "p");
	tap_ok(s.n == 1 && is_there(OLD(1)) && is_there("p.2026112416373482.pb.gz"), "by_bytes");
	/* Somebody else has removed it. */
	clear();
	add(&s, "p", 50);
	tap_ok(s.n == 1 && s.removed == 1, "one_that_is_gone");
	v9_switch_free(&s);
	clear();

	/* In the current directory */
	s = (struct v9_switch_output){ .most = 1, .ending = ".shard" };
	make(OLD(1), 10, 30);
	make(OLD(2), 10, 20);
	if (chdir(dir))
		exit(1);
	v9_switch_adopt(&s, "p");
	tap_ok(s.n == 1 && !strcmp(s.name[0], OLD(2)) && !is_there(OLD(1)), "current_directory");
	v9_switch_free(&s);
	s = (struct v9_switch_output){ .most = 1, .ending = ".shard" };
	v9_switch_adopt(&s, "nosuch/p");
	tap_eq(s.n, 0, "no_directory");
	v9_switch_free(&s);
	free(link_path);
	free(to);
}

/* Two recordings that make files of the same names: the limits are for both. */
static void test_shared(void)
{
	struct v9_switch_output s = { .most = 3, .shared = true, .twin = true }, t = s;

	make("p.2026112416373481", 10, 30);
	make("p.2026112416373482", 10, -30);
	make("p.2026112416373482.spe", 5, 20);
	tap_ok(add(&s, "p", 10) && s.n == 3 && !s.removed, "files_of_another_recording");
	tap_ok(!strcmp(strrchr(s.name[1], '.'), ".2026112416373482") && s.size[1] == 15, "with_their_other_halves");
	tap_ok(add(&t, "p", 20) && t.n == 3 && t.removed == 1 && !is_there("p.2026112416373481"), "the_oldest_is_removed");
	tap_ok(t.size[2] == 20, "the_newest_is_the_last");
	tap_ok(add(&s, "p", 30) && s.n == 3 && s.removed == 1 && s.size[2] == 30, "and_by_the_other_one");
	tap_eq(s.files, 2, "of_its_own");
	t.most = 0;
	tap_ok(add(&t, "p", 20) && t.n == 4, "without_a_limit");
	v9_switch_free(&s);
	v9_switch_free(&t);
	clear();
}

/* Files of other users are not removed, and do not count. */
static void test_owner(void)
{
	struct v9_switch_output s = { .most = 1, .ending = ".shard" };
	struct v9_switch_output t = { .most = 1, .ending = ".shard", .shared = true };

	make(OLD(1), 10, 30);
	make(OLD(2), 10, 20);
	somebody_else = true;
	adopt(&s, "p");
	tap_ok(!s.n && !s.removed && is_there(OLD(1)) && is_there(OLD(2)), "of_another_user");
	tap_ok(add(&t, "p", 10) && t.n == 1 && !t.removed && is_there(OLD(1)) && is_there(OLD(2)), "shared_with_another_user");
	somebody_else = false;
	adopt(&s, "p");
	tap_ok(s.n == 1 && s.removed == 2 && !is_there(OLD(1)) && !is_there(OLD(2)), "of_the_same_user");
	v9_switch_free(&s);
	v9_switch_free(&t);
	clear();
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	test_number();
	test_bytes();
	test_adopt();
	test_shared();
	test_owner();
	clear();
	rmdir(dir);
	return tap_done();
}
