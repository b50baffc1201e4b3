// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FLUSH_AT (256 << 10)

/* Returns the number of bytes written; sets w->error if it is not all. */
static size_t write_pieces(struct v9_writer *w, struct iovec *piece, int n)
{
	size_t done = 0;

	while (n) {
		ssize_t got = writev(w->fd, piece, n);

		if (got < 0) {
			if (errno == EINTR)
				continue;
			w->error = errno;
			break;
		}
		done += got;
		while (n && (size_t)got >= piece->iov_len) {
			got -= piece->iov_len;
			piece++;
			n--;
		}
		if (n) {
			piece->iov_base = (char *)piece->iov_base + got;
			piece->iov_len -= got;
		}
	}
	return done;
}

/* Truncate the file after its last whole record. @wanted: bytes that are not written. */
static void cut(struct v9_writer *w, uint64_t wanted)
{
	w->unwritten += wanted;
	if (ftruncate(w->fd, w->pos) || lseek(w->fd, w->pos, SEEK_SET) < 0)
		v9_warn("%s: the last record is not whole: %s", w->path, strerror(errno));
}

/* Count a record that is not written. Records of the recorder's own types are not counted. */
static void lose(struct v9_writer *w, const void *record)
{
	struct perf_event_header h;

	memcpy(&h, record, sizeof(h));
	w->lost_records += h.type < PD_REC_HEADER_ATTR;
}

void v9_writer_pack(struct v9_writer *w, int level)
{
	for (; w; w = w->twin)
		w->pack = v9_pack_new(level);
}

/* Returns the buffer to write: w->buf, or its compressed form. */
static const struct v9_blob *pack(struct v9_writer *w)
{
	size_t at = 0, n;

	if (!w->pack)
		return &w->buf;
	w->packed.len = 0;
	w->ends.len = 0;
	while (at < w->buf.len) {
		const struct pd_event_header *h = (void *)(w->buf.data + at);

		n = v9_pack_run(w->buf.data + at, w->buf.len - at);
		if (n)
			v9_pack_add(w->pack, w->buf.data + at, n, &w->packed);
		else
			v9_blob_put(&w->packed, h, n = h->size);
		at += n;
		v9_blob_put(&w->ends, &(struct v9_packed_end){ at, w->packed.len },
			    sizeof(struct v9_packed_end));
	}
	return &w->packed;
}

/* Of @done written bytes, the number that are whole records. The other records are lost. */
static size_t keep_whole(struct v9_writer *w, size_t done)
{
	const struct v9_packed_end *packed = (const void *)w->ends.data;
	size_t whole = 0;

	/* The buffer has no AUXTRACE, so header.size is the size of each record. */
	for (size_t at = 0; at < w->buf.len; ) {
		const struct pd_event_header *h = (void *)(w->buf.data + at);
		size_t end;

		at += h->size;
		while (w->pack && packed->record < at)
			packed++;
		end = w->pack ? packed->out : at;
		if (end <= done)
			whole = end;
		else
			lose(w, h);
	}
	return whole;
}

static int flush_one(struct v9_writer *w)
{
	const struct v9_blob *out;
	struct iovec piece;
	size_t done;

	if (w->error || !w->buf.len)
		return w->error;
	out = pack(w);
	piece = (struct iovec){ out->data, out->len };
	done = write_pieces(w, &piece, 1);
	if (w->error) {
		const size_t whole = keep_whole(w, done);

		w->pos += whole;
		cut(w, out->len - whole);
	} else {
		w->pos += done;
	}
	w->buf.len = 0;
	return w->error;
}

int v9_writer_flush(struct v9_writer *w)
{
	for (struct v9_writer *one = w; one; one = one->twin)
		flush_one(one);
	return v9_writer_error(w);
}

int v9_writer_error(const struct v9_writer *w)
{
	return w->error || !w->twin ? w->error : w->twin->error;
}

uint64_t v9_writer_bytes(const struct v9_writer *w)
{
	uint64_t n = 0;

	for (; w; w = w->twin)
		n += w->pos + w->buf.len;
	return n;
}

int v9_writer_put(struct v9_writer *w, const void *record, size_t size)
{
	if (w->other.record) {
		w->other.record(w->other.arg, record, size);
		return 0;
	}
	if (w->error) {
		w->unwritten += size;
		lose(w, record);
		return w->error;
	}
	v9_blob_put(&w->buf, record, size);
	return w->buf.len < FLUSH_AT ? 0 : flush_one(w);
}

void v9_writer_record(struct v9_writer *w, const void *record, size_t size)
{
	for (; w; w = w->twin)
		v9_writer_put(w, record, size);
}

int v9_writer_aux(struct v9_writer *w, struct pd_auxtrace *aux, const uint8_t *a, size_t na,
		  const uint8_t *b, size_t nb)
{
	static const uint8_t zero[8];
	size_t pad = -(na + nb) & 7, before, done;
	uint64_t size = sizeof(*aux) + na + nb + pad;
	const struct v9_blob *out;

	if (w->other.record) {
		w->other.aux(w->other.arg, aux, a, na, b, nb);
		return 0;
	}
	if (w->error) {
		w->unwritten += size;
		return w->error;
	}
	aux->header = (struct pd_event_header){ .type = PD_REC_AUXTRACE, .size = sizeof(*aux) };
	aux->size = na + nb + pad;
	/* Write the buffered records and the AUX data with one call. */
	out = pack(w);
	before = w->buf.len ? out->len : 0;
	done = write_pieces(w, (struct iovec[]){
		{ out->data, before }, { aux, sizeof(*aux) }, { (void *)a, na }, { (void *)b, nb },
		{ (void *)zero, pad },
	}, 5);
	if (w->error) {
		const size_t whole = keep_whole(w, done);

		w->pos += whole;
		w->buf.len = 0;
		cut(w, before - whole + size);
		return w->error;
	}
	w->pos += before;
	w->buf.len = 0;
	v9_blob_u64(&w->index, w->pos);
	v9_blob_u64(&w->index, sizeof(*aux));
	w->pos += size;
	return 0;
}

uint32_t v9_writer_attr_bytes(const struct v9_writer *w)
{
	uint32_t size = 0;

	for (int i = 0; i < w->evs; i++)
		if (v9_writer_takes(w, &w->ev[i]) && w->ev[i].attr.a.size > size)
			size = w->ev[i].attr.a.size;
	return size;
}

static uint64_t put_ids(const struct v9_writer *w, struct v9_blob *b)
{
	uint64_t n = 0;

	for (int i = 0; i < w->evs; i++) {
		if (!v9_writer_takes(w, &w->ev[i]))
			continue;
		for (int j = 0; j < w->ev[i].insts; j++)
			v9_blob_u64(b, w->ev[i].inst[j].id);
		n += (uint64_t)w->ev[i].insts;
	}
	return n;
}

static void put_events(struct v9_writer *w, struct v9_blob *b)
{
	uint64_t attr_size = v9_writer_attr_bytes(w);
	uint64_t ids = sizeof(w->head);

	w->ids = put_ids(w, b);
	w->head = (struct pd_header){
		.magic = PD_MAGIC,
		.size = sizeof(w->head),
		.attr_size = attr_size + sizeof(struct pd_range),
		.attrs.offset = sizeof(w->head) + b->len,
	};
	for (int i = 0; i < w->evs; i++) {
		union v9_attr attr = w->ev[i].attr;
		uint64_t size = w->ev[i].insts * sizeof(uint64_t);

		if (!v9_writer_takes(w, &w->ev[i]))
			continue;
		/* In the file all attributes have the same size. */
		attr.a.size = attr_size;
		v9_blob_put(b, &attr, attr_size);
		v9_blob_u64(b, ids);
		v9_blob_u64(b, size);
		ids += size;
	}
	w->head.attrs.size = sizeof(w->head) + b->len - w->head.attrs.offset;
	if (w->half.magic)
		v9_blob_put(b, &w->half, sizeof(w->half));
	w->head.data.offset = sizeof(w->head) + b->len;
}

static int keep_reserve(struct v9_writer *w, size_t bytes)
{
	char *name = v9_format("%s.XXXXXX", w->path);
	int err = 0;

	w->reserve = mkostemp(name, O_CLOEXEC);
	if (w->reserve >= 0) {
		unlink(name);
		err = posix_fallocate(w->reserve, 0, bytes);
	}
	free(name);
	return err == ENOSPC ? err : 0;
}

/* @old: the new name of an older file */
static int move_old(struct v9_writer *w, const char *old)
{
	struct stat st;

	if (stat(w->path, &st))
		return errno == ENOENT ? 0 : errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	if (!st.st_size)
		return 0;	/* empty: not kept */
	w->old = v9_strdup(old);
	if (!rename(w->path, w->old))
		return 0;
	free(w->old);
	w->old = NULL;
	return errno;
}

/* Opens one file. @half: of which all is set, or .magic is 0. Returns as v9_writer_open(). */
static int open_one(struct v9_writer *w, const char *path, const char *old, const struct v9_event_spec *ev,
		    int evs, size_t reserve, const struct pd_half *half)
{
	struct v9_blob events = { 0 };
	struct iovec piece[2];
	int err;

	*w = (struct v9_writer){ .path = v9_strdup(path), .fd = -1, .reserve = -1, .ev = ev, .evs = evs,
				 .half = *half };
	err = move_old(w, old);
	if (!err) {
		w->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		err = w->fd < 0 ? errno : 0;
	}
	if (!err) {
		put_events(w, &events);
		piece[0] = (struct iovec){ &w->head, sizeof(w->head) };
		piece[1] = (struct iovec){ events.data, events.len };
		w->pos = write_pieces(w, piece, 2);
		v9_blob_free(&events);
		err = w->error ? w->error : keep_reserve(w, reserve);
	}
	if (!err)
		return 0;
	v9_error("cannot write %s: %s", path,
		 err == EINVAL ? "not an ordinary file" : strerror(err));
	v9_writer_abandon(w);
	return -err;
}

bool v9_writer_has_twin(const struct v9_event_spec *ev, int evs)
{
	bool spe = false, ete = false;

	for (int i = 0; i < evs; i++) {
		spe |= ev[i].aux && ev[i].aux->auxtrace == PD_AUXTRACE_ARM_SPE;
		ete |= ev[i].aux && ev[i].aux->auxtrace == PD_AUXTRACE_CS_ETM;
	}
	return spe && ete;
}

static void name_twin(struct pd_half *half, uint32_t unit, const char *twin)
{
	half->unit = unit;
	memset(half->twin, 0, sizeof(half->twin));
	snprintf(half->twin, sizeof(half->twin), "%s", v9_base_name(twin));
}

/* The SPE half, with the random number of the ETE half @w */
static int open_twin(struct v9_writer *w, const char *path, size_t reserve)
{
	char *name = v9_format("%s" PD_TWIN_SUFFIX, path), *old = v9_format("%s.old" PD_TWIN_SUFFIX, path);
	struct v9_writer *twin = v9_alloc(sizeof(*twin));
	struct pd_half half = w->half;
	int ret;

	name_twin(&half, PD_AUXTRACE_ARM_SPE, path);
	ret = open_one(twin, name, old, w->ev, w->evs, reserve, &half);
	if (ret)
		free(twin);
	else
		w->twin = twin;
	free(name);
	free(old);
	return ret;
}

/* Returns 0, or prints an error and returns -errno. */
static int begin_half(struct pd_half *half, const char *path, const char *twin)
{
	half->magic = PD_HALF_MAGIC;
	name_twin(half, PD_AUXTRACE_CS_ETM, twin);
	if (getrandom(half->session, sizeof(half->session), 0) == sizeof(half->session))
		return 0;
	v9_error("cannot write %s: no random number: %s", path, strerror(errno));
	return -EIO;
}

int v9_writer_open(struct v9_writer *w, const char *path, const struct v9_event_spec *ev, int evs,
		   size_t reserve)
{
	char *old = v9_format("%s.old", path), *twin = v9_format("%s" PD_TWIN_SUFFIX, path);
	const bool two = v9_writer_has_twin(ev, evs);
	struct pd_half half = { .magic = 0 };
	int ret;

	ret = two ? begin_half(&half, path, twin) : 0;
	if (!ret)
		ret = open_one(w, path, old, ev, evs, reserve, &half);
	if (!ret && two) {
		ret = open_twin(w, path, reserve);
		if (ret)
			v9_writer_abandon(w);
	}
	free(old);
	free(twin);
	return ret;
}

/* The range of the other half is empty until v9trace join writes it. */
static bool is_present(const struct v9_writer *w, const struct v9_blob *sections, int bit)
{
	return sections[bit].len || (bit == PD_TWIN && w->half.magic);
}

/*
 * Write ranges and content of the sections below number @most. Returns 0, or errno with the file as
 * before.
 */
static int put_sections(struct v9_writer *w, const struct v9_blob *sections, int most)
{
	struct v9_blob table = { 0 }, body = { 0 };
	int present = 0, err;
	struct iovec piece[2];
	uint64_t at;

	for (int i = 0; i < most; i++)
		present += is_present(w, sections, i);
	at = w->pos + present * sizeof(struct pd_range);
	for (int i = 0; i < most; i++) {
		if (!is_present(w, sections, i))
			continue;
		w->head.features[i / 64] |= UINT64_C(1) << (i % 64);
		v9_blob_u64(&table, sections[i].len ? at + body.len : 0);
		v9_blob_u64(&table, sections[i].len);
		v9_blob_put(&body, sections[i].data, sections[i].len);
	}
	piece[0] = (struct iovec){ table.data, table.len };
	piece[1] = (struct iovec){ body.data, body.len };
	w->error = 0;
	write_pieces(w, piece, 2);
	err = w->error;
	if (err) {
		/* Keep the records, without sections. */
		memset(w->head.features, 0, sizeof(w->head.features));
		if (ftruncate(w->fd, w->pos) || lseek(w->fd, w->pos, SEEK_SET) < 0)
			err = errno;
	}
	v9_blob_free(&table);
	v9_blob_free(&body);
	return err;
}

/*
 * If events were opened during the recording, write all ids again, at the end of the file. Returns
 * 0 or errno.
 */
static int put_ids_again(struct v9_writer *w)
{
	struct v9_blob b = { 0 };
	uint64_t at = (uint64_t)lseek(w->fd, 0, SEEK_END), row = w->head.attrs.offset;
	struct pd_range ids = { .offset = at };
	int err = 0;

	if (put_ids(w, &b) != w->ids &&
	    pwrite(w->fd, b.data, b.len, (off_t)at) != (ssize_t)b.len)
		err = ENOSPC;
	for (int i = 0; !err && b.len != w->ids * sizeof(uint64_t) && i < w->evs; i++) {
		if (!v9_writer_takes(w, &w->ev[i]))
			continue;
		ids.size = (uint64_t)w->ev[i].insts * sizeof(uint64_t);
		row += w->head.attr_size;
		if (pwrite(w->fd, &ids, sizeof(ids), (off_t)(row - sizeof(ids))) !=
		    (ssize_t)sizeof(ids))
			err = EIO;
		ids.offset += ids.size;
	}
	v9_blob_free(&b);
	return err;
}

int v9_writer_finish(struct v9_writer *w, const struct v9_blob sections[PD_FEATURE_BITS])
{
	int ret;

	flush_one(w);
	if (w->reserve >= 0)
		close(w->reserve);
	w->reserve = -1;
	w->head.data.size = w->pos - w->head.data.offset;
	ret = -put_sections(w, sections, PD_FEATURE_BITS);
	/* PD_CODE is large. The others are small, and space was reserved for them. */
	if (ret && sections[PD_CODE].len)
		put_sections(w, sections, PD_CODE);
	ret = ret ? ret : -put_ids_again(w);
	if (pwrite(w->fd, &w->head, sizeof(w->head), 0) != (ssize_t)sizeof(w->head))
		ret = ret ? ret : -EIO;
	w->size = lseek(w->fd, 0, SEEK_END);
	/* Some file systems report only now that the disk is full. */
	if (close(w->fd))
		ret = ret ? ret : -errno;
	w->fd = -1;
	return ret;
}

void v9_writer_close(struct v9_writer *w)
{
	if (w->twin)
		v9_writer_close(w->twin);
	free(w->twin);
	if (w->fd >= 0)
		close(w->fd);
	if (w->reserve >= 0)
		close(w->reserve);
	v9_blob_free(&w->buf);
	v9_blob_free(&w->packed);
	v9_blob_free(&w->index);
	v9_pack_delete(w->pack);
	v9_blob_free(&w->ends);
	free(w->path);
	free(w->old);
	*w = (struct v9_writer){ .fd = -1, .reserve = -1 };
}

void v9_writer_abandon(struct v9_writer *w)
{
	for (const struct v9_writer *one = w; one; one = one->twin) {
		if (one->fd >= 0)
			unlink(one->path);
		if (one->old)
			rename(one->old, one->path);
	}
	v9_writer_close(w);
}
