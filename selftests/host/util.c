// SPDX-License-Identifier: GPL-2.0-only
/* What all of v9trace uses (tools/util.c): numbers, texts, names of mappings, byte buffers, small files. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "tap.h"
#include "v9trace/base.h"

#include "../../tools/util.h"

static char dir[] = "/tmp/util.XXXXXX";

/* A line of progress is replaced by the next one, and cleared ahead of a message. */
static void test_progress(void)
{
	static const char want[] =
		"v9trace: a 1\r\033[Kv9trace: b\r\033[Kv9trace: warning: c\nv9trace: d\r\033[Kv9trace: e\n"
		"v9trace: f 2, 1 s left\r\033[Kv9trace: g\r\033[K";
	const int terminal = posix_openpt(O_RDWR | O_NOCTTY), before = dup(STDERR_FILENO);
	struct termios raw;
	char got[256] = "";
	bool shown;
	int to;

	to = terminal < 0 || grantpt(terminal) || unlockpt(terminal) ? -1 : open(ptsname(terminal), O_RDWR | O_NOCTTY);
	if (to < 0 || tcgetattr(to, &raw)) {
		tap_skip("no pseudo-terminal here", "progress");
		return;
	}
	cfmakeraw(&raw);
	tcsetattr(to, TCSANOW, &raw);
	dup2(to, STDERR_FILENO);
	shown = v9_progress_shown();
	v9_progress_begin();
	v9_progress("a %d", 1);
	v9_progress("b");
	v9_warn("c");
	v9_progress("d");
	v9_progress_end();
	v9_progress_end();
	v9_error("e");
	/* A billionth of what took no time is less than a second. */
	v9_progress_left(1000000000, 1000000001, "f %d", 2);
	v9_progress_left(5, 5, "g");
	v9_progress_end();
	dup2(before, STDERR_FILENO);
	close(to);
	for (size_t n = 0; n < sizeof(want) - 1; ) {
		const ssize_t some = read(terminal, got + n, sizeof(got) - 1 - n);

		if (some <= 0)
			break;
		n += (size_t)some;
	}
	tap_ok(shown, "progress_is_shown");
	if (!tap_ok(!strcmp(got, want), "progress"))
		tap_note("%s", got);
	close(terminal);
	close(before);
}

static void test_numbers(void)
{
	static const struct {
		const char *text;
		int base;
		uint64_t max, n;
		bool good;
		const char *rest;
	} rows[] = {
		{ "0", 10, 9, 0, true, "" }, { "9", 10, 9, 9, true, "" }, { "10", 10, 9, 0, false, NULL },
		{ "08", 10, 9, 8, true, "" }, { "010", 0, 9, 8, true, "" }, { "12,5", 10, 99, 12, true, ",5" },
		{ "0x1f:", 0, 99, 31, true, ":" }, { "1f", 16, 99, 31, true, "" }, { "f1", 16, 999, 0, false, "f1" },
		{ "18446744073709551615", 10, UINT64_MAX, UINT64_MAX, true, "" },
		{ "18446744073709551616", 10, UINT64_MAX, 0, false, NULL },
		{ "", 10, 9, 0, false, "" }, { "-1", 10, 9, 0, false, "-1" }, { "+1", 10, 9, 0, false, "+1" },
		{ " 1", 10, 9, 0, false, " 1" }, { ":", 10, 9, 0, false, ":" }, { "/", 10, 9, 0, false, "/" },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		const char *s = rows[i].text;
		uint64_t n = 0;
		bool good = v9_take_number(&s, rows[i].base, rows[i].max, &n);

		tap_ok(good == rows[i].good && (!good || n == rows[i].n) && (!rows[i].rest || !strcmp(s, rows[i].rest)),
		       "number_%zu", i);
	}
}

static void test_texts(void)
{
	static const char *const words[] = { "a", "bc", "d" };
	char room[16], small[6];

	tap_ok(!strcmp(v9_one_of(room, sizeof(room), words, 0), ""), "one_of_none");
	tap_ok(!strcmp(v9_one_of(room, sizeof(room), words, 1), "a"), "one_of_one");
	tap_ok(!strcmp(v9_one_of(room, sizeof(room), words, 2), "a or bc"), "one_of_two");
	tap_ok(!strcmp(v9_one_of(room, sizeof(room), words, 3), "a, bc or d"), "one_of_three");
	tap_ok(!strcmp(v9_one_of(small, sizeof(small), words, 3), "a, bc"), "one_of_too_many");
}

static void test_bytes(void)
{
	static const struct {
		uint64_t n;
		const char *text;
	} rows[] = {
		{ 0, "0 B" }, { 1023, "1023 B" }, { 1024, "1.0 KiB" }, { 1536, "1.5 KiB" }, { 1023897, "999.9 KiB" },
		{ 1024000, "1.0 MiB" }, { 12 << 20, "12.0 MiB" }, { UINT64_C(3) << 30, "3.0 GiB" },
		{ UINT64_C(5) << 40, "5.0 TiB" }, { UINT64_C(2) << 60, "2097152.0 TiB" },
	};
	char room[16];

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++)
		tap_ok(!strcmp(v9_bytes(room, rows[i].n), rows[i].text), "bytes_%zu", i);
}

static void test_first_entries(void)
{
	static const int sorted[] = { 1, 3, 3, 7 };
	bool good = true;

	for (size_t n = 0; n <= V9_ARRAY_SIZE(sorted); n++)
		for (int limit = 0; limit < 9; limit++) {
			size_t want = 0;

			while (want < n && sorted[want] < limit)
				want++;
			good &= v9_first_entries(i, n, sorted[i] < limit) == want;
		}
	tap_ok(good, "first_entries");
}

static void test_mappings(void)
{
	static const struct {
		const char *name, *module;
		bool file, jitdump;
	} rows[] = {
		{ "/lib/modules/6.12/kernel/net/nf-nat.ko.xz", "nf_nat", true, false },
		{ "[nf_nat]", "nf_nat", false, false }, { "[vdso]", "vdso", false, false }, { "nf-nat", "nf_nat", false, false },
		{ "//anon", "anon", false, false }, { "//anonymous", "anonymous", false, false }, { "/anon", "anon", true, false },
		{ "/memfd:x", "memfd:x", false, false }, { "/memfd", "memfd", true, false },
		{ "/tmp/jit-12.dump", "jit_12", true, true }, { "/tmp/jit-1.dump", "jit_1", true, true },
		{ "/tmp/jit-.dump", "jit_", true, false }, { "/tmp/jit-1x.dump", "jit_1x", true, false },
		{ "/tmp/jot-1.dump", "jot_1", true, false }, { "/tmp/jit-1.dumq", "jit_1", true, false },
		{ "jit-1.dump", "jit_1", false, false }, { "/jit-1.dump/", "", true, false }, { "/tmp/x-jit-1.dump", "x_jit_1", true, false },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		char *module = v9_module_name(rows[i].name);

		tap_ok(!strcmp(module, rows[i].module), "module_%zu", i);
		free(module);
		tap_ok(v9_mapping_has_file(rows[i].name) == rows[i].file, "file_%zu", i);
		tap_ok(v9_mapping_is_jitdump(rows[i].name, 100) == rows[i].jitdump, "jitdump_%zu", i);
	}
	/* A name that is not terminated */
	tap_ok(v9_mapping_is_jitdump("/tmp/jit-1.dumpling", 15) && !v9_mapping_is_jitdump("/tmp/jit-1.dump", 14),
	       "jitdump_of_a_length");
	tap_ok(!strcmp(v9_base_name("/a/b"), "b") && !strcmp(v9_base_name("/a/"), "/a/") && !strcmp(v9_base_name("a"), "a"),
	       "base_name");
	tap_ok(v9_function_address(EM_ARM, 0x1001) == 0x1000 && v9_function_address(EM_ARM, 0x1002) == 0x1002 &&
	       v9_function_address(EM_AARCH64, 0x1001) == 0x1001, "function_of_t32");
}

static void test_blobs(void)
{
	struct v9_blob b = { 0 };

	v9_blob_u32(&b, 0x04030201);
	v9_blob_put(&b, "ab", 2);
	v9_blob_zero(&b, 3);
	v9_blob_put(&b, NULL, 0);
	v9_blob_zero(&b, 0);
	v9_blob_u64(&b, UINT64_C(0x0807060504030201));
	tap_ok(b.len == 17 && b.room >= b.len && !memcmp(b.data, "\1\2\3\4ab\0\0\0\1\2\3\4\5\6\7\10", 17), "blob");
	v9_blob_free(&b);
	tap_ok(!b.data && !b.len && !b.room, "blob_is_empty");
}

static char *put(const char *name, const char *text, size_t n)
{
	char *path = v9_format("%s/%s", dir, name);

	tap_write(path, text, n);
	return path;
}

static void test_files(void)
{
	static char large[10000];
	char *path, *text, *other, *line, *none;
	size_t len = 77;

	for (size_t i = 0; i < sizeof(large); i++)
		large[i] = (char)('a' + i % 26);
	path = put("large", large, sizeof(large));
	text = v9_read_file(path, &len);
	tap_ok(text && len == sizeof(large) && !memcmp(text, large, len) && !text[len], "read_file");
	free(text);
	free(path);
	path = put("empty", "", 0);
	text = v9_read_file(path, &len);
	tap_ok(text && !len && !*text, "read_empty_file");
	free(text);
	free(path);
	none = v9_format("%s/none", dir);
	tap_ok(!v9_read_file(none, &len) && errno == ENOENT, "read_no_file");
	tap_ok(!v9_read_file(dir, &len) && errno == EISDIR, "read_directory");
	tap_ok(!v9_read_line(none), "read_line_of_no_file");
	path = put("lines", "one\ntwo\n", 8);
	line = v9_read_line(path);
	tap_ok(line && !strcmp(line, "one"), "read_line");
	free(line);

	/* Another file keeps its name. */
	other = put("other", "x", 1);
	tap_eq(v9_move_new(path, other), EEXIST, "no_file_is_replaced");
	tap_ok(!access(path, F_OK) && (text = v9_read_file(other, &len)) && len == 1, "nothing_was_moved");
	free(text);
	tap_eq(v9_move_new(path, none), 0, "move_new");
	tap_ok(access(path, F_OK) && !access(none, F_OK), "it_was_moved");
	tap_eq(v9_move_new(path, none), EEXIST, "moved_before");
	unlink(none);
	tap_eq(v9_move_new(path, none), ENOENT, "nothing_to_move");
	tap_ok(!v9_is_special(other) && !v9_is_special(dir) && !v9_is_special(none) && v9_is_special("/dev/null"), "is_special");
	free(path);
	free(other);
	free(none);
}

static void test_clocks(void)
{
	const uint64_t before = v9_clock_ns(CLOCK_MONOTONIC);
	struct timespec ts;
	uint64_t now;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	now = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	tap_ok(before && before <= now && v9_clock_ns(CLOCK_MONOTONIC) >= now, "clock");
	tap_eq(v9_clock_ns(-1), 0, "no_clock");
}

static void test_time_left(void)
{
	tap_eq(v9_time_left(2000000000, 1, 4), 6, "three_times_as_long");
	tap_eq(v9_time_left(2000000000, 3, 4), 1, "less_than_a_second_is_one");
	tap_eq(v9_time_left(3000000001, 1, 2), 4, "rounded_up");
	tap_eq(v9_time_left(3000000000, 1, 2), 3, "not_rounded");
	tap_eq(v9_time_left(1000000000, 0, 4), 0, "nothing_done");
	tap_eq(v9_time_left(1000000000, 4, 4), 0, "all_done");
	tap_eq(v9_time_left(1000000000, 5, 4), 0, "more_than_all_done");
	tap_eq(v9_time_left(UINT64_C(3600000000000), UINT64_C(1) << 40, UINT64_C(1) << 44), 54000, "hours");
}

/* Each byte at each place of texts of several sizes */
static void test_plain_bytes(void)
{
	char text[32];
	bool all = true;

	for (size_t size = 0; size < sizeof(text); size++)
		for (size_t at = 0; at < size; at++)
			for (unsigned int c = 1; c < 256; c++) {
				const bool plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';

				memset(text, 'a', size);
				text[size] = '\0';
				text[at] = (char)c;
				all = all && v9_plain_bytes(text, size) == (plain ? size : at);
			}
	tap_ok(all, "plain_bytes");
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	test_progress();
	test_numbers();
	test_texts();
	test_plain_bytes();
	test_bytes();
	test_first_entries();
	test_mappings();
	test_blobs();
	test_files();
	test_clocks();
	test_time_left();
	tap_remove(dir);
	return tap_done();
}
