// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes files as other programs write them: perf from 3.2 on, of other architectures and in pipe mode,
 * simpleperf, and files that are no captures.
 *
 *	mkforeign DIR	DIR/foreign-NAME.data; cut-NAME-N.data are beginnings of N bytes
 */
#include "capture.h"

/* Types of AUXTRACE_INFO; the last one is of no unit yet */
enum { AUX_INTEL_PT = 1, AUX_INTEL_BTS, AUX_CS_ETM, AUX_SPE, AUX_S390, AUX_HISI_PTT, AUX_VPA, AUX_LATER = 77 };

static const struct shape {
	const char *name, *magic, *arch;
	uint32_t header, attr;		/* sizes */
	uint32_t aux;			/* AUX_*; 0: no AUX area */
	bool big, piped, packed, meta;	/* meta: the sections of simpleperf */
} shapes[] = {
	/* Linux 3.2: 72 bytes of attributes, no AUX area; 64 is the first size of all */
	{ "perf-3.2", "PERFILE2", "x86_64", 104, 72 },
	{ "perf-3.2-arm", "PERFILE2", "armv7l", 104, 72 },
	{ "perf-2.6", "PERFILE2", "i686", 104, 64 },
	{ "perf-no-arch", "PERFILE2", NULL, 104, 96 },
	{ "perf-short-header", "PERFILE2", "x86_64", 72, 64 },
	{ "perf-first", "PERFFILE", NULL, 104, 64 },
	{ "perf-cycles", "PERFILE2", "aarch64", 104, 112 },
	/* each later size of struct perf_event_attr, up to that of Linux 7.x and one to come */
	{ "spe-64", "PERFILE2", "aarch64", 104, 64, AUX_SPE },
	{ "spe-72", "PERFILE2", "aarch64", 104, 72, AUX_SPE },
	{ "spe-80", "PERFILE2", "aarch64", 104, 80, AUX_SPE },
	{ "spe-96", "PERFILE2", "aarch64", 104, 96, AUX_SPE },
	{ "spe-104", "PERFILE2", "aarch64", 104, 104, AUX_SPE },
	{ "spe-112", "PERFILE2", "aarch64", 104, 112, AUX_SPE },
	{ "spe-120", "PERFILE2", "aarch64", 104, 120, AUX_SPE },
	{ "spe-128", "PERFILE2", "aarch64", 104, 128, AUX_SPE },
	{ "spe-136", "PERFILE2", "aarch64", 104, 136, AUX_SPE },
	{ "spe-144", "PERFILE2", "aarch64", 104, 144, AUX_SPE },
	{ "spe-200", "PERFILE2", "aarch64", 104, 200, AUX_SPE },
	{ "spe-piped-64", "PERFILE2", "aarch64", 16, 64, AUX_SPE, .piped = true },
	{ "spe-piped-136", "PERFILE2", "aarch64", 16, 136, AUX_SPE, .piped = true },
	{ "spe-piped-144", "PERFILE2", "aarch64", 16, 144, AUX_SPE, .piped = true },
	{ "spe-packed", "PERFILE2", "aarch64", 104, 136, AUX_SPE, .packed = true },
	{ "spe-piped-packed", "PERFILE2", "aarch64", 16, 136, AUX_SPE, .piped = true, .packed = true },
	{ "spe-simpleperf", "PERFILE2", "aarch64", 104, 120, AUX_SPE, .meta = true },
	/* other units, other machines */
	{ "intel-pt", "PERFILE2", "x86_64", 104, 136, AUX_INTEL_PT },
	{ "intel-pt-piped", "PERFILE2", "x86_64", 16, 136, AUX_INTEL_PT, .piped = true },
	{ "intel-bts", "PERFILE2", "x86_64", 104, 112, AUX_INTEL_BTS },
	{ "s390", "PERFILE2", "s390x", 104, 128, AUX_S390, .big = true },
	{ "s390-piped", "PERFILE2", "s390x", 16, 128, AUX_S390, .big = true, .piped = true },
	{ "powerpc", "PERFILE2", "ppc64le", 104, 136, AUX_VPA },
	{ "riscv", "PERFILE2", "riscv64", 104, 136 },
	{ "hisi-ptt", "PERFILE2", "aarch64", 104, 136, AUX_HISI_PTT },
	{ "hisi-ptt-piped", "PERFILE2", "aarch64", 16, 136, AUX_HISI_PTT, .piped = true },
	{ "cs-etm-no-units", "PERFILE2", "aarch64", 104, 136, AUX_CS_ETM },
	{ "later-unit", "PERFILE2", "aarch64", 104, 144, AUX_LATER },
	{ "simpleperf", "PERFILE2", "aarch64", 104, 120, .meta = true },
	{ "simpleperf-arm", "PERFILE2", "armv8l", 104, 112, .meta = true },
};

struct file {
	uint8_t *b;
	size_t n;
	bool big;
};

static void put(struct file *f, const void *p, size_t n)
{
	f->b = realloc(f->b, f->n + n + 1);
	if (p)
		memcpy(f->b + f->n, p, n);
	else
		memset(f->b + f->n, 0, n);
	f->n += n;
}

/* @v in @n bytes, in the order of the file, at @at, or behind all */
static void set(struct file *f, size_t at, uint64_t v, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		f->b[at + i] = (uint8_t)(v >> 8 * (f->big ? n - 1 - i : i));
}

static void number(struct file *f, uint64_t v, unsigned int n)
{
	put(f, NULL, n);
	set(f, f->n - n, v, n);
}

static size_t begin(struct file *f, uint32_t type, uint16_t misc)
{
	number(f, type, 4);
	number(f, misc, 2);
	number(f, 0, 2);
	return f->n - 8;
}

static void end(struct file *f, size_t at)
{
	put(f, NULL, -(f->n - at) & 7);
	set(f, at + 6, f->n - at, 2);
}

/* Fields of samples: IP, TID, TIME, CPU, PERIOD. No id, as of one event */
#define FIELDS	(1 | 2 | 4 | 0x80 | 0x100)

/* struct perf_event_attr: type, size, config, period, sample_type, read_format, flags; the rest is 0. */
static void attr(struct file *f, const struct shape *s)
{
	const size_t at = f->n;

	number(f, s->aux == AUX_SPE ? 9 : 0, 4);
	number(f, s->attr, 4);
	number(f, 0, 8);
	number(f, 4096, 8);
	number(f, FIELDS, 8);
	number(f, 0, 8);
	/* sample_id_all is bit 18 from the lowest bit on, and from the highest where the order is big. */
	number(f, s->big ? 1ull << 45 : 1ull << 18, 8);
	put(f, NULL, s->attr - (f->n - at));
}

/* The fields of a record that say of what it is */
static void of(struct file *f, uint32_t tid, uint64_t time)
{
	number(f, 100, 4);
	number(f, tid, 4);
	number(f, time, 8);
	number(f, 0, 8);
}

static void records(struct file *f, const struct shape *s)
{
	size_t at;

	if (s->aux) {
		at = begin(f, PD_REC_AUXTRACE_INFO, 0);
		number(f, s->aux, 4);
		number(f, 0, 4);
		number(f, s->aux == AUX_CS_ETM ? 1 : 9, 8);
		number(f, 1, 8);
		number(f, 0, 8);
		end(f, at);
	}
	at = begin(f, PERF_RECORD_COMM, 0);
	number(f, 100, 4);
	number(f, 100, 4);
	put(f, "work\0\0\0", 8);
	of(f, 100, 1000);
	end(f, at);
	at = begin(f, PERF_RECORD_MMAP, 2);
	number(f, 100, 4);
	number(f, 100, 4);
	number(f, 0x400000, 8);
	number(f, 0x1000, 8);
	number(f, 0, 8);
	put(f, "/bin/work\0\0\0\0\0\0", 16);
	of(f, 100, 1001);
	end(f, at);
	for (unsigned int i = 0; i < 2 && s->aux != AUX_SPE; i++) {
		at = begin(f, PERF_RECORD_SAMPLE, 2);
		number(f, 0x400010 + 4 * i, 8);
		of(f, 100, 1002 + i);
		number(f, 4096, 8);
		end(f, at);
	}
	if (s->aux) {
		static const uint8_t spe[64] = { 0xb0, 0x10, 0, 0x40, [8] = 0x80, 0x49, 0, 0x52, 2, 0,
			0x98, 20, 0, 0x71, 232, 3 };

		at = begin(f, PERF_RECORD_AUX, 0);
		number(f, 0, 8);
		number(f, 64, 8);
		number(f, 0, 8);
		of(f, 100, 1004);
		end(f, at);
		at = begin(f, PD_REC_AUXTRACE, 0);
		number(f, 64, 8);
		number(f, 0, 8);
		number(f, 0, 8);
		number(f, 0, 4);
		number(f, 100, 4);
		number(f, 0, 4);
		number(f, 0, 4);
		end(f, at);
		put(f, spe, sizeof(spe));
	}
}

/* Packs the records from @from to @to into one, as one frame of zstd that goes on: blocks without packing */
static void pack(struct file *f, size_t from, size_t to)
{
	struct file all = *f;
	size_t at;

	f->b = NULL;
	f->n = 0;
	put(f, all.b, from);
	at = begin(f, PD_REC_COMPRESSED, 0);
	put(f, "\x28\xb5\x2f\xfd\x00\x58", 6);		/* a window of 2 MiB; no size */
	number(f, (to - from) << 3, 3);
	put(f, all.b + from, to - from);
	/* Records of this type have no padding: empty blocks up to a multiple of 8 */
	while ((f->n - at) % 8)
		number(f, 0, 3);
	end(f, at);
	put(f, all.b + to, all.n - to);
	free(all.b);
}

static void text(struct file *f, const char *s)
{
	number(f, 64, 4);
	put(f, s, strlen(s));
	put(f, NULL, 64 - strlen(s));
}

static void sections(struct file *f, const struct shape *s)
{
	const struct { unsigned int bit; const char *text; } all[] = {
		{ PD_ARCH, s->arch }, { PD_COMPRESSED, s->packed ? "" : NULL },
		{ 129, s->meta ? "simpleperf_version\0001.build\0" : NULL },
	};
	const size_t table = f->n;
	size_t nr = 0;

	for (size_t i = 0; i < 3; i++)
		nr += all[i].text != NULL;
	put(f, NULL, 16 * nr);
	nr = 0;
	for (size_t i = 0; i < 3; i++) {
		const size_t from = f->n;

		if (!all[i].text)
			continue;
		if (all[i].bit == PD_COMPRESSED) {
			const uint32_t words[] = { 1, 1, 1, 2, 1 << 19 };

			for (unsigned int k = 0; k < 5; k++)
				number(f, words[k], 4);
		} else if (all[i].bit == PD_ARCH) {
			text(f, all[i].text);
		} else {
			put(f, all[i].text, 27);
		}
		set(f, table + 16 * nr, from, 8);
		set(f, table + 16 * nr++ + 8, f->n - from, 8);
		/* Words of 64 bits */
		f->b[72 + (s->big ? all[i].bit / 8 ^ 7 : all[i].bit / 8)] |= (uint8_t)(1 << all[i].bit % 8);
	}
}

/* A record with a section, as in pipe mode */
static void feature(struct file *f, unsigned int bit, const struct shape *s)
{
	const size_t at = begin(f, PD_REC_HEADER_FEATURE, 0);

	number(f, bit, 8);
	if (bit == PD_ARCH)
		text(f, s->arch);
	else
		for (unsigned int k = 0; k < 5; k++)
			number(f, (const uint32_t []){ 1, 1, 1, 2, 1 << 19 }[k], 4);
	end(f, at);
}

static void make(struct file *f, const struct shape *s)
{
	static const char backward[] = "2ELIFREP";
	size_t at, from;

	free(f->b);
	*f = (struct file){ .big = s->big };
	put(f, s->big ? backward : s->magic, 8);
	number(f, s->header, 8);
	if (s->piped) {
		at = begin(f, PD_REC_HEADER_ATTR, 0);
		attr(f, s);
		number(f, 100, 8);
		end(f, at);
		feature(f, PD_ARCH, s);
		if (s->packed)
			feature(f, PD_COMPRESSED, s);
		from = f->n;
		records(f, s);
	} else {
		put(f, NULL, s->header - 16);
		set(f, 16, s->attr + 16, 8);
		set(f, 24, s->header, 8);
		set(f, 32, s->attr + 16, 8);
		set(f, 40, s->header + s->attr + 16, 8);
		attr(f, s);
		number(f, 0, 8);	/* no ids */
		number(f, 0, 8);
		from = f->n;
		records(f, s);
		set(f, 48, f->n - from, 8);
	}
	if (s->packed) {
		/* Behind AUXTRACE_INFO, before AUXTRACE and its bytes */
		pack(f, from + 40, f->n - 64 - 48);
		if (!s->piped)
			set(f, 48, f->n - from, 8);
	}
	if (!s->piped && s->header == 104)
		sections(f, s);
}

static void write_at(const char *dir, const char *kind, const char *name, const void *p, size_t n)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s-%s.data", dir, kind, name);
	if (cap_write(path, p, n))
		exit(1);
}

int main(int argc, char **argv)
{
	static const struct { const char *name, *bytes; } others[] = {
		{ "zstd", "\x28\xb5\x2f\xfd" }, { "gzip", "\x1f\x8b\x08" }, { "xz", "\xfd" "7zXZ" },
		{ "lz4", "\x04\x22\x4d\x18" }, { "bzip2", "BZh9" }, { "zip", "PK\3\4" }, { "elf", "\x7f" "ELF" },
		{ "trace-cmd", "\x17\x08\x44tracing" }, { "simpleperf-report", "SIMPLEPERF" },
		{ "jitdump", "DTiJ" }, { "text", "# a profile as text\n" }, { "zeros", "" },
	};
	static struct file f;

	if (argc != 2)
		return 2;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		const struct shape *s = &shapes[i];
		const size_t places[] = { 8, 16, 40, 104, 130, 200, 280, 360 };

		make(&f, s);
		write_at(argv[1], "foreign", s->name, f.b, f.n);
		if (strcmp(s->name, "perf-3.2") && strcmp(s->name, "intel-pt-piped") &&
		    strcmp(s->name, "spe-136") && strcmp(s->name, "spe-piped-136") && strcmp(s->name, "s390") &&
		    strcmp(s->name, "spe-piped-packed") && strcmp(s->name, "simpleperf"))
			continue;
		for (size_t k = 0; k < sizeof(places) / sizeof(*places); k++) {
			char name[64];

			snprintf(name, sizeof(name), "%s-%zu", s->name, places[k]);
			write_at(argv[1], "cut", name, f.b, places[k] < f.n ? places[k] : f.n);
		}
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		uint8_t bytes[256] = { 0 };

		memcpy(bytes, others[i].bytes, strlen(others[i].bytes));
		write_at(argv[1], "foreign", others[i].name, bytes, sizeof(bytes));
	}
	free(f.b);
	return 0;
}
