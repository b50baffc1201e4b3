// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "code.h"

#define FUNCTIONS_MAX	4096		/* of a program; the verifier permits 256 */
#define CODE_MAX	(32u << 20)	/* bytes of a program */

static int call(int what, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, what, attr, sizeof(*attr));
}

static int get_info(int fd, struct bpf_prog_info *info)
{
	union bpf_attr attr = { .info.bpf_fd = (uint32_t)fd, .info.info_len = sizeof(*info),
				.info.info = (uintptr_t)info };

	return call(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

/* @bytes: code of all functions, one after the other */
static bool add(struct v9_bpf *b, uint32_t id, uint64_t time, const struct bpf_prog_info *info,
		const uint8_t *bytes, const uint64_t *addr, const uint32_t *size)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < info->nr_jited_ksyms; i++)
		sum += size[i];
	/* Addresses are 0 without the privilege to see them. */
	if (!info->nr_jited_ksyms || !addr[0] || sum > info->jited_prog_len)
		return false;
	for (uint32_t i = 0; i < info->nr_jited_ksyms; i++) {
		struct v9_bpf_code *c;

		b->code = v9_realloc(b->code, (size_t)(b->n + 1) * sizeof(*b->code));
		c = &b->code[b->n++];
		*c = (struct v9_bpf_code){ addr[i], time, id, size[i], v9_alloc(size[i] + 1) };
		memcpy(c->bytes, bytes, size[i]);
		bytes += size[i];
		b->bytes += size[i];
	}
	return true;
}

static bool read_code(struct v9_bpf *b, uint32_t id, uint64_t time, int fd)
{
	struct bpf_prog_info info = { .type = 0 }, again = { .type = 0 };
	uint8_t *bytes;
	uint64_t *addr;
	uint32_t *size;
	bool ok;

	if (get_info(fd, &info) || !info.jited_prog_len || info.jited_prog_len > CODE_MAX ||
	    info.nr_jited_ksyms > FUNCTIONS_MAX || info.nr_jited_func_lens != info.nr_jited_ksyms)
		return false;
	bytes = v9_alloc(info.jited_prog_len);
	addr = v9_alloc((info.nr_jited_ksyms + 1) * sizeof(*addr));
	size = v9_alloc((info.nr_jited_ksyms + 1) * sizeof(*size));
	again.jited_prog_len = info.jited_prog_len;
	again.jited_prog_insns = (uintptr_t)bytes;
	again.nr_jited_ksyms = again.nr_jited_func_lens = info.nr_jited_ksyms;
	again.jited_ksyms = (uintptr_t)addr;
	again.jited_func_lens = (uintptr_t)size;
	ok = !get_info(fd, &again) && again.jited_prog_len == info.jited_prog_len &&
	     again.nr_jited_ksyms == info.nr_jited_ksyms && add(b, id, time, &info, bytes, addr, size);
	free(bytes);
	free(addr);
	free(size);
	return ok;
}

void v9_bpf_read(struct v9_bpf *b, uint32_t id, uint64_t time)
{
	union bpf_attr attr = { .prog_id = id };
	int fd;

	if (!b->wanted)
		return;
	if (b->bytes > PD_CODE_ALL_MAX / 4) {
		b->unstored++;
		return;
	}
	fd = call(BPF_PROG_GET_FD_BY_ID, &attr);
	if (fd < 0 || !read_code(b, id, time, fd))
		b->unread++;
	if (fd >= 0)
		close(fd);
}

void v9_bpf_read_all(struct v9_bpf *b)
{
	union bpf_attr attr = { .start_id = 0 };

	while (b->wanted && !call(BPF_PROG_GET_NEXT_ID, &attr)) {
		const uint32_t id = attr.next_id;

		v9_bpf_read(b, id, 0);
		memset(&attr, 0, sizeof(attr));
		attr.start_id = id;
	}
}

uint32_t v9_bpf_size(const struct v9_bpf *b, uint64_t addr)
{
	for (int i = 0; i < b->n; i++)
		if (b->code[i].addr == addr)
			return b->code[i].size;
	return 0;
}

void v9_bpf_put(struct v9_bpf *b, struct v9_blob *out, uint64_t *left)
{
	for (int i = 0; i < b->n; i++) {
		const struct v9_bpf_code *c = &b->code[i];
		const struct pd_bpf head = { .time = c->time, .id = c->id };
		struct v9_blob part = { 0 };

		if (c->size + sizeof(head) > *left) {
			b->unstored++;
			continue;
		}
		v9_blob_put(&part, &head, sizeof(head));
		v9_blob_put(&part, c->bytes, c->size);
		v9_code_part(out, PD_CODE_BPF, c->addr, part.data, part.len);
		*left -= part.len;
		v9_blob_free(&part);
	}
}

void v9_bpf_free(struct v9_bpf *b)
{
	for (int i = 0; i < b->n; i++)
		free(b->code[i].bytes);
	free(b->code);
	*b = (struct v9_bpf){ .wanted = false };
}
