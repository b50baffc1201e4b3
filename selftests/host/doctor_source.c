// SPDX-License-Identifier: GPL-2.0-only
/*
 * What v9trace doctor reads, and records: the same calls return the same of a recorded tree as of the machine. Files of
 * the machine are in a directory that the test makes.
 */
#include <limits.h>

#include "said.h"
#include "tap.h"

#include "../../tools/doctor/source.c"

static char base[] = "/tmp/v9source.XXXXXX";
/* A path below the directory. It is valid until the fourth call from now. */
static const char *in(const char *name)
{
	static char path[4][256];
	static int next;

	next = (next + 1) % 4;
	snprintf(path[next], sizeof(path[next]), "%s/%s", base, name);
	return path[next];
}

static void write_in(const char *name, const char *text, size_t size)
{
	tap_write(in(name), text, size);
}

static void said_is(const char *what, char *text, size_t len)
{
	say("%s", what);
	if (!text)
		say(" %s", strerror(errno));
	for (size_t i = 0; text && i < len; i++)
		say(text[i] ? "%c" : "|", text[i]);
	say("\n");
	free(text);
}

static void said_text(const char *what, char *text)
{
	said_is(what, text, text ? strlen(text) : 0);
}

static void a_directory(struct v9_doc_source *s, const char *path, void *data)
{
	char *file = v9_format("%s/file", path);

	say("%s %s %d\n", (const char *)data, path + strlen(base), v9_source_exists(s, file));
	free(file);
}

static int answer;

static char *get(const void *arg)
{
	errno = answer;
	return answer ? NULL : v9_strdup(arg);
}

static void ask(struct v9_doc_source *s, const char *name, int error, const char *const *words)
{
	answer = error;
	said_text(name, v9_source_pseudo(s, name, get, "first\nsecond\n", words));
}

/* All calls, each of another file: what one records takes the place of what there is. */
static void read_all(struct v9_doc_source *s)
{
	static const char *const some[] = { "two", "four", NULL }, *const model[] = { "model", "absent", NULL },
				*const absent[] = { "absent", NULL };
	static const char *const numbers[] = { "hex", "octal", "minus", "large", "word", "nothing" };
	size_t len = 7;
	char *bytes, *longest;

	/* A name that is recorded as a file, and as a directory then */
	say("exists %d", v9_source_exists(s, in("m")));
	say(" %d", v9_source_exists(s, in("m/lines")));
	say(" %d\n", v9_source_exists(s, in("none")));
	said_text("text ", v9_source_text(s, in("m/text")));
	say("exists %d\n", v9_source_exists(s, in("m/text")));
	said_text("text", v9_source_text(s, in("none")));
	said_text("lines ", v9_source_lines(s, in("m/lines"), some));
	said_text("none of", v9_source_lines(s, in("m/text3"), absent));
	said_text("text now", v9_source_text(s, in("m/text2")));
	bytes = v9_source_bytes(s, in("m/bytes"), &len);
	said_is("bytes ", bytes, len);
	bytes = v9_source_bytes(s, in("none"), &len);
	say("none %d %zu\n", bytes != NULL, len);
	bytes = v9_source_match(s, in("m/match"), model);
	said_text("match ", bytes);
	say("match %d %d\n", v9_source_match(s, in("m/strings"), absent) != NULL,
	    v9_source_match(s, in("none"), absent) != NULL);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char *name = v9_format("m/n/%s", numbers[i]);

		say("%s %lld\n", name, v9_source_number(s, in(name), 77));
		free(name);
	}
	said_text("names ", v9_source_names(s, in("m/d"), "a"));
	said_text("all names ", v9_source_names(s, in("m/d"), ""));
	said_text("no names", v9_source_names(s, in("none"), ""));
	said_text("link ", v9_source_link(s, in("m/link")));
	said_text("short link ", v9_source_link(s, in("m/short")));
	said_text("shortest link ", v9_source_link(s, in("m/shortest")));
	longest = v9_source_link(s, in("m/longest"));
	say("longest link %zu\n", longest ? strlen(longest) : 0);
	free(longest);
	v9_source_walk(s, in("m/w"), a_directory, (void *)"dir");
	ask(s, "said", 0, NULL);
	ask(s, "part", 0, (const char *const []){ "second", NULL });
	ask(s, "refused", EACCES, NULL);
	ask(s, "not_permitted", EPERM, NULL);
	ask(s, "not_permitted", EPERM, NULL);
}

static void test_record(void)
{
	static const char want[] =
		"exists 1 1 0\ntext one\ntwo\n\nexists 1\ntext No such file or directory\nlines two\nforty-four\n\n"
		"none of\ntext nowsecond\nbytes a|b|model=v9||\nnone 0 0\nmatch \n\nb\nmodel=v9\n\n\nmatch 0 0\n"
		"m/n/hex 16\nm/n/octal 8\nm/n/minus -5\nm/n/large -1\nm/n/word 77\nm/n/nothing 77\n"
		"names a1\nab\n\nall names #x\na1\nab\nb\n\nno names\nlink abc\nshort link def\nshortest link e\nlongest link 4095\n"
		"dir /m/w/1 1\ndir /m/w/1/2 1\ndir /m/w/1/2/3 1\ndir /m/w/1/2/3/4 1\ndir /m/w/1/2/3/4/5 1\n"
		"dir /m/w/1/2/3/4/5/6 1\ndir /m/w/1/2/3/4/5/6/7 1\ndir /m/w/1/2/3/4/5/6/7/8 1\ndir /m/w/x 1\n"
		"saidfirst\nsecond\n\npartsecond\n\nrefused Permission denied\nnot_permitted Permission denied\n"
		"not_permitted Permission denied\n";
	struct v9_doc_source s = { .record = v9_format("%s/tree", base) };
	char *denied, *path;
	struct stat st;

	read_all(&s);
	expect_said("machine", want);
	tap_eq(v9_source_close(&s), 0, "close");
	tap_ok(!s.denied && !s.failed, "closed");
	denied = v9_read_file(in("tree/denied"), NULL);
	path = v9_format("%s%s", s.record, in("m/lines"));
	tap_ok(!stat(path, &st) && st.st_size == 15, "lines_alone");
	free(path);
	path = v9_format("%s%s", s.record, in("m/d/ab"));
	tap_ok(!stat(path, &st) && !st.st_size, "name_alone");
	free(path);
	tap_ok(denied && !strcmp(denied, "/pseudo/refused\n/pseudo/not_permitted\n"), "denied");
	s = (struct v9_doc_source){ .root = s.record, .denied = denied };
	read_all(&s);
	expect_said("recorded", want);
	tap_eq(v9_source_close(&s), 0, "close_the_tree");
	free((char *)s.root);
	/* Nothing is recorded of what is not read, and nothing of a machine without a directory for it. */
	tap_ok(access(in("tree/none"), F_OK) && access(in("tree/tmp/none"), F_OK), "nothing_else");
	s = (struct v9_doc_source){ .record = NULL };
	read_all(&s);
	expect_said("not_recorded", want);
	tap_ok(!s.denied && !v9_source_close(&s), "nothing_to_write");
}

/* After one failure nothing more is written. */
static void test_failure(void)
{
	struct v9_doc_source s = { .record = v9_format("%s/m/text", base) };

	fflush(stderr);
	if (!freopen(in("err"), "w", stderr))
		abort();
	for (int i = 0; i < 2; i++)
		free(v9_source_text(&s, "/proc/self/comm"));
	tap_ok(s.failed && v9_source_close(&s) == -1, "failed");
	fflush(stderr);
	said_text("", v9_read_file(in("err"), NULL));
	free((char *)s.record);
	s.record = v9_format("v9trace: %s/m/text/proc: Not a directory\n\n", base);
	expect_said("one_message", s.record);
	free((char *)s.record);
}

static void test_lines(void)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "", "" }, { "no\n", "" }, { "a\n", "a\n" }, { "xay", "xay" }, { "no\na", "a" },
		{ "a\nno\nb\nno\n", "a\nb\n" }, { "\n\nb\n\n", "b\n" }, { "no\nno", "" },
	};
	static const char *const words[] = { "a", "b", NULL };
	char text[32];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		strcpy(text, rows[i].text);
		keep_lines(text, words);
		tap_ok(!strcmp(text, rows[i].want), "lines_%zu", i);
	}
}

static void test_denied(void)
{
	static const struct { const char *path; bool denied; } rows[] = {
		{ "/a/b", true }, { "/a", false }, { "/b", false }, { "a/b", false }, { "/a/bc", true },
		{ "/x/a/b", true }, { "/last", true }, { "/las", false }, { "/a/b/", false },
	};
	char list[] = "/a/bc\n/x/a/b\n/a/b\n/last";
	struct v9_doc_source s = { .denied = list };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_eq(is_denied(&s, rows[i].path), rows[i].denied, "denied_%zu", i);
	s.denied = NULL;
	tap_ok(!is_denied(&s, "/a/b"), "nothing_is_denied");
	tap_ok(is_refusal(EACCES) && is_refusal(EPERM) && !is_refusal(ENOENT) && !is_refusal(0), "refusals");
}

int main(void)
{
	static char link[PATH_MAX];

	if (!mkdtemp(base))
		return 1;
	write_in("m/text", "one\ntwo\n", 8);
	write_in("m/text2", "second", 6);
	write_in("m/text3", "third\n", 6);
	write_in("m/lines", "one\ntwo\nthree\nforty-four\n", 25);
	write_in("m/bytes", "a\0b\0model=v9\0", 14);
	write_in("m/match", "\0\0b\0model=v9\0", 14);
	write_in("m/strings", "a\0b\0", 4);
	write_in("m/n/hex", "0x10\n", 5);
	write_in("m/n/octal", "010", 3);
	write_in("m/n/minus", "-5\n", 3);
	write_in("m/n/large", "18446744073709551615\n", 21);
	write_in("m/n/word", "x1\n", 3);
	write_in("m/d/b", "", 0);
	write_in("m/d/ab", "", 0);
	write_in("m/d/a1", "", 0);
	write_in("m/d/.a", "", 0);
	write_in("m/d/#x", "", 0);	/* the only name before "." */
	write_in("m/w/1/file", "", 0);
	write_in("m/w/1/2/file", "", 0);
	write_in("m/w/1/2/3/file", "", 0);
	write_in("m/w/1/2/3/4/file", "", 0);
	write_in("m/w/1/2/3/4/5/file", "", 0);
	write_in("m/w/1/2/3/4/5/6/file", "", 0);
	write_in("m/w/1/2/3/4/5/6/7/file", "", 0);
	write_in("m/w/1/2/3/4/5/6/7/8/file", "", 0);
	write_in("m/w/1/2/3/4/5/6/7/8/9/file", "", 0);
	write_in("m/w/.x/file", "", 0);
	write_in("m/w/x/file", "", 0);
	memset(link, 'x', sizeof(link) - 1);
	if (symlink(link, in("m/longest")) || symlink("../drivers/abc", in("m/link")) || symlink("def", in("m/short")) ||
	    symlink("e", in("m/shortest")))
		abort();
	test_record();
	test_failure();
	test_lines();
	test_denied();
	tap_remove(base);
	return tap_done();
}
