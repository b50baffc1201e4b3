// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "util.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool progress_stands;
static uint64_t progress_began;

void v9_progress_begin(void)
{
	progress_began = v9_clock_ns(CLOCK_MONOTONIC);
}

void v9_progress_end(void)
{
	if (progress_stands)
		fputs("\r\033[K", stderr);
	progress_stands = false;
}

static void complain(const char *what, const char *fmt, va_list ap)
{
	v9_progress_end();
	fprintf(stderr, "v9trace: %s", what);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void v9_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain("", fmt, ap);
	va_end(ap);
}

void v9_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain("warning: ", fmt, ap);
	va_end(ap);
}

bool v9_progress_shown(void)
{
	static int tty = -1;

	if (tty < 0)
		tty = isatty(STDERR_FILENO);
	return tty;
}

/* Returns false, without effect, if stderr is no terminal. */
static bool put_progress(const char *fmt, va_list ap)
{
	if (!v9_progress_shown())
		return false;
	v9_progress_end();
	fputs("v9trace: ", stderr);
	vfprintf(stderr, fmt, ap);
	progress_stands = true;
	return true;
}

void v9_progress(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_progress(fmt, ap);
	va_end(ap);
}

uint64_t v9_time_left(uint64_t ns, uint64_t done, uint64_t all)
{
	const double left = done && done < all ? (double)ns / 1e9 * (double)(all - done) / (double)done : 0;
	const uint64_t whole = (uint64_t)left;

	return whole + (left > (double)whole);
}

void v9_progress_left(uint64_t done, uint64_t all, const char *fmt, ...)
{
	uint64_t left;
	va_list ap;
	bool shown;

	va_start(ap, fmt);
	shown = put_progress(fmt, ap);
	va_end(ap);
	if (!shown)
		return;
	left = v9_time_left(v9_clock_ns(CLOCK_MONOTONIC) - progress_began, done, all);
	if (left)
		fprintf(stderr, ", %" PRIu64 " s left", left);
}

uint64_t v9_clock_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

bool v9_take_number(const char **s, int base, uint64_t max, uint64_t *n)
{
	char *end;

	if (**s < '0' || **s > '9')
		return false;
	errno = 0;
	*n = strtoull(*s, &end, base);
	*s = end;
	return !errno && *n <= max;
}

void v9_out_of_memory(void)
{
	v9_error("out of memory");
	exit(1);
}

static void *checked(void *p)
{
	if (!p)
		v9_out_of_memory();
	return p;
}

void *v9_alloc(size_t size)
{
	return checked(calloc(1, size ? size : 1));
}

void *v9_realloc(void *p, size_t size)
{
	return checked(realloc(p, size ? size : 1));
}

char *v9_strdup(const char *s)
{
	return checked(strdup(s));
}

char *v9_format(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	return checked(s);
}

static void *grow(struct v9_blob *b, size_t n)
{
	uint8_t *at;

	if (b->len + n > b->room) {
		b->room = (b->len + n) * 2;
		b->data = v9_realloc(b->data, b->room);
	}
	at = b->data + b->len;
	b->len += n;
	return at;
}

void v9_blob_put(struct v9_blob *b, const void *data, size_t n)
{
	if (n)
		memcpy(grow(b, n), data, n);
}

void v9_blob_zero(struct v9_blob *b, size_t n)
{
	if (n)
		memset(grow(b, n), 0, n);
}

void v9_blob_free(struct v9_blob *b)
{
	free(b->data);
	*b = (struct v9_blob){ 0 };
}

char *v9_read_file(const char *path, size_t *len)
{
	struct v9_blob b = { 0 };
	char part[4096];
	ssize_t n;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	while ((n = read(fd, part, sizeof(part))) > 0 && b.len + n <= V9_READ_MAX)
		v9_blob_put(&b, part, n);
	if (n) {
		int err = n < 0 ? errno : EFBIG;

		close(fd);
		v9_blob_free(&b);
		errno = err;
		return NULL;
	}
	close(fd);
	if (len)
		*len = b.len;
	v9_blob_zero(&b, 1);
	return (char *)b.data;
}

char *v9_read_line(const char *path)
{
	char *text = v9_read_file(path, NULL);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

char *v9_module_name(const char *mapping)
{
	const char *slash = strrchr(mapping, '/');
	char *s = v9_strdup(slash ? slash + 1 : mapping + (*mapping == '[')), *c;

	for (c = s; *c && *c != '.' && *c != ']'; c++)
		if (*c == '-')
			*c = '_';
	*c = '\0';
	return s;
}

bool v9_mapping_has_file(const char *mapping)
{
	return *mapping == '/' && strncmp(mapping, "//anon", 6) && strncmp(mapping, "/memfd:", 7);
}

bool v9_mapping_is_jitdump(const char *mapping, size_t len)
{
	const char *base;
	size_t n;

	len = strnlen(mapping, len);
	for (base = mapping + len; base > mapping && base[-1] != '/'; base--)
		;
	n = len - (size_t)(base - mapping);
	if (base == mapping || n < strlen("jit-0.dump") || memcmp(base, "jit-", 4) ||
	    memcmp(base + n - 5, ".dump", 5))
		return false;
	for (size_t i = 4; i < n - 5; i++)
		if (!isdigit((unsigned char)base[i]))
			return false;
	return true;
}

int v9_move_new(const char *from, const char *to)
{
	if (!link(from, to)) {
		unlink(from);
		return 0;
	}
	/* link() also fails on a file system without hard links. */
	if (errno != EEXIST && access(to, F_OK))
		return rename(from, to) ? errno : 0;
	return EEXIST;
}

const char *v9_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

const char *v9_one_of(char *room, size_t size, const char *const *words, size_t n)
{
	size_t at = 0;

	room[0] = '\0';
	for (size_t i = 0; i < n && at < size; i++)
		at += (size_t)snprintf(room + at, size - at, "%s%s",
				       !i ? "" : i + 1 < n ? ", " : " or ", words[i]);
	return room;
}

const char *v9_bytes(char room[16], uint64_t n)
{
	static const char unit[] = "KMGT";
	double v = n / 1024.0;
	int u = 0;

	if (n < 1024) {
		snprintf(room, 16, "%u B", (unsigned int)n);
		return room;
	}
	while (v >= 1000 && u < 3) {
		v /= 1024;
		u++;
	}
	snprintf(room, 16, "%.1f %ciB", v, unit[u]);
	return room;
}

size_t v9_decimal_long(char *to, uint64_t n)
{
	uint64_t x;
	size_t size = 0, left;

	if (n >= V9_EIGHT_DIGITS) {
		size = v9_decimal(to, n / V9_EIGHT_DIGITS);
		v9_decimal_eight(to + size, (uint32_t)(n % V9_EIGHT_DIGITS));
		return size + 8;
	}
	x = v9_eight_digits((uint32_t)n);
	left = v9_leading_zeros(x);
	x = htole64((x + '0' * V9_EACH_BYTE) >> 8 * left);
	memcpy(to, &x, 8);
	return 8 - left;
}

/* The hexadecimal digits of a 32-bit number, the first one in the lowest byte */
static uint64_t hex_digits(uint32_t n)
{
	uint64_t x = n, letters;

	/* One digit in each byte, the last one lowest, then in the order of the text */
	x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
	x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	x = __builtin_bswap64(x);
	letters = (x + 6 * V9_EACH_BYTE) >> 4 & V9_EACH_BYTE;
	return x + '0' * V9_EACH_BYTE + letters * ('a' - '0' - 10);
}

size_t v9_hex_long(char *to, uint64_t n)
{
	const unsigned int size = (67 - (unsigned int)__builtin_clzll(n)) / 4;
	uint64_t last = hex_digits((uint32_t)n), first;

	if (size <= 8) {
		first = htole64(last >> (64 - 8 * size));
		memcpy(to, &first, 8);
		return size;
	}
	first = htole64(hex_digits((uint32_t)(n >> 32)) >> (128 - 8 * size));
	last = htole64(last);
	memcpy(to, &first, 8);
	memcpy(to + size - 8, &last, 8);
	return size;
}

static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

size_t v9_plain_bytes(const char *s, size_t size)
{
	uint64_t x;
	size_t n = 0;

	for (; n + sizeof(x) <= size; n += sizeof(x)) {
		memcpy(&x, s + n, sizeof(x));
		if (x & 0x80 * V9_EACH_BYTE || v9_some_below(x, ' ') || v9_some_equal(x, 0x7f) || v9_some_equal(x, '"') ||
		    v9_some_equal(x, '\\'))
			break;
	}
	while (n < size && is_plain(s[n]))
		n++;
	return n;
}

bool v9_is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}
