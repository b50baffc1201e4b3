/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Common helpers: messages, memory, sorted arrays, byte buffers, reading small files. */
#ifndef V9TRACE_TOOLS_UTIL_H
#define V9TRACE_TOOLS_UTIL_H

#include <elf.h>
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#define V9TRACE_VERSION	"0.1"

/* Print the version, the libraries with theirs, and the features that need a library. */
void v9_version(void);

/* Print "v9trace: TEXT" and a newline on stderr. A progress line is cleared first. */
void v9_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print "v9trace: warning: TEXT", for what does not stop the command. */
void v9_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print a progress line, which the next message replaces. No effect if stderr is no terminal. */
void v9_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void v9_progress_end(void);

/*
 * Like v9_progress(), followed by the time that is left: @done of @all were done since v9_progress_begin(), and the
 * rest is assumed to take as long for each.
 */
void v9_progress_begin(void);
void v9_progress_left(uint64_t done, uint64_t all, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Seconds that are left if @done of @all took @ns, rounded up. 0: nothing is done, or all is. */
uint64_t v9_time_left(uint64_t ns, uint64_t done, uint64_t all);
bool v9_progress_shown(void);

/*
 * Allocation. On failure these functions do not return NULL: the process prints "out of memory" and
 * exits with status 1. The caller frees the result with free().
 */
void v9_out_of_memory(void) __attribute__((noreturn));
void *v9_alloc(size_t size);		/* zeroed */
void *v9_realloc(void *p, size_t size);
char *v9_strdup(const char *s);
char *v9_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Order of two numbers, for the callbacks of qsort(). */
#define V9_ORDER(a, b)	(((a) > (b)) - ((a) < (b)))

/*
 * Binary search in a sorted array of @n entries. @first is an expression of @i, the index of an entry:
 * true for the first entries, false for the rest. Returns the number of the first ones.
 */
#define v9_first_entries(i, n, first) __extension__ ({	\
	size_t lo_ = 0, hi_ = (n);			\
							\
	while (lo_ < hi_) {				\
		const size_t i = lo_ + (hi_ - lo_) / 2;	\
							\
		if (first)				\
			lo_ = i + 1;			\
		else					\
			hi_ = i;			\
	}						\
	lo_; })

/*
 * Write @n in decimal or hexadecimal digits to @to, without a terminating null, and return their number.
 * Faster than sprintf(). @to has room for V9_DIGITS_MOST bytes: bytes after the digits may be overwritten.
 */
#define V9_DIGITS_MOST	20
size_t v9_decimal_long(char *to, uint64_t n);
size_t v9_hex_long(char *to, uint64_t n);	/* @n: not 0 */

/* Inline: many numbers are small. */
static inline size_t v9_decimal(char *to, uint64_t n)
{
	if (n < 10) {
		to[0] = (char)('0' + n);
		return 1;
	}
	if (n < 100) {
		to[0] = (char)('0' + n / 10);
		to[1] = (char)('0' + n % 10);
		return 2;
	}
	return v9_decimal_long(to, n);
}

static inline size_t v9_hex(char *to, uint64_t n)
{
	if (n < 10) {
		to[0] = (char)('0' + n);
		return 1;
	}
	return v9_hex_long(to, n);
}

#define V9_EACH_BYTE	UINT64_C(0x0101010101010101)
#define V9_EIGHT_DIGITS	100000000u	/* more than a number of eight digits */

/* Returns the eight digits of @n, as numbers from 0 to 9, one in each byte. The first digit is in the lowest byte. */
static inline uint64_t v9_eight_digits(uint32_t n)
{
	uint64_t x = n / 10000 | (uint64_t)(n % 10000) << 32, high;

	/* 10486 / 2^20 is a little more than 1 / 100, 103 / 2^10 than 1 / 10. */
	high = x * 10486 >> 20 & UINT64_C(0x0000007f0000007f);
	x = high | (x - 100 * high) << 16;
	high = x * 103 >> 10 & UINT64_C(0x000f000f000f000f);
	return high | (x - 10 * high) << 8;
}

/* Returns the number of leading zeros of such digits, at most 7. */
static inline unsigned int v9_leading_zeros(uint64_t digits)
{
	return (unsigned int)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
}

/* Nonzero if one of the eight bytes of @x is less than @c, at most 0x80; if one is @c */
static inline uint64_t v9_some_below(uint64_t x, unsigned char c)
{
	return (x - V9_EACH_BYTE * c) & ~x & 0x80 * V9_EACH_BYTE;
}

static inline uint64_t v9_some_equal(uint64_t x, unsigned char c)
{
	return v9_some_below(x ^ V9_EACH_BYTE * c, 1);
}

/*
 * Returns how many bytes of a string, from the first one on, need no escape in JSON and on a terminal: ASCII without
 * control characters, quotation marks and reverse solidi. @size: bytes of the string, without the terminating null
 */
size_t v9_plain_bytes(const char *s, size_t size);

/* Writes eight digits. */
static inline void v9_decimal_eight(char *to, uint32_t n)
{
	const uint64_t x = htole64(v9_eight_digits(n) + '0' * V9_EACH_BYTE);

	memcpy(to, &x, sizeof(x));
}

/*
 * Is there something at @path that is written to and never replaced: a device, a pipe? Else a file gets
 * its name when it is complete.
 */
bool v9_is_special(const char *path);

/* A growing byte buffer; { 0 } is an empty one. v9_blob_free() frees it. */
struct v9_blob {
	uint8_t *data;
	size_t len;
	size_t room;
};

void v9_blob_put(struct v9_blob *b, const void *data, size_t n);
void v9_blob_zero(struct v9_blob *b, size_t n);
void v9_blob_free(struct v9_blob *b);

static inline void v9_blob_u32(struct v9_blob *b, uint32_t v)
{
	v9_blob_put(b, &v, sizeof(v));
}

static inline void v9_blob_u64(struct v9_blob *b, uint64_t v)
{
	v9_blob_put(b, &v, sizeof(v));
}

/*
 * Read a whole file of sysfs, procfs or tracefs, for which stat() does not report the size. The
 * text ends in a zero byte that *@len (@len may be NULL) does not include. Returns NULL and sets
 * errno if it cannot be read; EFBIG for more than V9_READ_MAX bytes. The caller frees the result.
 */
#define V9_READ_MAX	(UINT64_C(256) << 20)
char *v9_read_file(const char *path, size_t *len);

/* Read the first line of such a file, without the newline. The result is as above. */
char *v9_read_line(const char *path);

/*
 * Returns the name of a kernel module from that of its mapping: "/lib/modules/.../a-b.ko.xz" or
 * "[a_b]" is a_b. The caller frees it.
 */
char *v9_module_name(const char *mapping);

/*
 * Returns the address of a function whose symbol in an ELF file for @machine has the value @value. In a file for
 * AArch32, bit 0 of the value says that the function is T32 code.
 */
static inline uint64_t v9_function_address(unsigned int machine, uint64_t value)
{
	return machine == EM_ARM ? value & ~UINT64_C(1) : value;
}

/* Returns true if a mapping has the name of a file: not of anonymous memory, also a memfd, nor "[vdso]". */
bool v9_mapping_has_file(const char *mapping);

/* Returns true if a mapping has the name of a jitdump, jit-PID.dump. @len: maximum length of @mapping. */
bool v9_mapping_is_jitdump(const char *mapping, size_t len);

/* Returns the last part of a path, or all of one that ends in a slash. */
const char *v9_base_name(const char *path);

/* Gives a file a name that no other file has. Returns 0 or an errno; EEXIST: there is a file of that name. */
int v9_move_new(const char *from, const char *to);

/* Nanoseconds of a clock; 0 if it cannot be read */
uint64_t v9_clock_ns(clockid_t clock);

/*
 * Read the number at *@s, which begins with a digit, and move *@s behind it. @base: as for strtoull(); @max: the
 * largest that is permitted. Returns false if there is none, or if it is larger.
 */
bool v9_take_number(const char **s, int base, uint64_t max, uint64_t *n);

/* Join @n words as text such as "a, b or c" in @room. Returns @room. */
const char *v9_one_of(char *room, size_t size, const char *const *words, size_t n);

/* Format @n bytes as text such as "12.3 MiB" into @room. Returns @room. */
const char *v9_bytes(char room[16], uint64_t n);

#endif
