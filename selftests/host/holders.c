// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which processes have perf events open, in a made tree of the form of /proc: descriptors are links.
 * Permission to read is taken away by dropping the capabilities that would override it.
 */
#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

#include "../../tools/holders.h"
#include "../../tools/util.h"

#define EVENT	"anon_inode:[perf_event]"

static char root[] = "/tmp/v9-holders-XXXXXX";
static char *path_of(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void need(bool is, const char *what)
{
	if (is)
		return;
	perror(what);
	exit(2);
}

static char *path_of(const char *fmt, ...)
{
	static char room[4][256];
	static unsigned int next;
	char *to = room[next++ % 4];
	va_list ap;
	int n = snprintf(to, sizeof(room[0]), "%s/", root);

	va_start(ap, fmt);
	vsnprintf(to + n, sizeof(room[0]) - (size_t)n, fmt, ap);
	va_end(ap);
	return to;
}

static void link_fd(const char *pid, int fd, const char *to)
{
	need(!symlink(to, path_of("%s/fd/%d", pid, fd)), "symlink");
}

/* A process with @events perf events between other descriptors */
static void process(const char *pid, const char *name, int events)
{
	FILE *f;

	need(!mkdir(path_of("%s", pid), 0777) && !mkdir(path_of("%s/fd", pid), 0777), pid);
	f = fopen(path_of("%s/comm", pid), "w");
	need(f && fprintf(f, "%s\n", name) >= 0 && !fclose(f), "comm");
	link_fd(pid, 0, "/dev/null");
	for (int i = 0; i < events; i++)
		link_fd(pid, i + 1, EVENT);
	link_fd(pid, 100, "socket:[4711]");
}

static void remove_tree(void)
{
	char *command = v9_format("rm -rf %s", root);

	need(!system(command), "rm");
	free(command);
}

static void begin(void)
{
	strcpy(root + strlen(root) - 6, "XXXXXX");
	need(mkdtemp(root) != NULL, "mkdtemp");
}

static void is_text(const struct v9_holders *h, bool as_root, const char *want, const char *name)
{
	char *text = v9_holders_text(h, as_root);

	tap_ok(!strcmp(text, want), "%s", name);
	if (strcmp(text, want))
		tap_note("%s", text);
	free(text);
}

static void found(void)
{
	struct v9_holders h;

	begin();
	process("9", "perf", 2);
	process("10", "v9trace", 1);
	process("77", "sleep", 0);
	process("1000", "self", 3);
	/* no processes */
	process("self", "perf", 4);
	process("10x", "perf", 4);
	process("0", "perf", 4);
	process("99999999999", "perf", 4);
	/* links that are no perf events */
	process("20", "bpf", 0);
	link_fd("20", 5, "anon_inode:[perf_events]");
	link_fd("20", 6, "anon_inode:[perf_even]");
	link_fd("20", 7, "/x/anon_inode:[perf_event]");
	link_fd("20", 8, EVENT " (deleted)");
	v9_holders_find(root, 1000, &h);
	if (tap_eq(h.n, 2, "processes_with_events")) {
		tap_eq(h.of[0].pid, 9, "by_number");
		tap_eq(h.of[1].pid, 10, "by_number");
		tap_eq(h.of[0].events, 2, "events_are_counted");
		tap_eq(h.of[1].events, 1, "events_are_counted");
		tap_ok(!strcmp(h.of[0].name, "perf"), "names");
		tap_ok(!strcmp(h.of[1].name, "v9trace"), "names");
	}
	tap_eq(h.more, 0, "no_more");
	tap_eq(h.unread, 0, "all_read");
	is_text(&h, false, "perf events are open in perf (PID 9, 2 events) and v9trace (PID 10, 1 event)",
		"text_of_two");
	v9_holders_find(root, 9, &h);
	tap_eq(h.of[1].pid, 1000, "self_is_given");
	remove_tree();
}

static void nobody(void)
{
	static const char none[] = "no other process here has perf events open, so it is an event without "
		"a descriptor (of the kernel), or of another PID namespace";
	struct v9_holders h;

	begin();
	process("5", "sleep", 0);
	v9_holders_find(root, 1, &h);
	tap_eq(h.n, 0, "nobody");
	is_text(&h, false, none, "text_of_nobody");
	h.unread = 3;
	is_text(&h, true, none, "text_of_nobody_for_root");
	is_text(&h, false, "only root sees which programs have perf events open", "text_of_nobody_seen");
	remove_tree();
	v9_holders_find(root, 1, &h);
	tap_eq(h.n + h.more + h.unread, 0, "no_tree");
}

/* More processes than entries */
static void many(void)
{
	struct v9_holders h;

	begin();
	for (int i = 0; i < V9_HOLDERS + 3; i++) {
		char pid[16];

		snprintf(pid, sizeof(pid), "%d", 95 + i);
		process(pid, "p", 1);
	}
	v9_holders_find(root, 1, &h);
	tap_eq(h.n, V9_HOLDERS, "list_is_bounded");
	tap_eq(h.more, 3, "rest_is_counted");
	tap_eq(h.of[V9_HOLDERS - 1].pid, 95 + V9_HOLDERS - 1, "first_are_kept");
	is_text(&h, false, "perf events are open in p (PID 95, 1 event), p (PID 96, 1 event), "
		"p (PID 97, 1 event), p (PID 98, 1 event), p (PID 99, 1 event), p (PID 100, 1 event), "
		"p (PID 101, 1 event), p (PID 102, 1 event) and 3 more", "text_of_many");
	remove_tree();
}

/* Names that other programs chose */
static void names(void)
{
	struct v9_holders h;

	begin();
	process("2", "\033[2J\a\177a", 1);
	process("3", "a\302\233b\233 c", 1);
	process("4", "", 1);
	process("5", "0123456789abcdefghij", 1);
	process("6", "gone", 1);
	need(!unlink(path_of("6/comm")), "comm");
	process("7", "(a) b\nholder 1 1 x", 1);
	v9_holders_find(root, 1, &h);
	if (tap_eq(h.n, 6, "names_found")) {
		tap_ok(!strcmp(h.of[0].name, "?[2J??a"), "control_characters");
		tap_ok(!strcmp(h.of[1].name, "a??b? c"), "bytes_beyond_ascii");
		tap_ok(!strcmp(h.of[2].name, "?"), "empty_name");
		tap_ok(!strcmp(h.of[3].name, "0123456789abcde"), "long_name");
		tap_ok(!strcmp(h.of[4].name, "?"), "no_name");
		tap_ok(!strcmp(h.of[5].name, "(a) b"), "name_ends_with_its_line");
	}
	remove_tree();
}

/* As lines, and back: also lines that nobody wrote. */
static void lines(void)
{
	struct v9_holders h = { .n = 2, .of = { { 7, 2, "a b" }, { 2147483647, 3, "?" } }, .more = 4,
				.unread = 5 }, back;
	char *text = v9_holders_lines(&h);

	tap_ok(!strcmp(text, "holder 7 2 a b\nholder 2147483647 3 ?\nmore 4\nunread 5\n"), "lines");
	free(text);
	h.of[1].pid = 8;
	text = v9_holders_lines(&h);
	v9_holders_parse(text, &back);
	tap_ok(back.n == 2 && back.of[0].pid == 7 && back.of[0].events == 2 && back.of[1].pid == 8 &&
	       back.more == 4 && back.unread == 5 && !strcmp(back.of[0].name, "a b") &&
	       !strcmp(back.of[1].name, "?"), "lines_and_back");
	free(text);
	v9_holders_parse("holder 1 1 \033]0;x\a\nholder -3 1 x\nholder x\nother\n\n", &back);
	tap_eq(back.n, 1, "damaged_lines_are_ignored");
	tap_ok(!strcmp(back.of[0].name, "?]0;x?"), "control_characters_of_lines");
	v9_holders_parse("holder 1 1 a\nholder 2 1 a\nholder 3 1 a\nholder 4 1 a\nholder 5 1 a\n"
			 "holder 6 1 a\nholder 7 1 a\nholder 8 1 a\nholder 9 1 a\nholder 10 1 a\nunread 5\n", &back);
	tap_ok(back.n == V9_HOLDERS && back.more == 2 && !back.unread, "lines_are_bounded");
	v9_holders_parse("", &back);
	tap_eq(back.n + back.more + back.unread, 0, "no_lines");
}

static void unread(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { { 0 } };
	struct v9_holders h;

	begin();
	process("3", "perf", 1);
	process("4", "hidden", 1);
	process("6", "hidden", 1);
	need(!chmod(path_of("4/fd"), 0) && !chmod(path_of("6/fd"), 0), "chmod");
	/* a process that has just ended */
	need(!mkdir(path_of("5"), 0777), "mkdir");
	need(!syscall(SYS_capset, &header, none), "capset");
	v9_holders_find(root, 1, &h);
	tap_eq(h.unread, 2, "denied_is_counted");
	tap_eq(h.n, 1, "others_are_found");
	is_text(&h, false, "perf events are open in perf (PID 3, 1 event); root may see others",
		"root_sees_more");
	is_text(&h, true, "perf events are open in perf (PID 3, 1 event)", "root_sees_all");
	need(!chmod(path_of("4/fd"), 0777) && !chmod(path_of("6/fd"), 0777), "chmod");
	remove_tree();
}

int main(void)
{
	found();
	nobody();
	many();
	names();
	lines();
	unread();
	return tap_done();
}
