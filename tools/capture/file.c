// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../branch_filter.h"
#include "../util.h"
#include "file.h"
#include "pipe.h"
#include "spool.h"

#define ATTR_SIZE_MIN	64	/* size of the first version of struct perf_event_attr */
#define ATTR_SIZE_MAX	4096

/* Fields of samples that not all headers name */
#define SAMPLE_DATA_PAGE_SIZE	(UINT64_C(1) << 22)
#define SAMPLE_CODE_PAGE_SIZE	(UINT64_C(1) << 23)
#define SAMPLE_WEIGHT_STRUCT	(UINT64_C(1) << 24)

/* Bytes that the kernel maps around a page that is accessed (fault-around) */
#define AROUND		(UINT64_C(64) << 10)

/* pd_pass() releases pages after this many bytes */
#define PASS_EVERY	(UINT64_C(4) << 20)

static int __attribute__((format(printf, 3, 4)))
fail(struct pd_file *f, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->err, sizeof(f->err), fmt, ap);
	va_end(ap);
	return err;
}

static uint64_t u64_at(const uint8_t *p)
{
	return v9_load_le64(p);
}

static uint32_t u32_at(const uint8_t *p)
{
	return v9_load_le32(p);
}

static bool inside(const struct pd_file *f, struct pd_range r)
{
	return r.offset <= f->size && r.size <= f->size - r.offset;
}

/* Says of a file that is no capture what it is, by its first bytes. */
static int fail_other(struct pd_file *f)
{
	static const struct { const char *what, *magic; size_t n; bool packed; } known[] = {
		{ "zstd", "\x28\xb5\x2f\xfd", 4, true }, { "gzip", "\x1f\x8b", 2, true },
		{ "xz", "\xfd" "7zXZ", 5, true }, { "bzip2", "BZh", 3, true },
		{ "lz4", "\x04\x22\x4d\x18", 4, true }, { "zip", "PK\3\4", 4, true },
		{ "an ELF file", "\x7f" "ELF", 4, false }, { "a jitdump", "DTiJ", 4, false },
		{ "a recording of trace-cmd", "\x17\x08\x44tracing", 10, false },
		{ "samples that simpleperf exported", "SIMPLEPERF", 10, false },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (memcmp(f->map, known[i].magic, known[i].n))
			continue;
		if (known[i].packed)
			return fail(f, -EINVAL, "is packed by %s: unpack it first, or into a pipe", known[i].what);
		return fail(f, -EINVAL, "is %s, not a perf.data capture", known[i].what);
	}
	return fail(f, -EINVAL, "is not a perf.data capture");
}

static int check_magic(struct pd_file *f)
{
	if (!f->size)
		return fail(f, -ENODATA, "is empty: the recording wrote nothing");
	if (f->size < 2 * sizeof(uint64_t))
		return fail(f, -EINVAL, "is not a capture: only %" PRIu64 " bytes", f->size);
	switch (u64_at(f->map)) {
	case PD_MAGIC:
		break;
	case PD_MAGIC_SWAPPED:
		return fail(f, -ENOTSUP,
			    "was written on a big-endian machine: read it with a tool of that machine");
	case PD_MAGIC_V1:
		return fail(f, -ENOTSUP, "has the perf.data layout of before 2009");
	default:
		return fail_other(f);
	}
	f->piped = u64_at(f->map + 8) == PD_PIPE_HEADER_SIZE;
	if (!f->piped && f->size < sizeof(f->head))
		return fail(f, -ENODATA, "ends inside its header, at byte %" PRIu64, f->size);
	return 0;
}

static int id_order(const void *a, const void *b)
{
	const struct pd_id *x = a, *y = b;

	return V9_ORDER(x->id, y->id);
}

static int read_attrs(struct pd_file *f)
{
	const uint64_t row = f->head.attr_size;
	const struct pd_range *r = &f->head.attrs;
	uint64_t ids = 0;

	if (row < ATTR_SIZE_MIN + sizeof(struct pd_range) || row > ATTR_SIZE_MAX)
		return fail(f, -EBADMSG, "is corrupt at offset 16: attribute rows of %" PRIu64
			    " bytes", row);
	if (!inside(f, *r))
		return fail(f, -ENODATA, "ends inside its attributes (offset %" PRIu64 ", %" PRIu64
			    " bytes)", r->offset, r->size);
	if (r->size % row || !r->size)
		return fail(f, -EBADMSG, "is corrupt at offset 24: %" PRIu64
			    " bytes of attributes are not rows of %" PRIu64, r->size, row);

	f->nr_attrs = r->size / row;
	f->attrs = calloc(f->nr_attrs, sizeof(*f->attrs));
	if (!f->attrs)
		return fail(f, -ENOMEM, "needs more memory than there is");

	for (size_t i = 0; i < f->nr_attrs; i++) {
		const uint8_t *p = f->map + r->offset + i * row;
		struct pd_attr *a = &f->attrs[i];
		uint64_t size = row - sizeof(struct pd_range);

		a->ids.offset = u64_at(p + size);
		a->ids.size = u64_at(p + size + 8);
		memcpy(&a->attr, p, size < sizeof(a->attr) ? size : sizeof(a->attr));
		if (!inside(f, a->ids) || a->ids.size % 8)
			return fail(f, -EBADMSG, "is corrupt at offset %" PRIu64
				    ": ids of event %zu outside the file",
				    r->offset + i * row + size, i);
		/* Attributes may share a range of ids; the sum must not exceed the file. */
		ids += a->ids.size / 8;
		if (ids > f->size / 8)
			return fail(f, -EBADMSG, "is corrupt at offset %" PRIu64
				    ": more event ids than the file has room for",
				    r->offset + i * row + size);
	}

	f->ids = calloc(ids ? ids : 1, sizeof(*f->ids));
	if (!f->ids)
		return fail(f, -ENOMEM, "needs more memory than there is");
	for (size_t i = 0; i < f->nr_attrs; i++) {
		const struct pd_range *range = &f->attrs[i].ids;

		for (uint64_t k = 0; k < range->size / 8; k++) {
			f->ids[f->nr_ids].id = u64_at(f->map + range->offset + k * 8);
			f->ids[f->nr_ids++].attr = (uint32_t)i;
		}
	}
	qsort(f->ids, f->nr_ids, sizeof(*f->ids), id_order);
	return 0;
}

static void read_sections(struct pd_file *f)
{
	uint64_t at = f->head.data.offset + f->head.data.size;

	if (f->unfinished || f->missing) {
		f->no_sections = true;
		return;
	}
	for (unsigned int bit = 0; bit < PD_FEATURE_BITS; bit++) {
		struct pd_range r;

		if (!(f->head.features[bit / 64] >> (bit % 64) & 1))
			continue;
		if (at > f->size || f->size - at < sizeof(r)) {
			f->no_sections = true;
			return;
		}
		r.offset = u64_at(f->map + at);
		r.size = u64_at(f->map + at + 8);
		at += sizeof(r);
		if (inside(f, r))
			f->sections[bit] = r;
		else
			f->no_sections = true;
	}
}

static void read_half(struct pd_file *f)
{
	const uint64_t at = f->head.attrs.offset + f->head.attrs.size;
	struct pd_half h;

	if (at > f->head.data.offset || f->head.data.offset - at < sizeof(h))
		return;
	memcpy(&h, f->map + at, sizeof(h));
	h.twin[sizeof(h.twin) - 1] = '\0';
	if (h.magic == PD_HALF_MAGIC && (h.unit == PD_AUXTRACE_CS_ETM || h.unit == PD_AUXTRACE_ARM_SPE))
		f->half = h;
}

/* The section of event descriptions: for each an attribute, the number of ids, a name, the ids */
static void read_names(struct pd_file *f)
{
	const struct pd_range r = f->sections[PD_EVENT_DESC];
	const uint8_t *p = f->map + r.offset, *end = p + r.size;
	uint32_t count, attr_size;

	if (r.size < 8)
		return;
	count = u32_at(p);
	attr_size = u32_at(p + 4);
	p += 8;
	for (uint32_t i = 0; i < count && i < f->nr_attrs; i++) {
		uint64_t ids, len;

		if ((uint64_t)(end - p) < (uint64_t)attr_size + 8)
			return;
		p += attr_size;
		ids = u32_at(p);
		len = u32_at(p + 4);
		p += 8;
		if ((uint64_t)(end - p) < len || (uint64_t)(end - p) - len < ids * 8)
			return;
		snprintf(f->attrs[i].name, sizeof(f->attrs[i].name), "%.*s",
			 (int)strnlen((const char *)p, len), (const char *)p);
		p += len + ids * 8;
	}
}

static int read_header(struct pd_file *f)
{
	struct pd_range *data = &f->head.data;
	int ret = check_magic(f);

	if (ret)
		return ret;
	if (f->piped) {
		ret = pd_pipe_read(f);
		if (f->nr_ids)
			qsort(f->ids, f->nr_ids, sizeof(*f->ids), id_order);
		read_names(f);
		pd_rewind(f);
		return ret;
	}
	memcpy(&f->head, f->map, sizeof(f->head));
	/* Of 2010 and before: no sections */
	if (f->head.size == offsetof(struct pd_header, features))
		memset(f->head.features, 0, sizeof(f->head.features));
	else if (f->head.size < sizeof(f->head))
		return fail(f, -ENOTSUP, "is corrupt at offset 8: header of %" PRIu64 " bytes",
			    f->head.size);
	if (data->offset > f->size)
		return fail(f, -ENODATA, "ends before its data (offset %" PRIu64 ")", data->offset);

	f->unfinished = !data->size;
	f->end = f->size;
	if (!f->unfinished && data->size <= f->size - data->offset)
		f->end = data->offset + data->size;
	else if (!f->unfinished)
		f->missing = data->size - (f->size - data->offset);

	ret = read_attrs(f);
	if (ret)
		return ret;
	read_half(f);
	read_sections(f);
	read_names(f);
	pd_rewind(f);
	return 0;
}

#define WRITER_MS	2000	/* how long a pipe may have no writer without a message */

void (*pd_waiting)(const char *path);

/* Opens a file, without blocking on a pipe that nobody writes to before pd_waiting() was called. */
static int open_named(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISFIFO(st.st_mode))
		return fd;
	/* Before the first writer has opened it, poll() reports nothing, not even its end. */
	if (!poll(&p, 1, WRITER_MS)) {
		if (pd_waiting)
			pd_waiting(path);
		while (poll(&p, 1, -1) < 0 && errno == EINTR)
			;
	}
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

/* Returns a descriptor that can be mapped, or -errno with f->err set. */
static int open_input(struct pd_file *f, const char *path)
{
	const bool standard = !strcmp(path, "-");
	int fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open_named(path), spool;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		const int err = errno;

		if (fd >= 0)
			close(fd);
		return fail(f, -err, "cannot be opened: %s", strerror(err));
	}
	if (S_ISREG(st.st_mode))
		return fd;
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || standard) {
		if (isatty(fd))
			spool = fail(f, -EINVAL,
				     "is a terminal: a capture comes from a file or a pipe");
		else if ((spool = v9_spool(fd)) < 0)
			fail(f, spool, "cannot be kept for reading: %s", strerror(-spool));
		close(fd);
		return spool;
	}
	close(fd);
	if (S_ISDIR(st.st_mode))
		return fail(f, -EISDIR, "is a directory: record without --threads to get one file");
	return fail(f, -EINVAL, "is not a regular file");
}

int pd_open(struct pd_file *f, const char *path)
{
	struct stat st;
	void *map;
	int fd, err;

	memset(f, 0, sizeof(*f));
	fd = open_input(f, path);
	if (fd < 0)
		return fd;
	err = fstat(fd, &st) ? errno : 0;
	f->size = err ? 0 : (uint64_t)st.st_size;
	if (f->size) {
		map = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map == MAP_FAILED)
			err = errno;
		else
			f->map = map;
	}
	close(fd);
	if (err) {
		f->size = 0;
		return fail(f, -err, "cannot be mapped: %s", strerror(err));
	}
	return read_header(f);
}

int pd_open_inner(struct pd_file *f, const struct pd_file *outer, enum pd_feature which)
{
	const struct pd_range r = outer->sections[which];

	*f = (struct pd_file){ .map = outer->map + r.offset, .size = r.size, .inner = true };
	return read_header(f);
}

void pd_pass(struct pd_file *f, uint64_t n)
{
	uintptr_t in_page;

	if (!f->map || __atomic_add_fetch(&f->touched, n, __ATOMIC_RELAXED) < PASS_EVERY)
		return;
	__atomic_store_n(&f->touched, 0, __ATOMIC_RELAXED);
	in_page = (uintptr_t)f->map & ((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
	madvise((void *)(f->map - in_page), f->size + in_page, MADV_DONTNEED);
}

void pd_close(struct pd_file *f)
{
	if (f->map && !f->inner)
		munmap((void *)f->map, f->size);
	pd_unpack_free(f->unpack);
	free(f->attrs);
	free(f->ids);
	f->unpack = NULL;
	f->map = NULL;
	f->attrs = NULL;
	f->ids = NULL;
}

void pd_rewind(struct pd_file *f)
{
	pd_unpack_free(f->unpack);
	f->unpack = NULL;
	f->pos = f->head.data.offset;
}

const struct pd_attr *pd_attr_of(const struct pd_file *f, uint64_t id)
{
	const struct pd_id key = { .id = id };
	const struct pd_id *hit = bsearch(&key, f->ids, f->nr_ids, sizeof(key), id_order);

	return hit ? &f->attrs[hit->attr] : NULL;
}

/* Finds the attribute by the id in a sample, which is first, or after some other fields. */
static const struct pd_attr *attr_of_sample(const struct pd_file *f, const struct pd_event *e)
{
	const uint64_t type = f->attrs[0].attr.sample_type;
	const uint64_t before = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				PERF_SAMPLE_ADDR;
	uint64_t at = sizeof(struct pd_event_header);

	if (!(type & PERF_SAMPLE_IDENTIFIER)) {
		if (!(type & PERF_SAMPLE_ID))
			return &f->attrs[0];
		at += 8 * (uint64_t)__builtin_popcountll(type & before);
	}
	return at + 8 <= e->size ? pd_attr_of(f, u64_at(e->p + at)) : NULL;
}

/*
 * Each record of the kernel, except samples, ends in a sample id: the fields of sample_type, 8
 * bytes each, in this order. It is parsed from the end, because PERF_SAMPLE_IDENTIFIER is last for
 * each event.
 */
static void read_sample_id(const struct pd_file *f, struct pd_event *e)
{
	const struct pd_attr *a = &f->attrs[0];
	const uint8_t *p = e->p + e->size;
	uint64_t type;

	if (!a->attr.sample_id_all)
		return;
	type = a->attr.sample_type;
	if (type & PERF_SAMPLE_IDENTIFIER) {
		if (e->size < sizeof(struct pd_event_header) + 8)
			return;
		a = pd_attr_of(f, u64_at(p - 8));
		if (a)
			type = a->attr.sample_type;
	}
	type &= PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	if (e->size < sizeof(struct pd_event_header) + 8 * (uint32_t)__builtin_popcountll(type))
		return;

	e->attr = a;
	e->size -= 8 * (uint32_t)__builtin_popcountll(type);
	p = e->p + e->size;
	if (type & PERF_SAMPLE_TID) {
		e->pid = u32_at(p);
		e->tid = u32_at(p + 4);
		e->has |= PD_HAS_TASK;
		p += 8;
	}
	if (type & PERF_SAMPLE_TIME) {
		e->time = u64_at(p);
		e->has |= PD_HAS_TIME;
		p += 8;
	}
	if (type & PERF_SAMPLE_ID) {
		e->id = u64_at(p);
		e->has |= PD_HAS_ID;
		p += 8;
	}
	if (type & PERF_SAMPLE_STREAM_ID)
		p += 8;
	if (type & PERF_SAMPLE_CPU) {
		e->cpu = u32_at(p);
		e->has |= PD_HAS_CPU;
		p += 8;
	}
	if (type & PERF_SAMPLE_IDENTIFIER) {
		e->id = u64_at(p);
		e->has |= PD_HAS_ID;
	}
}

static int cut(struct pd_file *f, const char *what)
{
	if (f->missing || f->unfinished || f->piped)
		return fail(f, -ENODATA, "ends inside %s at offset %" PRIu64, what, f->pos);
	return fail(f, -EBADMSG, "is corrupt at offset %" PRIu64 ": %s reaches past the data",
		    f->pos, what);
}

static bool is_sample(uint32_t type)
{
	return type == PERF_RECORD_SAMPLE;
}

static void take_header(const struct pd_file *f, struct pd_event *e, const uint8_t *p,
			uint64_t offset)
{
	struct pd_event_header h;

	memcpy(&h, p, sizeof(h));
	e->p = p;
	e->offset = offset;
	e->type = h.type;
	e->misc = h.misc;
	e->size = h.size;
	if (h.type == PERF_RECORD_SAMPLE)
		e->attr = attr_of_sample(f, e);
	else if (h.type < PD_REC_HEADER_ATTR)
		read_sample_id(f, e);
}

/* Reads the next decompressed record. Returns 1, 0 if there is none, or -EBADMSG. */
static int next_unpacked(struct pd_file *f, struct pd_event *e)
{
	const uint8_t *p;
	uint64_t offset;
	int r = pd_unpack_next(f->unpack, &p, &offset, is_sample);

	if (r < 0)
		return fail(f, r, "is corrupt before offset %" PRIu64
			    ": what a compressed record held is none", f->pos);
	if (!r)
		return 0;
	take_header(f, e, p, offset);
	/* These records are followed by bytes in the file, so they cannot be compressed. */
	if (e->type == PD_REC_AUXTRACE || e->type == PD_REC_HEADER_TRACING_DATA ||
	    e->type == PD_REC_COMPRESSED || e->type == PD_REC_COMPRESSED2)
		return fail(f, -EBADMSG, "is corrupt before offset %" PRIu64
			    ": record of type %u in a compressed one", f->pos, e->type);
	return 1;
}

/* Decompresses a COMPRESSED record. */
static int unpack(struct pd_file *f, const uint8_t *p, const struct pd_event_header *h)
{
	size_t head = sizeof(*h), n = h->size - head;
	int r;

	if (h->type == PD_REC_COMPRESSED2) {
		const uint64_t size = n >= 8 ? u64_at(p + head) : UINT64_MAX;

		if (n < 8 || size > n - 8)
			return fail(f, -EBADMSG, "is corrupt at offset %" PRIu64
				    ": compressed record of %u bytes", f->pos, h->size);
		head += 8;
		n = size;
	}
	r = pd_unpack_feed(&f->unpack, p + head, n);
	if (r)
		return fail(f, r, r == -ENOMEM ? "needs more memory than there is" :
			    "is corrupt at offset %" PRIu64 ": it cannot be decompressed", f->pos);
	f->pos += h->size;
	return 0;
}

/* Gets the number of bytes after a record that are not in its size. */
static bool payload_of(const struct pd_event_header *h, const uint8_t *p, uint64_t *size)
{
	if (h->type == PD_REC_AUXTRACE && h->size >= sizeof(struct pd_auxtrace))
		*size = u64_at(p + offsetof(struct pd_auxtrace, size));
	else if (h->type == PD_REC_HEADER_TRACING_DATA && h->size >= sizeof(*h) + 4)
		*size = u32_at(p + sizeof(*h));
	else
		return false;
	return true;
}

int pd_next(struct pd_file *f, struct pd_event *e)
{
	struct pd_event_header h;
	uint64_t left, size;
	int r;

	memset(e, 0, sizeof(*e));
	for (;;) {
		const uint8_t *p = f->map + f->pos;

		r = next_unpacked(f, e);
		if (r)
			return r;
		left = f->end - f->pos;
		if (!left)
			return pd_unpack_left(f->unpack) ? cut(f, "a compressed record") : 0;
		if (left < sizeof(h))
			return cut(f, "a record");
		memcpy(&h, p, sizeof(h));
		if (!h.type || h.size < sizeof(h))
			return fail(f, -EBADMSG, "is corrupt at offset %" PRIu64
				    ": record of type %u with %u bytes", f->pos, h.type, h.size);
		if (h.size > left)
			return cut(f, "a record");
		if (h.type != PD_REC_COMPRESSED && h.type != PD_REC_COMPRESSED2)
			break;
		r = unpack(f, p, &h);
		if (r)
			return r;
	}
	take_header(f, e, f->map + f->pos, f->pos);
	if (h.type == PD_REC_AUXTRACE && h.size < sizeof(struct pd_auxtrace))
		return fail(f, -EBADMSG, "is corrupt at offset %" PRIu64
			    ": AUXTRACE record of %u bytes", f->pos, h.size);
	if (payload_of(&h, e->p, &size)) {
		e->payload = e->p + h.size;
		e->payload_size = size <= left - h.size ? size : left - h.size;
		e->payload_missing = size - e->payload_size;
		if (e->payload_missing && cut(f, "AUX data") == -EBADMSG)
			return -EBADMSG;
		f->pos += e->payload_size;
	}
	f->pos += h.size;
	/* A page is mapped with its neighbours, so a small record may cause as much. */
	pd_pass(f, e->payload_size ? AROUND : h.size);
	return 1;
}

int pd_at(struct pd_file *f, uint64_t offset, struct pd_event *e)
{
	const uint8_t *p;

	if (!(offset & PD_UNPACKED)) {
		f->pos = offset;
		/* Discard decompressed records that were not read. */
		pd_unpack_skip(f->unpack);
		return pd_next(f, e);
	}
	memset(e, 0, sizeof(*e));
	p = pd_unpack_at(f->unpack, offset);
	if (!p)
		return fail(f, -EINVAL, "has no such record");
	take_header(f, e, p, offset);
	return 1;
}

/* A cursor over the 8-byte words of a sample, with bounds checks */
struct words {
	const uint8_t *p;
	uint64_t left;
	bool bad;
};

static uint64_t word(struct words *w)
{
	uint64_t v = 0;

	if (w->left < 8) {
		w->bad = true;
		return 0;
	}
	v = u64_at(w->p);
	w->p += 8;
	w->left -= 8;
	return v;
}

static void skip_words(struct words *w, uint64_t n)
{
	if (n > w->left / 8) {
		w->bad = true;
		return;
	}
	w->p += n * 8;
	w->left -= n * 8;
}

static void skip_read(struct words *w, uint64_t format)
{
	const uint64_t times = (format & PERF_FORMAT_TOTAL_TIME_ENABLED ? 1 : 0) +
			       (format & PERF_FORMAT_TOTAL_TIME_RUNNING ? 1 : 0);
	const uint64_t each = 1 + (format & PERF_FORMAT_ID ? 1 : 0) +
			      (format & PERF_FORMAT_LOST ? 1 : 0);
	uint64_t n = 1;

	if (format & PERF_FORMAT_GROUP)
		n = word(w);
	skip_words(w, times);
	if (n > w->left)
		w->bad = true;
	else
		skip_words(w, n * each);
}

bool pd_section_next(const struct pd_file *f, enum pd_feature which, uint64_t *at,
		     struct pd_event *e)
{
	const struct pd_range r = f->sections[which];
	struct pd_event_header h;

	memset(e, 0, sizeof(*e));
	if (*at > r.size || r.size - *at < sizeof(h))
		return false;
	memcpy(&h, f->map + r.offset + *at, sizeof(h));
	if (h.size < sizeof(h) || h.size > r.size - *at)
		return false;
	take_header(f, e, f->map + r.offset + *at, r.offset + *at);
	*at += h.size;
	return true;
}

static void skip_regs(struct words *w, uint64_t mask)
{
	if (word(w))		/* PERF_SAMPLE_REGS_ABI_NONE has no registers */
		skip_words(w, (uint64_t)__builtin_popcountll(mask));
}

/* A size, then so many bytes, which the kernel rounds up to 8. Returns the size. */
static uint64_t skip_bytes(struct words *w)
{
	const uint64_t n = word(w);

	skip_words(w, n / 8 + (n % 8 ? 1 : 0));
	return n;
}

/* The size has 4 bytes; it and the bytes are rounded up to 8 together. */
static void take_raw(struct words *w, struct pd_sample *s)
{
	uint64_t all;

	if (w->bad || w->left < 4) {
		w->bad = true;
		return;
	}
	s->raw_size = u32_at(w->p);
	s->raw = w->p + 4;
	if (s->raw_size > w->left - 4) {
		w->bad = true;
		return;
	}
	all = ((uint64_t)s->raw_size + 4 + 7) & ~UINT64_C(7);
	if (all > w->left)	/* some recorders do not pad the last field */
		all = w->left;
	w->p += all;
	w->left -= all;
}

static void take_branches(struct words *w, uint64_t filter, struct pd_sample *s)
{
	const uint64_t n = word(w);

	s->hw_idx = filter & V9_BRANCH_HW_INDEX ? word(w) : UINT64_MAX;
	if (w->bad || n > w->left / PD_BRANCH_BYTES) {
		w->bad = true;
		return;
	}
	s->has_branches = true;
	s->branches = w->p;
	s->nr_branches = n;
	skip_words(w, n * (PD_BRANCH_BYTES / 8));
	if (filter & V9_BRANCH_COUNTERS) {
		s->counters = w->p;
		skip_words(w, n);
	}
}

/* The fields after the branch stack. Only the control group is kept. */
static void take_others(struct words *w, const struct perf_event_attr *a, struct pd_sample *s)
{
	const uint64_t type = a->sample_type;

	if (type & PERF_SAMPLE_REGS_USER)
		skip_regs(w, a->sample_regs_user);
	/* Without bytes there is no word for the size of what was copied. */
	if (type & PERF_SAMPLE_STACK_USER && skip_bytes(w))
		word(w);
	skip_words(w, (type & (PERF_SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT) ? 1 : 0) +
		      (type & PERF_SAMPLE_DATA_SRC ? 1 : 0) +
		      (type & PERF_SAMPLE_TRANSACTION ? 1 : 0));
	if (type & PERF_SAMPLE_REGS_INTR)
		skip_regs(w, a->sample_regs_intr);
	skip_words(w, type & PERF_SAMPLE_PHYS_ADDR ? 1 : 0);
	s->has_cgroup = type & PERF_SAMPLE_CGROUP;
	s->cgroup = s->has_cgroup ? word(w) : 0;
	skip_words(w, (type & SAMPLE_DATA_PAGE_SIZE ? 1 : 0) + (type & SAMPLE_CODE_PAGE_SIZE ? 1 : 0));
	if (type & PERF_SAMPLE_AUX)
		skip_bytes(w);
}

int pd_sample(struct pd_event *e, struct pd_sample *s)
{
	struct words w = { .p = e->p + sizeof(struct pd_event_header),
			   .left = e->size - sizeof(struct pd_event_header) };
	const uint64_t type = e->attr ? e->attr->attr.sample_type : 0;
	uint64_t v;

	memset(s, 0, sizeof(*s));
	s->hw_idx = UINT64_MAX;
	if (!e->attr)
		return -EBADMSG;
	if (type & PERF_SAMPLE_IDENTIFIER)
		e->id = word(&w);
	if (type & PERF_SAMPLE_IP)
		s->ip = word(&w);
	if (type & PERF_SAMPLE_TID) {
		v = word(&w);
		e->pid = (uint32_t)v;
		e->tid = (uint32_t)(v >> 32);
		e->has |= PD_HAS_TASK;
	}
	if (type & PERF_SAMPLE_TIME) {
		e->time = word(&w);
		e->has |= PD_HAS_TIME;
	}
	if (type & PERF_SAMPLE_ADDR)
		s->addr = word(&w);
	if (type & PERF_SAMPLE_ID)
		e->id = word(&w);
	if (type & PERF_SAMPLE_STREAM_ID)
		word(&w);
	if (type & PERF_SAMPLE_CPU) {
		e->cpu = (uint32_t)word(&w);
		e->has |= PD_HAS_CPU;
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->period = word(&w);
	if (type & PERF_SAMPLE_READ)
		skip_read(&w, e->attr->attr.read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		skip_words(&w, word(&w));
	if (type & PERF_SAMPLE_RAW)
		take_raw(&w, s);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		take_branches(&w, e->attr->attr.branch_sample_type, s);
	take_others(&w, &e->attr->attr, s);
	s->rest = w.left;
	return w.bad ? -EBADMSG : 0;
}

bool pd_string(const struct pd_file *f, enum pd_feature which, char *buf, size_t size)
{
	const struct pd_range r = f->sections[which];
	uint32_t len;

	if (r.size < 4)
		return false;
	len = u32_at(f->map + r.offset);
	if (len > r.size - 4)
		return false;
	snprintf(buf, size, "%.*s", (int)strnlen((const char *)f->map + r.offset + 4, len),
		 (const char *)f->map + r.offset + 4);
	return true;
}
