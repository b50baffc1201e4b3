// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tar.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "../util.h"
#include "spool.h"

#define BLOCK		512u
#define LONGEST_NAME	4096u			/* a longer one is damage */
#define UNPACKED_MAX	(UINT64_C(16) << 30)
#define ENTRIES_MAX	(1u << 20)
#define LEVEL		3			/* of zstd */

/* A block before each entry. Numbers are octal text. */
struct head {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100];
	char magic[8], user[32], group[32], major[8], minor[8], prefix[155], pad[12];
};

_Static_assert(sizeof(struct head) == BLOCK, "a head is a block");

enum { FILE_ = '0', SYMLINK = '2', PAX = 'x', GNU_NAME = 'L', GNU_LINK = 'K' };

/* The sum of all bytes, with those of the sum itself as blanks */
static unsigned int sum_of(const struct head *h)
{
	const uint8_t *p = (const uint8_t *)h;
	const size_t at = offsetof(struct head, sum);
	unsigned int sum = 0;

	for (size_t i = 0; i < BLOCK; i++)
		sum += i >= at && i < at + sizeof(h->sum) ? ' ' : p[i];
	return sum;
}

/* ------------------------------------------------------------------------------ writing */

void v9_tar_begin(struct v9_tar_writer *t, int fd, uint64_t mtime)
{
	*t = (struct v9_tar_writer){ .fd = fd, .mtime = mtime };
	t->zstd = ZSTD_createCCtx();
	t->room = v9_alloc(ZSTD_CStreamOutSize());
	if (!t->zstd)
		v9_out_of_memory();
	ZSTD_CCtx_setParameter(t->zstd, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(t->zstd, ZSTD_c_checksumFlag, 1);
}

static void write_out(struct v9_tar_writer *t, const uint8_t *p, size_t n)
{
	while (n && !t->err) {
		const ssize_t done = write(t->fd, p, n);

		if (done < 0 && errno != EINTR)
			t->err = errno;
		if (done <= 0)
			continue;
		p += done;
		n -= (size_t)done;
		t->packed += (uint64_t)done;
	}
}

static void compress(struct v9_tar_writer *t, const void *p, size_t n, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { p, n, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { t->room, ZSTD_CStreamOutSize(), 0 };

		left = ZSTD_compressStream2(t->zstd, &out, &in, end);
		if (ZSTD_isError(left))
			t->err = t->err ? t->err : EIO;
		else
			write_out(t, t->room, out.pos);
	} while (!t->err && (end == ZSTD_e_continue ? in.pos < n : left));
}

void v9_tar_data(struct v9_tar_writer *t, const void *p, size_t n)
{
	t->bytes += n;
	if (!t->err && n)
		compress(t, p, n, ZSTD_e_continue);
}

void v9_tar_file_end(struct v9_tar_writer *t, uint64_t size)
{
	static const uint8_t zeros[BLOCK];

	v9_tar_data(t, zeros, -size & (BLOCK - 1));
}

static void put_head(struct v9_tar_writer *t, char type, const char *name, const char *link,
		     uint64_t size, unsigned int mode)
{
	struct head h = { .type = type, .magic = "ustar" };

	memcpy(h.magic + 6, "00", 2);
	memcpy(h.name, name, strnlen(name, sizeof(h.name)));
	memcpy(h.link, link, strnlen(link, sizeof(h.link)));
	snprintf(h.mode, sizeof(h.mode), "%07o", mode & 07777);
	snprintf(h.uid, sizeof(h.uid), "%07o", 0);
	snprintf(h.gid, sizeof(h.gid), "%07o", 0);
	/* more than 8 GiB do not fit, and no pax record is written for them */
	snprintf(h.size, sizeof(h.size), "%011llo", (unsigned long long)size & 077777777777ull);
	snprintf(h.mtime, sizeof(h.mtime), "%011llo", (unsigned long long)t->mtime & 077777777777ull);
	snprintf(h.sum, sizeof(h.sum), "%06o", sum_of(&h));
	h.sum[7] = ' ';
	if (size > 077777777777ull)
		t->err = t->err ? t->err : EFBIG;
	v9_tar_data(t, &h, sizeof(h));
}

/* "LENGTH KEY=VALUE\n", where the length counts its own digits */
static void put_pax(struct v9_blob *b, const char *key, const char *value)
{
	const size_t rest = strlen(key) + strlen(value) + 3;
	size_t len = rest + 1;
	char *s;

	while (len != rest + (size_t)snprintf(NULL, 0, "%zu", len))
		len = rest + (size_t)snprintf(NULL, 0, "%zu", len);
	s = v9_format("%zu %s=%s\n", len, key, value);
	v9_blob_put(b, s, len);
	free(s);
}

static void put_entry(struct v9_tar_writer *t, char type, const char *name, const char *link,
		      uint64_t size, unsigned int mode)
{
	struct v9_blob pax = { 0 };

	if (strlen(name) > sizeof(((struct head *)0)->name))
		put_pax(&pax, "path", name);
	if (strlen(link) > sizeof(((struct head *)0)->link))
		put_pax(&pax, "linkpath", link);
	if (pax.len) {
		put_head(t, PAX, "pax", "", pax.len, 0644);
		v9_tar_data(t, pax.data, pax.len);
		v9_tar_file_end(t, pax.len);
	}
	v9_blob_free(&pax);
	put_head(t, type, name, link, size, mode);
}

void v9_tar_link(struct v9_tar_writer *t, const char *name, const char *target)
{
	put_entry(t, SYMLINK, name, target, 0, 0777);
}

void v9_tar_file(struct v9_tar_writer *t, const char *name, uint64_t size, unsigned int mode)
{
	put_entry(t, FILE_, name, "", size, mode);
}

int v9_tar_end(struct v9_tar_writer *t)
{
	static const uint8_t zeros[2 * BLOCK];

	v9_tar_data(t, zeros, sizeof(zeros));
	if (!t->err)
		compress(t, NULL, 0, ZSTD_e_end);
	ZSTD_freeCCtx(t->zstd);
	free(t->room);
	return -t->err;
}

/* ------------------------------------------------------------------------------ reading */

#define ZSTD_MAGIC_LE	"\x28\xb5\x2f\xfd"

/* Unpacks the archive to @to. Returns NULL, or what is wrong; what was unpacked before remains. */
static const char *unpack(int from, int to)
{
	const size_t in_room = ZSTD_DStreamInSize(), out_room = ZSTD_DStreamOutSize();
	uint8_t *in_bytes = v9_alloc(in_room), *out_bytes = v9_alloc(out_room);
	ZSTD_DCtx *z = ZSTD_createDCtx();
	const char *why = NULL;
	uint64_t total = 0;
	size_t left = 0;
	bool raw = false;
	ssize_t n;
	int err;

	if (!z)
		v9_out_of_memory();
	for (bool first = true; !why && (n = read(from, in_bytes, in_room)); first = false) {
		ZSTD_inBuffer in = { in_bytes, n > 0 ? (size_t)n : 0, 0 };

		if (n < 0) {
			why = strerror(errno);
			break;
		}
		if (first)
			raw = n < 4 || memcmp(in_bytes, ZSTD_MAGIC_LE, 4);
		while (!why && in.pos < in.size) {
			ZSTD_outBuffer out = { out_bytes, out_room, 0 };

			if (raw) {
				out = (ZSTD_outBuffer){ in_bytes, (size_t)n, (size_t)n };
				in.pos = in.size;
			} else {
				left = ZSTD_decompressStream(z, &out, &in);
				if (ZSTD_isError(left))
					why = "it cannot be decompressed";
			}
			total += out.pos;
			if (total > UNPACKED_MAX)
				why = "it is too large when unpacked";
			else if ((err = v9_write_all(to, out.dst, out.pos)))
				why = strerror(-err);
		}
	}
	if (!why && left)
		why = "its end is missing";
	ZSTD_freeDCtx(z);
	free(in_bytes);
	free(out_bytes);
	return why;
}

/* Octal digits, with blanks and a zero byte around them */
static bool number(const char *p, size_t n, uint64_t *value)
{
	size_t i = 0;

	*value = 0;
	while (i < n && p[i] == ' ')
		i++;
	if (i == n || p[i] < '0' || p[i] > '7')
		return false;
	for (; i < n && p[i] >= '0' && p[i] <= '7'; i++)
		*value = *value << 3 | (uint64_t)(p[i] - '0');
	return i == n || !p[i] || p[i] == ' ';
}

/* The names that entries before it give the next entry; NULL: those in its head */
struct names {
	char *name, *link;
};

static void forget(struct names *n)
{
	free(n->name);
	free(n->link);
	*n = (struct names){ 0 };
}

static void set(char **to, const char *p, size_t n)
{
	free(*to);
	*to = v9_format("%.*s", (int)n, p);
}

/* Records of a pax entry; others than those of names have no effect here. */
static void take_pax(struct names *names, const char *p, size_t n)
{
	while (n) {
		char *end;
		const unsigned long len = strtoul(p, &end, 10);
		const size_t head = (size_t)(end - p) + 1;

		if (len <= head || len > n || *end != ' ')
			return;
		if (len - head > 5 && !strncmp(p + head, "path=", 5))
			set(&names->name, p + head + 5, len - head - 6);
		else if (len - head > 9 && !strncmp(p + head, "linkpath=", 9))
			set(&names->link, p + head + 9, len - head - 10);
		p += len;
		n -= len;
	}
}

/* Returns false if the content is too long for names. */
static bool take_names(struct v9_tar *t, struct names *names, char type, uint64_t offset, uint64_t size)
{
	char text[LONGEST_NAME * 2 + 64];
	ssize_t n;

	if (size >= sizeof(text))
		return false;
	n = pread(t->spool, text, (size_t)size, (off_t)offset);
	if (n != (ssize_t)size)
		return false;
	text[n] = '\0';
	if (type == PAX)
		take_pax(names, text, (size_t)n);
	else
		set(type == GNU_NAME ? &names->name : &names->link, text, (size_t)n);
	return true;
}

static void add(struct v9_tar *t, struct names *names, const struct head *h, uint64_t offset,
		uint64_t size)
{
	const char *name, *link = NULL;
	char text[sizeof(h->prefix) + sizeof(h->name) + 2];
	size_t *index;

	if (h->prefix[0] && !memcmp(h->magic, "ustar\0", 6))
		snprintf(text, sizeof(text), "%.155s/%.100s", h->prefix, h->name);
	else
		snprintf(text, sizeof(text), "%.100s", h->name);
	name = names->name ? names->name : text;
	while (!strncmp(name, "./", 2))
		name += 2;
	index = v9_strtab_value(&t->names, name);
	*index = t->nr + 1;
	if (h->type == SYMLINK)
		link = names->link ? v9_strtab_put(&t->names, names->link, LONGEST_NAME) :
				     v9_strtab_put(&t->names, h->link, sizeof(h->link));
	*v9_vec_add(t->entry, t->nr) = (struct v9_tar_entry){ .offset = offset, .size = size,
							      .link = link, .fd = -1 };
}

static const char *read_entries(struct v9_tar *t, uint64_t end)
{
	struct names names = { 0 };
	static const char none[] = "it is no tar archive, nor one packed with zstd";
	const char *why = none;
	uint64_t at = 0, size;
	struct head h;

	while (end - at >= BLOCK && pread(t->spool, &h, BLOCK, (off_t)at) == BLOCK) {
		if (!h.name[0]) {
			why = at ? NULL : none;
			break;
		}
		why = "it is damaged";
		if (!number(h.sum, sizeof(h.sum), &size) || size != sum_of(&h)) {
			why = at ? why : none;
			break;
		}
		at += BLOCK;
		if (!number(h.size, sizeof(h.size), &size) || size > end - at || t->nr == ENTRIES_MAX)
			break;
		if (h.type == PAX || h.type == GNU_NAME || h.type == GNU_LINK) {
			if (!take_names(t, &names, h.type, at, size))
				break;
		} else {
			if (h.type == FILE_ || h.type == SYMLINK || !h.type)
				add(t, &names, &h, at, size);
			forget(&names);
		}
		at += (size + BLOCK - 1) & ~(uint64_t)(BLOCK - 1);
		if (at > end)
			break;
		why = "its end is missing";
	}
	forget(&names);
	return why;
}

const char *v9_tar_open(struct v9_tar *t, const char *path)
{
	const char *why, *bad;
	struct stat st;
	int fd;

	*t = (struct v9_tar){ .spool = -1 };
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return strerror(errno);
	t->spool = v9_nameless();
	if (t->spool < 0) {
		close(fd);
		return strerror(-t->spool);
	}
	why = unpack(fd, t->spool);
	close(fd);
	bad = fstat(t->spool, &st) ? strerror(errno) : read_entries(t, (uint64_t)st.st_size);
	return why ? why : bad;
}

void v9_tar_close(struct v9_tar *t)
{
	for (size_t i = 0; i < t->nr; i++)
		if (t->entry[i].fd >= 0)
			close(t->entry[i].fd);
	if (t->spool >= 0)
		close(t->spool);
	free(t->entry);
	v9_strtab_free(&t->names);
	*t = (struct v9_tar){ .spool = -1 };
}

static struct v9_tar_entry *entry_of(struct v9_tar *t, const char *name)
{
	const size_t index = *v9_strtab_value(&t->names, name);

	return index ? &t->entry[index - 1] : NULL;
}

/* Joins the directory of @name and a relative @link, and removes "." and "..". */
static char *follow(const char *name, const char *link)
{
	const char *slash = strrchr(name, '/');
	char *joined = v9_format("%.*s/%s", slash ? (int)(slash - name) : 0, name, link);
	char *out = v9_alloc(strlen(joined) + 2), *save = NULL;
	size_t n = 0;

	for (char *part = strtok_r(joined, "/", &save); part; part = strtok_r(NULL, "/", &save)) {
		if (!strcmp(part, "."))
			continue;
		if (!strcmp(part, "..")) {
			while (n && out[--n] != '/')
				;
			continue;
		}
		if (n)
			out[n++] = '/';
		memcpy(out + n, part, strlen(part));
		n += strlen(part);
	}
	out[n] = '\0';
	free(joined);
	return out;
}

/* Copies the content to a file of its own, once. */
static int content(struct v9_tar *t, struct v9_tar_entry *e)
{
	char part[1 << 16];
	uint64_t done = 0;
	int fd;

	if (e->fd >= 0)
		return e->fd;
	fd = v9_nameless();
	while (fd >= 0 && done < e->size) {
		const size_t want = e->size - done < sizeof(part) ? (size_t)(e->size - done) : sizeof(part);
		const ssize_t n = pread(t->spool, part, want, (off_t)(e->offset + done));

		if (n <= 0 || v9_write_all(fd, part, (size_t)n)) {
			close(fd);
			return -1;
		}
		done += (uint64_t)n;
	}
	e->fd = fd;
	return fd;
}

bool v9_tar_find(struct v9_tar *t, const char *name, char *path, size_t size)
{
	struct v9_tar_entry *e = entry_of(t, name);
	char *at = v9_strdup(name), *to, *whole;
	int fd;

	/* A directory that is a link: replace the longest one, once. */
	for (char *slash = at + strlen(at); !e && slash > at; slash--) {
		struct v9_tar_entry *dir;

		if (*slash != '/')
			continue;
		*slash = '\0';
		dir = entry_of(t, at);
		if (!dir || !dir->link)
			continue;
		to = follow(at, dir->link);
		whole = v9_format("%s/%s", to, name + (slash - at) + 1);
		e = entry_of(t, whole);
		free(whole);
		free(to);
		break;
	}
	free(at);
	if (!e || e->link)
		return false;
	fd = content(t, e);
	return fd >= 0 && snprintf(path, size, "/proc/self/fd/%d", fd) < (int)size;
}
