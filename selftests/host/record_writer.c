// SPDX-License-Identifier: GPL-2.0-only
/*
 * The writer of v9trace record with a disk that is full after any number of bytes: the file must be
 * a header and complete records. And the two files of a recording of two units.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <zstd.h>

#include "messages.h"
#include "tap.h"

static ssize_t full_writev(int fd, const struct iovec *piece, int n);
#define writev full_writev
#include "../../tools/util.c"
#include "../../tools/collect/pack.c"
#include "../../tools/collect/writer.c"
#undef writev
#include "../../tools/collect/switch.c"

#define PLENTY UINT64_C(1000000000)

static uint64_t room;		/* free bytes of the simulated disk */
static int level;		/* compression level, 0: none */

static ssize_t full_writev(int fd, const struct iovec *piece, int n)
{
	ssize_t done = 0;

	for (int i = 0; i < n; i++) {
		size_t len = piece[i].iov_len < room ? piece[i].iov_len : room;

		if (len && write(fd, piece[i].iov_base, len) != (ssize_t)len)
			return -1;
		done += len;
		room -= len;
		if (len < piece[i].iov_len)
			break;
	}
	if (done)
		return done;
	for (int i = 0; i < n; i++)
		if (piece[i].iov_len) {
			errno = ENOSPC;
			return -1;
		}
	return 0;
}

static char dir[] = "/tmp/record_writer.XXXXXX";
static char path[64];
static uint8_t trace[300];

static struct v9_instance inst[2] = { { .id = 77 }, { .id = 78 } };
static struct v9_event_spec event = { .inst = inst, .insts = 2 };

static void put_record(struct v9_writer *w, uint16_t size, uint8_t fill)
{
	uint8_t rec[512];
	struct pd_event_header h = { .type = PERF_RECORD_COMM, .size = size };

	memset(rec, fill, sizeof(rec));
	memcpy(rec, &h, sizeof(h));
	v9_writer_record(w, rec, size);
}

/* Writes a whole recording; @take: free bytes of the disk after the start. */
static int write_all(struct v9_writer *w, uint64_t take, uint64_t take_at_end)
{
	struct v9_blob sections[PD_FEATURE_BITS] = { 0 };
	struct pd_auxtrace aux = { .cpu = 1, .tid = ~0u };
	int ret;

	room = PLENTY;
	event.attr.a.size = PERF_ATTR_SIZE_VER7;
	ret = v9_writer_open(w, path, &event, 1, 4096);
	if (ret)
		return ret;
	if (level)
		v9_writer_pack(w, level);
	room = take;
	put_record(w, 48, 1);
	put_record(w, 512, 2);
	v9_writer_flush(w);
	aux.offset = 0;
	v9_writer_aux(w, &aux, trace, 100, trace + 200, 33);	/* 133: 3 bytes of padding */
	put_record(w, 16, 3);
	aux.offset = 133;
	v9_writer_aux(w, &aux, trace, 64, NULL, 0);
	put_record(w, 24, 4);
	v9_writer_flush(w);
	room = take_at_end;
	v9_blob_put(&sections[PD_HOSTNAME], "here", 5);
	v9_blob_put(&sections[PD_AUXTRACE], w->index.data, w->index.len);
	ret = v9_writer_finish(w, sections);
	v9_blob_free(&sections[PD_HOSTNAME]);
	v9_blob_free(&sections[PD_AUXTRACE]);
	return ret;
}

struct seen {
	int records, pieces, sections;
	uint64_t bytes;		/* of the data range */
	bool whole;		/* only complete records, up to the end */
	int packed, unpacked;	/* number of COMPRESSED records, and of records in them */
	uint64_t fill;		/* sum over the contents of records that put_record() made */
};

/* Decompresses one stream of all COMPRESSED records; each must end with a complete record. */
static bool unpack(ZSTD_DStream *z, const uint8_t *p, size_t n, struct seen *s)
{
	static uint8_t bytes[64 << 10];	/* the size that the section has */
	ZSTD_inBuffer from = { p, n, 0 };
	ZSTD_outBuffer to = { bytes, sizeof(bytes), 0 };
	struct pd_event_header h;

	s->packed++;
	/* One call, as perf does; it must consume everything. */
	if (ZSTD_isError(ZSTD_decompressStream(z, &to, &from)) || from.pos != n || !to.pos)
		return false;
	for (size_t at = 0; at < to.pos; at += h.size) {
		memcpy(&h, bytes + at, sizeof(h));
		if (h.type != PERF_RECORD_COMM || h.size < sizeof(h) || at + h.size > to.pos)
			return false;
		s->fill += bytes[at + h.size - 1];
		s->unpacked++;
	}
	return true;
}

static struct seen look(void)
{
	struct seen s = { .whole = true };
	struct pd_header head;
	struct stat st;
	size_t size;
	char *text = v9_read_file(path, &size);
	ZSTD_DStream *z = ZSTD_createDStream();
	uint8_t *b = (uint8_t *)text;
	uint64_t at, end;

	if (!text || size < sizeof(head) || stat(path, &st)) {
		free(text);
		ZSTD_freeDStream(z);
		return (struct seen){ 0 };
	}
	memcpy(&head, b, sizeof(head));
	s.bytes = head.data.size;
	at = head.data.offset;
	end = at + head.data.size;
	if (head.magic != PD_MAGIC || end > size)
		s.whole = false;
	while (s.whole && at < end) {
		struct pd_event_header h;
		struct pd_auxtrace aux;

		if (at + sizeof(h) > end)
			break;
		memcpy(&h, b + at, sizeof(h));
		if (h.size < sizeof(h) || at + h.size > end)
			break;
		s.records++;
		if (h.type == PD_REC_AUXTRACE) {
			memcpy(&aux, b + at, sizeof(aux));
			s.pieces++;
			at += aux.size;
		}
		if (h.type == PD_REC_COMPRESSED &&
		    (h.size % 8 || !unpack(z, b + at + sizeof(h), h.size - sizeof(h), &s)))
			s.whole = false;
		at += h.size;
	}
	ZSTD_freeDStream(z);
	s.whole = s.whole && at == end;
	for (int i = 0; i < 4; i++)
		s.sections += __builtin_popcountll(head.features[i]);
	/* without sections nothing stands behind the records */
	if (!s.sections && size != end)
		s.whole = false;
	free(text);
	return s;
}

static void test_whole(void)
{
	struct v9_writer w;
	struct seen s;
	uint64_t index[4];

	tap_eq(write_all(&w, PLENTY, PLENTY), 0, "whole_written");
	s = look();
	tap_ok(s.whole && s.records == 6 && s.pieces == 2 && s.sections == 2, "whole_read");
	tap_eq(s.bytes, 48 + 512 + 48 + 136 + 16 + 48 + 64 + 24, "whole_bytes");
	memcpy(index, w.index.data, sizeof(index));
	tap_eq(index[0], w.head.data.offset + 48 + 512, "index_first");
	tap_eq(index[2], index[0] + 48 + 136 + 16, "index_second");
	tap_eq(index[1], sizeof(struct pd_auxtrace), "index_size");
	tap_ok(!w.error && !w.unwritten, "whole_nothing_lost");
	v9_writer_close(&w);
}

/* No limit leaves an incomplete record, and the header has the size of the file. */
static void test_full_disk(void)
{
	const uint64_t all = 48 + 512 + 48 + 136 + 16 + 48 + 64 + 24;
	int bad = -1, bad_end = -1, before = -1, went_back = 0;

	for (uint64_t take = 0; take < all; take++) {
		struct v9_writer w;
		struct seen s;

		if (write_all(&w, take, PLENTY))
			bad = take;
		s = look();
		if (!s.whole || s.sections != (s.pieces ? 2 : 1) || s.bytes > take ||
		    !w.unwritten || s.bytes + w.unwritten != all)
			bad = take;
		went_back += s.records < before;
		before = s.records;
		v9_writer_close(&w);
		/* no room for the sections either */
		if (write_all(&w, take, take % 20) != -ENOSPC)
			bad_end = take;
		s = look();
		if (!s.whole || s.sections)
			bad_end = take;
		v9_writer_close(&w);
	}
	tap_eq(bad, -1, "full_anywhere");
	tap_eq(bad_end, -1, "full_at_the_end_too");
	tap_eq(went_back, 0, "more_room_keeps_more");
}

/* The same with compression: each of the four records is in the file, or counted as lost. */
static void test_packed(void)
{
	const int levels[] = { 1, 19 };
	struct v9_writer w;
	struct seen s;

	for (unsigned int i = 0; i < 2; i++) {
		int bad = -1;
		uint64_t all;

		level = levels[i];
		tap_eq(write_all(&w, PLENTY, PLENTY), 0, "packed_written_%d", level);
		s = look();
		tap_ok(s.whole && s.pieces == 2 && s.packed == 3 && s.unpacked == 4 && s.fill == 10 &&
		       !w.lost_records, "packed_read_%d", level);
		all = s.bytes;
		v9_writer_close(&w);
		/* Higher levels take much memory each time. */
		for (uint64_t take = 0; take < all; take += i ? 61 : 1) {
			if (write_all(&w, take, PLENTY))
				bad = (int)take;
			s = look();
			if (!s.whole || s.unpacked + w.lost_records != 4 || s.bytes > take)
				bad = (int)take;
			v9_writer_close(&w);
		}
		tap_eq(bad, -1, "packed_full_anywhere_%d", level);
	}
	level = 0;
}

/* Incompressible data, large data, and records that perf needs uncompressed. */
static void test_pack_runs(void)
{
	static uint8_t bytes[1 << 17];
	struct pd_event_header h = { .type = PERF_RECORD_COMM, .size = 4096 };
	struct v9_pack *p = v9_pack_new(V9_PACK_LEVEL);
	ZSTD_DStream *z = ZSTD_createDStream();
	struct v9_blob out = { 0 };
	struct seen s = { 0 };
	uint64_t x = 1;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)((x = x * UINT64_C(6364136223846793005) + 1) >> 56);
	for (size_t at = 0; at < sizeof(bytes); at += h.size)
		memcpy(bytes + at, &h, sizeof(h));
	tap_eq(v9_pack_run(bytes, sizeof(bytes)), 32 << 10, "run_of_many");
	tap_eq(v9_pack_run(bytes, 4096), 4096, "run_of_one");
	v9_pack_add(p, bytes, 32 << 10, &out);
	tap_ok(unpack(z, out.data + sizeof(h), out.len - sizeof(h), &s) && s.unpacked == 8,
	       "run_that_does_not_shrink");
	v9_blob_free(&out);
	v9_pack_section(p, &out);
	tap_ok(out.len == 20 && !memcmp(out.data + 16, &(uint32_t){ 64 << 10 }, 4), "section");
	h.size = 32776;
	memcpy(bytes, &h, sizeof(h));
	tap_eq(v9_pack_run(bytes, sizeof(bytes)), 0, "too_large_for_a_run");
	h = (struct pd_event_header){ .type = PERF_RECORD_AUX, .size = 4096 };
	memcpy(bytes + 8192, &h, sizeof(h));
	h.type = PERF_RECORD_COMM;
	memcpy(bytes, &h, sizeof(h));
	tap_ok(v9_pack_run(bytes, sizeof(bytes)) == 8192 &&
	       !v9_pack_run(bytes + 8192, sizeof(bytes) - 8192), "run_ends_at_what_perf_looks_up");
	v9_blob_free(&out);
	ZSTD_freeDStream(z);
	v9_pack_delete(p);
}

/* An event that was opened again has one more id: attributes refer to all, after the sections. */
static void test_more_ids(void)
{
	static struct v9_instance more[3] = { { .id = 77 }, { .id = 78 }, { .id = 79 } };
	static struct v9_instance two[1] = { { .id = 80 } };
	static struct v9_event_spec events[2] = {
		{ .inst = more, .insts = 2 }, { .inst = two, .insts = 1 },
	};
	struct v9_blob sections[PD_FEATURE_BITS] = { 0 };
	struct pd_range ids[2];
	struct pd_header head;
	struct v9_writer w;
	uint64_t id[4] = { 0 };
	size_t size;
	char *text;

	room = PLENTY;
	events[0].attr.a.size = events[1].attr.a.size = PERF_ATTR_SIZE_VER7;
	v9_writer_open(&w, path, events, 2, 4096);
	put_record(&w, 48, 1);
	events[0].insts = 3;
	v9_blob_put(&sections[PD_HOSTNAME], "here", 5);
	tap_eq(v9_writer_finish(&w, sections), 0, "more_ids_written");
	v9_writer_close(&w);
	v9_blob_free(&sections[PD_HOSTNAME]);
	text = v9_read_file(path, &size);
	memcpy(&head, text, sizeof(head));
	for (int i = 0; i < 2; i++)
		memcpy(&ids[i], text + head.attrs.offset + (i + 1) * head.attr_size - sizeof(ids[i]),
		       sizeof(ids[i]));
	tap_ok(ids[0].size == 24 && ids[1].size == 8 && ids[1].offset + 8 == size, "more_ids_place");
	if (ids[1].offset == ids[0].offset + 24)
		memcpy(id, text + ids[0].offset, 32);
	tap_ok(id[0] == 77 && id[1] == 78 && id[2] == 79 && id[3] == 80, "more_ids");
	tap_ok(head.data.size == 48 && look().records == 1, "more_ids_same_records");
	free(text);
	unlink(path);
}

/* ---- two files */

/* perf's AUXTRACE types: 3 ETE, 4 SPE */
static const struct v9_aux_kind spe_kind = { .auxtrace = 4 }, ete_kind = { .auxtrace = 3 };
static struct v9_instance spe_ids[1] = { { .id = 20 } }, ete_ids[2] = { { .id = 10 }, { .id = 11 } },
			  other_ids[1] = { { .id = 30 } };
static struct v9_event_spec of_two[3] = {
	{ .inst = spe_ids, .insts = 1, .aux = &spe_kind }, { .inst = ete_ids, .insts = 2, .aux = &ete_kind },
	{ .inst = other_ids, .insts = 1 },
};

/* What the test reads of a half */
struct half_seen {
	struct pd_header head;
	uint64_t ids[4];	/* of its events, in their order; 0: there is none */
	char bytes[288];	/* behind the attributes */
	struct pd_range twin;	/* the last range behind the data, if bit 243 is set */
	uint8_t fills;		/* contents of its COMM records, as bits */
	uint64_t trace;		/* bytes of AUX data */
};

static struct half_seen see_half(const char *name)
{
	struct half_seen s = { .ids = { 0 } };
	struct pd_event_header h;
	struct pd_auxtrace aux;
	struct pd_range ids;
	size_t size, n = 0;
	char *b = v9_read_file(name, &size);
	uint64_t at, end;

	if (!b)
		return s;
	memcpy(&s.head, b, sizeof(s.head));
	for (at = s.head.attrs.offset; at < s.head.attrs.offset + s.head.attrs.size; at += s.head.attr_size) {
		memcpy(&ids, b + at + s.head.attr_size - sizeof(ids), sizeof(ids));
		memcpy(&s.ids[n], b + ids.offset, ids.size);
		n += ids.size / 8;
	}
	memcpy(s.bytes, b + at, sizeof(s.bytes));
	end = s.head.data.size ? s.head.data.offset + s.head.data.size : size;
	for (at = s.head.data.offset; at < end; at += h.size) {
		memcpy(&h, b + at, sizeof(h));
		if (h.type == PERF_RECORD_COMM)
			s.fills |= (uint8_t)(1 << b[at + h.size - 1]);
		if (h.type != PD_REC_AUXTRACE)
			continue;
		memcpy(&aux, b + at, sizeof(aux));
		s.trace += aux.size;
		at += aux.size;
	}
	s.twin = (struct pd_range){ 1, 1 };
	for (int bit = 0; end != size && bit < 243; bit++)
		end += s.head.features[bit / 64] >> bit % 64 & 1 ? 16 : 0;
	if (end != size && s.head.features[3] >> (243 - 192) & 1)
		memcpy(&s.twin, b + end, sizeof(s.twin));
	free(b);
	return s;
}

static void put_in(struct v9_writer *w, uint8_t fill)
{
	uint8_t rec[48];
	struct pd_event_header h = { .type = PERF_RECORD_COMM, .size = sizeof(rec) };

	memset(rec, fill, sizeof(rec));
	memcpy(rec, &h, sizeof(h));
	v9_writer_put(w, rec, sizeof(rec));
}

/* Each half has the events, records and AUX data of its unit, and all others. */
static void test_halves(void)
{
	struct v9_blob sections[PD_FEATURE_BITS] = { 0 };
	char *name = v9_format("%s.spe", path);
	struct pd_auxtrace aux = { .cpu = 1, .tid = ~0u };
	struct half_seen ete, spe;
	struct v9_writer w;
	uint64_t bytes;

	room = PLENTY;
	for (int i = 0; i < 3; i++)
		of_two[i].attr.a.size = PERF_ATTR_SIZE_VER7;
	tap_ok(v9_writer_has_twin(of_two, 3) && !v9_writer_has_twin(of_two, 1) &&
	       !v9_writer_has_twin(of_two + 1, 2), "two_units");
	tap_eq(v9_writer_open(&w, path, of_two, 3, 4096), 0, "halves_opened");
	put_record(&w, 48, 1);
	put_in(v9_writer_of(&w, &of_two[0]), 2);
	put_in(v9_writer_of(&w, &of_two[1]), 3);
	v9_writer_aux(v9_writer_of(&w, &of_two[0]), &aux, trace, 64, NULL, 0);
	v9_writer_aux(v9_writer_of(&w, &of_two[1]), &aux, trace, 128, NULL, 0);
	bytes = v9_writer_bytes(&w);
	v9_writer_flush(&w);
	/* As a recorder leaves them that is killed now */
	ete = see_half(path);
	spe = see_half(name);
	tap_ok(!ete.head.data.size && ete.ids[0] == 10 && ete.ids[1] == 11 && ete.ids[2] == 30, "events_of_ete");
	tap_ok(!spe.head.data.size && spe.ids[0] == 20 && spe.ids[1] == 30 && !spe.ids[2], "events_of_spe");
	tap_ok(ete.fills == (1 << 1 | 1 << 3) && ete.trace == 128, "records_of_ete");
	tap_ok(spe.fills == (1 << 1 | 1 << 2) && spe.trace == 64, "records_of_spe");
	tap_ok(!memcmp(ete.bytes, "TRAChalf\3\0\0\0\0\0\0\0", 16) && !strcmp(ete.bytes + 32, "file.spe"),
	       "link_of_ete");
	tap_ok(!memcmp(spe.bytes, "TRAChalf\4\0\0\0\0\0\0\0", 16) && !strcmp(spe.bytes + 32, "file"),
	       "link_of_spe");
	tap_ok(!memcmp(ete.bytes + 16, spe.bytes + 16, 16) && memcmp(ete.bytes + 16, trace, 16), "same_number");
	tap_eq(ete.head.data.offset, ete.head.attrs.offset + ete.head.attrs.size + 288, "data_behind_the_link");
	v9_blob_put(&sections[PD_HOSTNAME], "here", 5);
	tap_eq(v9_writer_finish(&w, sections), 0, "ete_finished");
	tap_eq(v9_writer_finish(w.twin, sections), 0, "spe_finished");
	spe = see_half(name);
	bytes -= ete.head.data.offset + spe.head.data.offset;
	ete = see_half(path);
	tap_ok(ete.head.data.size + spe.head.data.size == bytes && ete.trace == 128 && spe.fills == 6,
	       "halves_are_finished");
	tap_ok(!ete.twin.offset && !ete.twin.size && !spe.twin.offset && !spe.twin.size, "place_for_the_other");
	memcpy(ete.bytes, spe.bytes + 16, 16);
	v9_writer_close(&w);
	/* Another recording: the old files have a link to each other, and another number. */
	tap_eq(v9_writer_open(&w, path, of_two, 3, 4096), 0, "halves_again");
	spe = see_half(name);
	tap_ok(memcmp(ete.bytes, spe.bytes + 16, 16), "another_number");
	v9_writer_abandon(&w);
	spe = see_half(name);
	tap_ok(spe.fills == 6 && !memcmp(ete.bytes, spe.bytes + 16, 16), "both_are_brought_back");
	/* No room for the second one */
	room = ete.head.data.offset;
	tap_ok(v9_writer_open(&w, path, of_two, 3, 4096) == -ENOSPC && see_half(name).fills == 6 &&
	       see_half(path).trace == 128, "no_room_for_spe");
	/* A full disk stops both. */
	room = PLENTY;
	tap_eq(v9_writer_open(&w, path, of_two, 3, 4096), 0, "halves_once_more");
	room = 60;
	put_record(&w, 48, 1);
	tap_ok(v9_writer_flush(&w) == ENOSPC && !w.error && v9_writer_error(&w) == ENOSPC &&
	       w.twin->lost_records == 1, "one_is_full");
	v9_writer_close(&w);
	v9_blob_free(&sections[PD_HOSTNAME]);
	unlink(name);
	free(name);
}

static bool is_there(const char *name, const char *suffix)
{
	char *file = v9_format("%s%s", name, suffix);
	const bool is = !access(file, F_OK);

	free(file);
	return is;
}

static void make_file(const char *name, const char *suffix)
{
	char *file = v9_format("%s%s", name, suffix);
	FILE *f = fopen(file, "w");

	if (f)
		fclose(f);
	free(file);
}

/* --switch-output of two units: both files get a name, and are removed, together. */
static void test_switch(void)
{
	struct v9_switch_output s = { .on = true, .twin = true, .most = 1 };
	char *first = NULL;

	for (int i = 0; i < 2; i++) {
		const char *name;

		make_file(path, "");
		make_file(path, ".spe");
		name = v9_switch_name(&s, path, path);
		tap_ok(name && is_there(name, "") && is_there(name, ".spe") && !is_there(path, "") &&
		       !is_there(path, ".spe"), "renamed_%d", i);
		if (first)
			tap_ok(!is_there(first, "") && !is_there(first, ".spe") && s.removed == 1, "removed");
		else
			first = v9_strdup(name ? name : "");
	}
	/* One unit: what has that name is not touched. */
	s.twin = false;
	make_file(path, "");
	make_file(path, ".spe");
	tap_ok(v9_switch_name(&s, path, path) && is_there(path, ".spe"), "one_file_alone");
	v9_switch_free(&s);
	unlink(path);
	free(first);
}

static void test_old_file(void)
{
	char *old = v9_format("%s.old", path);
	struct v9_writer w;

	unlink(old);
	write_all(&w, PLENTY, PLENTY);
	v9_writer_close(&w);
	tap_ok(!v9_writer_open(&w, path, &event, 1, 4096) && !access(old, F_OK), "old_moved");
	v9_writer_abandon(&w);
	tap_ok(access(old, F_OK) && look().records == 6, "old_brought_back");
	room = 20;
	tap_ok(v9_writer_open(&w, path, &event, 1, 4096) == -ENOSPC && look().records == 6,
	       "no_room_to_begin");
	tap_remove(dir);
	free(old);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/file", dir);
	messages_begin();
	test_whole();
	test_full_disk();
	test_packed();
	test_pack_runs();
	test_more_ids();
	test_halves();
	test_switch();
	test_old_file();
	messages_are("record_writer", dir);
	return tap_done();
}
