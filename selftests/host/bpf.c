// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names and code of BPF programs at a time, from a typed capture. Two programs have the same
 * address, one after the other. Built with sanitizers.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <unistd.h>

#include "tap.h"
#include "capture.h"
#include "jitdump.h"

#include "../../tools/capture/lookup.h"

#define A	0xffff800081000100ull
#define B	0xffff800081000200ull
#define C	0xffff800081000300ull

static char path[] = "/tmp/bpf.XXXXXX";

/* KSYMBOL: address, size, type (1: BPF), flags (1: unregistered), name */
static void ksymbol(struct cap *c, uint64_t time, uint64_t addr, uint32_t size, unsigned int flags,
		    const char *name)
{
	uint8_t body[64] = { 0 };

	memcpy(body, &addr, 8);
	memcpy(body + 8, &size, 4);
	body[12] = 1;
	body[14] = (uint8_t)flags;
	strcpy((char *)body + 16, name);
	c->time = time;
	cap_record(c, PERF_RECORD_KSYMBOL, 0, body, 16 + strlen(name) + 1);
}

/* A part of kind 11, PD_CODE_BPF: time and id of the program, then its code, @n times @word */
static void part(struct cap *code, uint64_t addr, uint64_t time, uint32_t word, size_t n)
{
	struct cap body = { .n = 0 };

	cap_u64(&body, time);
	cap_u64(&body, 1);
	for (size_t i = 0; i < n; i++)
		cap_u32(&body, word);
	code_part(code, 11, addr, body.b, body.n);
	free(body.b);
}

int main(void)
{
	static const struct {
		const char *test;
		uint64_t time, addr;
		const char *name;
		uint32_t word;
		size_t left;
	} cases[] = {
		{ "there_before", 500, A, "bpf_prog_1111_early", 0x11, 16 },
		{ "its_last_word", 2000, A + 12, "bpf_prog_1111_early", 0x11, 4 },
		{ "its_end", 2000, A + 16, "", 0, 0 },
		{ "not_yet_loaded", 999, B, "", 0, 0 },
		{ "loaded", 1000, B, "bpf_prog_2222_one", 0x22, 12 },
		{ "until_unloaded", 1999, B + 4, "bpf_prog_2222_one", 0x22, 8 },
		{ "unloaded", 2000, B, "", 0, 0 },
		{ "another_at_its_address", 3000, B, "bpf_prog_3333_two", 0x33, 16 },
		{ "behind_the_shorter_one", 1500, B + 12, "", 0, 0 },
		{ "without_code", 3500, C, "bpf_prog_4444_gone", 0, 0 },
		{ "it_ended", 3600, C, "", 0, 0 },
		{ "part_of_none", 3000, C + 0x100, "", 0, 0 },
	};
	struct cap c = { .arch = "aarch64" }, code = { .n = 0 };
	struct v9_lookup look;
	struct v9_session s;
	struct v9_place place;
	int fd = mkstemp(path);

	close(fd);
	code_head(&code, 5);
	part(&code, B, 3010, 0x33, 4);		/* not in the order of time */
	part(&code, A, 0, 0x11, 4);
	part(&code, B, 1010, 0x22, 3);
	part(&code, C, 3510, 0x44, 1);		/* shorter than the symbol: not used */
	part(&code, C + 0x100, 10, 0x55, 1);
	cap_open(&c, CAP_SAMPLE);
	ksymbol(&c, 0, A, 16, 0, "bpf_prog_1111_early");
	ksymbol(&c, 1000, B, 12, 0, "bpf_prog_2222_one");
	ksymbol(&c, 2000, B, 12, 1, "bpf_prog_2222_one");
	ksymbol(&c, 3000, B, 16, 0, "bpf_prog_3333_two");
	ksymbol(&c, 3500, C, 16, 0, "bpf_prog_4444_gone");
	ksymbol(&c, 3600, C, 16, 1, "bpf_prog_4444_gone");
	ksymbol(&c, 100, 0x1000, 16, 0, "no_kernel_address");
	ksymbol(&c, 100, ~0ull - 7, 16, 0, "it_wraps");
	c.code = code.b;
	c.code_size = code.n;
	cap_close(&c);
	if (cap_write(path, c.b, c.n) || v9_session_open(&s, path, NULL))
		return 1;
	v9_lookup_init(&look, &s);
	tap_eq(s.syms.nr_bpf, 6, "symbols");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const uint8_t *p;
		uint32_t word = 0;
		size_t left = 0;

		v9_lookup_place(&look, 7, cases[i].time, cases[i].addr, &place);
		tap_ok(!strcmp(place.func ? place.func->name : "", cases[i].name), "name_%s", cases[i].test);
		if (*cases[i].name)
			tap_ok(!strcmp(place.dso_name, "bpf"), "object_%s", cases[i].test);
		p = v9_lookup_code(&look, 7, cases[i].time, cases[i].addr, &left);
		if (p)
			memcpy(&word, p, 4);
		tap_eq(word, cases[i].word, "code_%s", cases[i].test);
		tap_eq(left, cases[i].left, "bytes_%s", cases[i].test);
	}
	/*
	 * Decoders read code again after each change: a program was loaded, unloaded, another
	 * loaded.
	 */
	tap_ok(s.syms.nr_changes >= 3, "changes");
	v9_lookup_free(&look);
	v9_session_close(&s);
	free(c.b);
	free(code.b);
	unlink(path);
	return tap_done();
}
