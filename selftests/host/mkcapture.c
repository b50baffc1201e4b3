// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the capture and the program that host/report.sh reads: always the same.
 *
 *	mkcapture DIR       captures good, cut, corrupt ... .data, DIR/symfs/opt/work, DIR/kallsyms
 */
#include <elf.h>
#include <errno.h>
#include <sys/stat.h>

#include "capture.h"
#include "jitdump.h"

#define KERNEL_TEXT	0xffff800080010000ull
#define CODE_OFFSET	0x1000		/* of the code, in file and in memory */
#define CODE_SIZE	0x1000
#define PROGRAM		0xaaaac0000000ull
#define MIDR_N2		0x410fd490
#define MIDR_AMPERE1A	0xc00fac40

static const uint8_t id[20] = { 0xde, 0xad, 0xbe, 0xef, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
				17, 18, 19, 20 };

static const struct {
	struct pd_counts head;
	struct pd_count count[4];
} counts = {
	{ .version = 1, .count = 4, .starts = 2, .interval = 4096 },
	{ { .event = 0x4002, .value = 42 }, { .event = 0x4001, .value = 50 },
	  { .event = 0x4003, .state = PD_COUNT_SHARED }, { .event = 0x400c } },
};

#define FUNCS 7

struct func {
	const char *name;
	uint64_t at, size;
	uint8_t type;
};

static const struct func program[FUNCS] = {
	{ "compress", 0x1000, 0x400, STT_FUNC },
	{ "match", 0x1400, 0x200, STT_FUNC },
	{ "_start", 0x1800, 0, STT_NOTYPE },
	{ "$x", 0x1000, 0, STT_NOTYPE },
	{ "counters", 0x1c00, 0x10, STT_OBJECT },
	{ "table", 0x1c80, 0x40, STT_OBJECT },
	{ "limits", 0x900, 0x10, STT_OBJECT },
};

#define LINKED 0xffff800008000000ull	/* link address of the kernel, without KASLR */

static const struct func kernel[FUNCS] = {
	{ "_text", LINKED, 0, STT_NOTYPE },
	{ "vfs_read", LINKED, 0x1000, STT_FUNC },
	{ "copy_page", LINKED + 0x1000, 0x1000, STT_FUNC },
	{ "_etext", LINKED + 0x2000, 0, STT_NOTYPE },
	{ "jiffies", LINKED + 0x3000, 8, STT_OBJECT },
	{ "init_task", LINKED + 0x3100, 0x100, STT_OBJECT },
	{ "hz", LINKED + 0x3200, 4, STT_OBJECT },
};

/* The code of the program, for traces (mktrace.c) */
static const struct { uint16_t at; uint32_t op; } code[] = {
	{ 0x1000, 0xd503201f },		/* compress: NOP */
	{ 0x1004, 0xd503201f },		/* NOP */
	{ 0x1008, 0x940000fe },		/* BL	match */
	{ 0x100c, 0x54ffffa0 },		/* B.EQ	compress */
	{ 0x1010, 0xd65f03c0 },		/* RET */
	{ 0x1400, 0xd503201f },		/* match: NOP */
	{ 0x1404, 0xd4000001 },		/* SVC */
	{ 0x1408, 0xd503201f },		/* NOP */
	{ 0x140c, 0xd65f03c0 },		/* RET */
	{ 0x1800, 0x97fffe00 },		/* _start: BL compress */
	{ 0x1804, 0x17ffffff },		/* B	_start */
};

static uint8_t program_bytes[0x3000];	/* the last one */

#define SYMTAB_TYPE	(0x2400 + 2 * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_type))

/* An ELF file with a build-id and these functions. */
static void make_program(const char *path, uint8_t first_id_byte, const struct func funcs[FUNCS])
{
	static const char names[] = "\0.text\0.symtab\0.strtab\0.note\0.shstrtab";
	char strings[64] = "";
	size_t end = 1;
	uint8_t *file = program_bytes;
	Elf64_Ehdr *eh = (Elf64_Ehdr *)file;
	Elf64_Phdr *ph = (Elf64_Phdr *)(file + sizeof(*eh));
	Elf64_Sym *sym = (Elf64_Sym *)(file + 0x2100);
	Elf64_Shdr *sh = (Elf64_Shdr *)(file + 0x2400);
	const Elf64_Nhdr note = { 4, sizeof(id), 3 };

	memset(file, 0, sizeof(program_bytes));
	memcpy(eh->e_ident, ELFMAG, SELFMAG);
	eh->e_ident[EI_CLASS] = ELFCLASS64;
	eh->e_ident[EI_DATA] = ELFDATA2LSB;
	eh->e_ident[EI_VERSION] = EV_CURRENT;
	eh->e_type = ET_DYN;
	eh->e_machine = EM_AARCH64;
	eh->e_version = EV_CURRENT;
	eh->e_ehsize = sizeof(*eh);
	eh->e_phoff = sizeof(*eh);
	eh->e_phentsize = sizeof(*ph);
	eh->e_phnum = 1;
	eh->e_shoff = 0x2400;
	eh->e_shentsize = sizeof(*sh);
	eh->e_shnum = 6;
	eh->e_shstrndx = 5;
	*ph = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = 0,
			    .p_filesz = 0x2000, .p_memsz = 0x2000, .p_align = 0x1000 };
	for (size_t i = 0; i < sizeof(code) / sizeof(code[0]); i++)
		memcpy(file + code[i].at, &code[i].op, 4);
	memcpy(file + 0x2000, &note, sizeof(note));
	memcpy(file + 0x2000 + sizeof(note), "GNU", 4);
	memcpy(file + 0x2000 + sizeof(note) + 4, id, sizeof(id));
	file[0x2000 + sizeof(note) + 4] = first_id_byte;
	for (size_t i = 0; i < FUNCS; i++) {
		sym[i + 1] = (Elf64_Sym){ .st_name = (uint32_t)end, .st_value = funcs[i].at,
					  .st_size = funcs[i].size, .st_shndx = 1,
					  .st_info = ELF64_ST_INFO(STB_GLOBAL, funcs[i].type) };
		end += (size_t)sprintf(strings + end, "%s", funcs[i].name) + 1;
	}
	memcpy(file + 0x2300, strings, sizeof(strings));
	memcpy(file + 0x2380, names, sizeof(names));
	sh[1] = (Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_PROGBITS,
			      .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = CODE_OFFSET,
			      .sh_offset = CODE_OFFSET, .sh_size = CODE_SIZE };
	sh[2] = (Elf64_Shdr){ .sh_name = 7, .sh_type = SHT_SYMTAB, .sh_offset = 0x2100,
			      .sh_size = (FUNCS + 1) * sizeof(*sym), .sh_entsize = sizeof(*sym),
			      .sh_link = 3, .sh_info = 1 };
	sh[3] = (Elf64_Shdr){ .sh_name = 15, .sh_type = SHT_STRTAB, .sh_offset = 0x2300,
			      .sh_size = sizeof(strings) };
	sh[4] = (Elf64_Shdr){ .sh_name = 23, .sh_type = SHT_NOTE, .sh_offset = 0x2000,
			      .sh_size = sizeof(note) + 4 + sizeof(id), .sh_addralign = 4 };
	sh[5] = (Elf64_Shdr){ .sh_name = 29, .sh_type = SHT_STRTAB, .sh_offset = 0x2380,
			      .sh_size = sizeof(names) };
	cap_write(path, file, sizeof(program_bytes));
}

static void change_byte(const char *path, size_t at, uint8_t value)
{
	program_bytes[at] = value;
	cap_write(path, program_bytes, sizeof(program_bytes));
}

/* A record of 64 bytes to which packets are added */
struct rec {
	uint8_t b[64];
	size_t n;
};

static void packet(struct rec *r, const void *head, size_t n, uint64_t payload, size_t size)
{
	memcpy(r->b + r->n, head, n);
	r->n += n;
	memcpy(r->b + r->n, &payload, size);
	r->n += size;
}

#define NS	(1ull << 63)
#define EL(n)	((uint64_t)(n) << 61)

/* op: header and payload of Operation Type; total 0xffff: an instruction that never issued */
static void head(struct rec *r, uint64_t pc, unsigned int el, const char *op, uint16_t events,
		 uint16_t total, uint16_t issue)
{
	memset(r, 0, sizeof(*r));
	packet(r, "\xb0", 1, (pc & 0xffffffffffffff) | EL(el) | NS, 8);
	packet(r, op, 2, 0, 0);
	packet(r, "\x52", 1, events, 2);
	packet(r, "\x98", 1, total, 2);
	packet(r, "\x99", 1, issue, 2);
}

static void data(struct rec *r, uint64_t va, uint64_t pa, uint16_t xlat, uint8_t source)
{
	packet(r, "\xb2", 1, va, 8);
	if (pa)
		packet(r, "\xb3", 1, pa | NS, 8);
	packet(r, "\x9a", 1, xlat, 2);
	packet(r, "\x43", 1, source, 1);
}

static void stamp(struct rec *r, uint64_t ts)
{
	packet(r, "\x71", 1, ts, 8);
}

#define RECORDS 40

/* Of 40: half match (loads, some slow), a quarter branches of compress, the rest the kernel. */
static void one(struct rec *r, unsigned int i)
{
	const uint64_t match = PROGRAM + 0x1400 + i % 16 * 4, work = PROGRAM + 0x1010;

	if (i % 4 == 1) {
		head(r, work, 0, i % 8 == 1 ? "\x4a\x01" : "\x4a\x02", i % 8 == 1 ? 0x42 : 0x82,
		     12, 3);
		packet(r, "\xb1", 1, (PROGRAM + 0x1400) | NS, 8);
	} else if (i % 4 == 3) {
		head(r, KERNEL_TEXT + (i % 8 == 3 ? 0x40 : 0x1100), 2,
		     i % 8 == 3 ? "\x48\x00" : "\x49\x1f", i % 8 == 3 ? 0x02 : 0x16, 7, 2);
		if (i % 8 == 7)
			data(r, 0xffff000001000000ull, 0x81000000, 1, 0);
	} else {
		head(r, match, 0, i % 4 ? "\x49\x00" : "\x49\x05", i == 20 ? 0x33e : 0x16,
		     i == 20 ? 4095 : (uint16_t)(20 + i), 4);
		data(r, 0xff00ffffb0000000ull + i * 64, i == 22 ? 0 : 0x90000000 + i * 64,
		     i == 20 ? 300 : 1, i == 20 ? 0xe : 0x8);
	}
	stamp(r, 1000 + i * 10);
}

/*
 * Control groups of two threads. Samples of thread 100 show that it moved from group 11, which the
 * recorder read in /proc, to group 12. Thread 101 was created while 100 was in group 11.
 */
static void put_groups(struct cap *c)
{
	cap_cgroup(c, 11, "/batch.slice");
	cap_cgroup(c, 12, "/docker/0123abcd");
	c->cpu = 0;
	c->pid = 100;
	c->tid = 100;
	c->time = 5000000000ull + 16 * 1100;	/* of the record with i == 10, below */
	cap_in_cgroup(c, 11);
	c->time = 5000000000ull + 16 * 1200;
	cap_in_cgroup(c, 12);
	c->tid = 101;
	c->cpu = 1;
	c->time = 0;
	cap_fork(c, 100, 101, 100, 100);
	/*
	 * make_capture() writes that both threads are switched out. Thread 100 is switched in
	 * before.
	 */
	c->cpu = 0;
	cap_switch(c, 100, 100, 5000000800ull, 0);
	cap_switch(c, 100, 100, 5000032800ull, PERF_RECORD_MISC_SWITCH_OUT);
}

static void make_capture(struct cap *c, bool v2, bool damage)
{
	static uint8_t aux[2][RECORDS * 64];
	size_t n[2] = { 0, 0 };

	c->period = 4096;
	c->arch = "aarch64";
	c->event = "arm_spe_0/ts_enable=1/";
	cap_open(c, CAP_SAMPLE);
	if (v2)
		cap_info_v2(c, MIDR_N2, 2);
	else
		cap_info(c, PD_AUXTRACE_ARM_SPE);
	cap_time_conv(c, 5000000000ull);
	c->time = 0;
	cap_kernel(c, KERNEL_TEXT, 0x100000);
	cap_comm(c, 100, 100, "work", 0);
	cap_comm(c, 100, 101, "worker/\x1b[2J", 0);	/* a hostile name */
	cap_mmap2(c, 100, PROGRAM, 0x3000, 0, "/opt/work", id);
	cap_mmap2(c, 100, 0xffff90000000ull, 0x1000, 0, "[vdso]", NULL);
	for (unsigned int i = 0; i < RECORDS; i++) {
		const unsigned int cpu = i % 5 == 0;
		struct rec r;

		one(&r, i);
		memcpy(aux[cpu] + n[cpu], r.b, 64);
		n[cpu] += 64;
	}
	if (c->cgroups)
		put_groups(c);
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		c->cpu = cpu;
		c->pid = 100;
		c->tid = 100 + cpu;
		c->time = 5000000000ull;
		cap_switch_to(c, 100, 100 + cpu);
		cap_aux_record(c, 0, n[cpu], cpu ? PERF_AUX_FLAG_COLLISION : 0);
		if (damage && !cpu)
			memcpy(aux[0] + 9 * 64, "\x20\x20", 2);
		cap_aux(c, cpu, CAP_NONE, 0, aux[cpu], n[cpu] - (damage && cpu ? 40 : 0));
	}
	cap_close(c);
}

/* Optional packets: alternate clock, vectors without a length, tags and others */
/* @away: a CPU was offline twice; the recorder was paused twice. */
static void make_rare(struct cap *c, bool away)
{
	static const struct { const char *op; uint64_t va; } rows[] = {
		{ "\x49\x78", 0x0000ffffb0000000ull },	/* more than 2048 bits */
		{ "\x49\x7d", 0x5a00ffffb0000000ull },	/* a tag */
		{ "\x49\x00", 0xff00ffffb0000000ull },	/* a tag: bit 55 is clear */
		{ "\x49\x00", 0xffff000001000000ull },	/* bits 63 to 56 */
		{ "\x49\x00", 0x00ff000001000000ull },	/* zero in place of them */
		{ "\x49\x01", 0xf3ff000001000000ull },	/* a tag of the kernel */
		{ "\x48\x7e", 0 },
		{ "\x48\xfc", 0 },			/* the whole ZA array */
		{ "\x48\xe8", 0 },			/* reserved */
	};
	uint8_t aux[sizeof(rows) / sizeof(rows[0]) * 64];
	size_t n = 0;

	cap_open(c, CAP_SAMPLE);
	cap_info_v2(c, MIDR_N2, 2);
	cap_time_conv(c, 5000000000ull);
	c->time = 0;
	cap_comm(c, 100, 100, "work", 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rec r;

		head(&r, PROGRAM + 0x1000 + 4 * i, 0, rows[i].op, 0x2, 20, 4);
		packet(&r, "\x9c", 1, 6 + i, 2);		/* issue by the alternate clock */
		if (rows[i].va)
			packet(&r, "\xb2", 1, rows[i].va, 8);
		stamp(&r, 1000 + i);
		memcpy(aux + n, r.b, 64);
		n += 64;
	}
	c->cpu = 0;
	c->pid = c->tid = 100;
	c->time = 5000000000ull;
	cap_switch_to(c, 100, 100);
	cap_aux_record(c, 0, n, 0);
	cap_aux(c, 0, CAP_NONE, 0, aux, n);
	for (unsigned int i = 0; away && i < 2; i++) {
		struct pd_auxtrace_error e = {
			.type = 1, .code = 0x7639, .cpu = 1, .pid = ~0u, .tid = ~0u,
			.ip = 1500000000, .message = "CPU 1 not recorded",
		};

		cap_record(c, PD_REC_AUXTRACE_ERROR, 0, &e.type, sizeof(e) - sizeof(e.header));
		e.code = 0x763a;
		e.cpu = ~0u;
		e.ip = 750000000;
		cap_record(c, PD_REC_AUXTRACE_ERROR, 0, &e.type, sizeof(e) - sizeof(e.header));
	}
	cap_close(c);
}

/*
 * Four records with events, all of which retired, two of which read the L1 cache, one of these in
 * vain; and four without an Events packet. The AUX records: one truncated, two partial, three with
 * collisions. Two LOST records. @wrong: one of the four did not retire.
 */
static void make_sparse(struct cap *c, bool wrong)
{
	static const uint64_t flags[] = {
		PERF_AUX_FLAG_TRUNCATED, PERF_AUX_FLAG_PARTIAL, PERF_AUX_FLAG_PARTIAL,
		PERF_AUX_FLAG_COLLISION, PERF_AUX_FLAG_COLLISION, PERF_AUX_FLAG_COLLISION, 0, 0,
	};
	static const uint64_t lost[2][2] = { { 100, 30 }, { 100, 4 } };
	uint8_t aux[8 * 64];

	cap_open(c, CAP_SAMPLE);
	cap_info_v2(c, MIDR_N2, 2);
	cap_time_conv(c, 5000000000ull);
	c->cpu = 0;
	c->pid = c->tid = 100;
	c->time = 5000000000ull;
	for (unsigned int i = 0; i < 8; i++) {
		struct rec r;

		if (i % 2) {
			memset(&r, 0, sizeof(r));
			packet(&r, "\xb0", 1, (PROGRAM + 0x1000) | NS, 8);
			packet(&r, "\x49\x00", 2, 0, 0);
		} else {
			head(&r, PROGRAM + 0x1000, 0, "\x49\x00",
			     i == 0 ? 0x0e : i == 2 ? 0x06 : i == 4 && wrong ? 0 : 0x02, 20, 4);
		}
		stamp(&r, 1000 + i);
		memcpy(aux + 64 * i, r.b, 64);
		cap_aux_record(c, 64 * i, 64, flags[i]);
	}
	cap_aux(c, 0, CAP_NONE, 0, aux, sizeof(aux));
	cap_record(c, PERF_RECORD_LOST, 0, lost[0], sizeof(lost[0]));
	cap_record(c, PERF_RECORD_LOST, 0, lost[1], sizeof(lost[1]));
	cap_close(c);
}

/* The loads and stores of mem.data, with each way of sharing */
#define D(at)	(PROGRAM + (at))
#define NONE	0xffff
#define HEAP	0xaaaad0000000ull
#define K(at)	(KERNEL_TEXT + (at))

enum { LOAD = 0x00, STORE = 0x01, ATOMIC = 0x06, SIMD = 0x04, OTHER = 0xff };

static const struct access {
	uint8_t cpu;
	uint16_t pc;		/* in the program */
	uint8_t op;
	uint16_t events, total, issue, xlat;
	uint64_t va;		/* 0: no packet */
	uint16_t source;	/* NONE: no packet */
	uint16_t thread;	/* 0: the one of the CPU */
} accesses[] = {
	/* Two threads, each with a word of its own in one line. */
	{ 0, 0x1400, STORE, 0x016, 30, 4, 1, D(0x1c00), NONE, 0 },
	{ 0, 0x1404, LOAD, 0x01e, 90, 4, 1, D(0x1c00), 0x9, 0 },
	{ 1, 0x1408, STORE, 0x01e, 80, 5, 1, D(0x1c08), NONE, 0 },
	{ 1, 0x1408, STORE, 0x01e, 82, 5, 1, D(0x1c08), NONE, 0 },
	/* Two threads and one word. */
	{ 0, 0x1000, ATOMIC, 0x01e, 200, 6, 2, D(0x1c80), 0xd, 0 },
	{ 1, 0x1004, LOAD, 0x016, 60, 6, 2, D(0x1c80), 0x5, 0 },
	/* Both only read; the address after the table has no symbol. */
	{ 0, 0x1008, LOAD, 0x016, 5, 1, 1, D(0x1d00), 0x0, 0 },
	{ 1, 0x1008, LOAD, 0x016, 6, 1, 1, D(0x1d04), 0x8, 0 },
	/* One thread, on the heap; page walks. */
	{ 0, 0x100c, LOAD, 0x03e, 400, 9, 120, HEAP + 0x40, 0xe, 0 },
	{ 0, 0x100c, LOAD, 0x33e, 300, 9, 90, HEAP + 0x80, 0xe, 0 },
	{ 0, 0x1010, SIMD, 0x10e, 70, 3, 1, HEAP + 0x1000, 0xb, 0 },
	/* A data source that this core does not use; then records with events only */
	{ 1, 0x1010, LOAD, 0x10e, 50, 3, 1, HEAP + 0x2000, 0x2, 0 },
	{ 1, 0x1010, LOAD, 0x016, 4, 1, 1, HEAP + 0x2040, NONE, 0 },
	/* One thread that moved from a CPU to the other. */
	{ 0, 0x1404, STORE, 0x016, 8, 1, 1, HEAP + 0x100, NONE, 0 },
	{ 1, 0x1404, STORE, 0x016, 8, 1, 1, HEAP + 0x108, NONE, 100 },
	/* Before the code. */
	{ 0, 0x1404, LOAD, 0x016, 7, 1, 1, D(0x908), 0x0, 0 },
	/* Of the kernel: one address space for all. */
	{ 0, 0x1800, STORE, 0x016, 9, 1, 1, K(0x3000), NONE, 0 },
	{ 1, 0x1800, LOAD, 0x016, 11, 1, 1, K(0x3000), 0x8, 0 },
	/* Neither address nor operation of memory. */
	{ 0, 0x1800, LOAD, 0x003, 3, 1, 0, 0, NONE, 0 },
	{ 0, 0x1800, OTHER, 0x002, 3, 1, 0, 0, NONE, 0 },
	/* One thread initialises a line, the other one reads a word of it. */
	{ 0, 0x1404, STORE, 0x016, 8, 1, 1, HEAP + 0x1200, NONE, 0 },
	{ 1, 0x1408, LOAD, 0x016, 8, 1, 1, HEAP + 0x1208, 0x8, 0 },
	/* A line of both; the second thread gets another name before the first one writes. */
	{ 1, 0x1408, STORE, 0x016, 8, 1, 1, HEAP + 0x1240, NONE, 0 },
	{ 0, 0x1404, STORE, 0x016, 8, 1, 1, HEAP + 0x1248, NONE, 0 },
};

#define NR_ACCESSES	(sizeof(accesses) / sizeof(accesses[0]))
#define RENAMED		1225	/* between the last two of them */

/* @late: records are not in the order of their timestamps; @blind: no record of tasks */
static void make_mem(struct cap *c, bool late, bool blind, bool android)
{
	static uint8_t aux[2][4096];
	size_t n[2] = { 0, 0 };

	c->other_midr = MIDR_AMPERE1A;
	cap_open(c, CAP_SAMPLE);
	if (android)
		cap_info_android(c, MIDR_N2, 2);
	else
		cap_info_v2(c, MIDR_N2, 2);
	cap_time_conv(c, 5000000000ull);
	c->time = 0;
	cap_kernel(c, KERNEL_TEXT, 0x100000);
	cap_comm(c, 100, 100, "work", 0);
	cap_comm(c, 100, 101, "worker", 0);
	c->time = 5000000000ull + 16 * RENAMED;
	cap_comm(c, 100, 101, "renamed", 0);
	c->time = 0;
	cap_mmap2(c, 100, PROGRAM + CODE_OFFSET, 0x1000, CODE_OFFSET, "/opt/work", id);
	c->prot = 3;
	cap_mmap2(c, 100, HEAP, 0x2000, 0, "[heap]", NULL);
	c->prot = 0;
	for (size_t k = 0; k < NR_ACCESSES; k++) {
		const size_t i = late ? NR_ACCESSES - 1 - k : k;
		const struct access *a = &accesses[i];
		const char op[] = { a->op == OTHER ? 0x48 : 0x49, a->op == OTHER ? 0 : (char)a->op };
		struct rec r;

		head(&r, PROGRAM + a->pc, 0, op, a->events, a->total, a->issue);
		if (a->va) {
			packet(&r, "\xb2", 1, a->va, 8);
			packet(&r, "\x9a", 1, a->xlat, 2);
		}
		if (a->source != NONE)
			packet(&r, "\x43", 1, a->source, 1);
		if (a->thread)
			packet(&r, "\x65", 1, a->thread, 4);
		stamp(&r, 1000 + i * 10);
		memcpy(aux[a->cpu] + n[a->cpu], r.b, 64);
		n[a->cpu] += 64;
	}
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		c->cpu = cpu;
		c->pid = 100;
		c->tid = 100 + cpu;
		c->time = 5000000000ull;
		if (!blind)
			cap_switch_to(c, 100, 100 + cpu);
		cap_aux_record(c, 0, n[cpu], 0);
		cap_aux(c, cpu, CAP_NONE, 0, aux[cpu], n[cpu]);
	}
	cap_close(c);
	c->other_midr = 0;
}

#define LONG_NAME \
	"/opt/dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd/" \
	"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

static const uint8_t *id_from(uint8_t first)
{
	static uint8_t other[20];

	memcpy(other, id, sizeof(other));
	other[0] = first;
	return other;
}

/* Each way in which a file can be there, or not, for v9trace archive */
static void make_archive(struct cap *c, const void *container, size_t size)
{
	static const char names[] = "ffff800080010000 T vfs_read\nffff800080011000 t copy_page\n";
	static const struct { const char *name; uint8_t id; } maps[] = {
		{ "/opt/work", 0xde }, { "/opt/work", 0 }, { "/opt/gone", 0xa1 },
		{ "/opt/changed", 0xa2 }, { "/opt/../../evil", 0xa3 }, { LONG_NAME, 0xa4 },
		{ "/opt/plain", 0 }, { "//anon", 0 }, { "/dev/zero", 0 }, { "[vdso]", 0 },
		{ "[heap]", 0 }, { "/opt/container", 0xa5 }, { "/opt/stripped", 0xa6 },
		{ "/opt/again", 0xde }, { "/opt/\x1b[2Jred", 0xa7 },
	};
	uint8_t body[28 + 24] = { 0xff, 0xff, 0xff, 0xff };
	struct cap code = { 0 };

	code_head(&code, 2);
	code_part(&code, PD_CODE_KALLSYMS, 0, names, sizeof(names) - 1);
	code_part(&code, PD_CODE_FILE, 0x08070605efbeada5ull, container, size);
	c->code = code.b;
	c->code_size = code.n;
	cap_open(c, CAP_SAMPLE);
	cap_info_v2(c, MIDR_N2, 2);
	c->time = 0;
	cap_kernel(c, KERNEL_TEXT, 0x100000);
	memcpy(body + 4, id_from(0xb0), 20);
	body[24] = 20;
	strcpy((char *)body + 28, "[kernel.kallsyms]");
	cap_record(c, PD_REC_HEADER_BUILD_ID, 1 << 15 | PD_CPUMODE_KERNEL, body, sizeof(body));
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		cap_mmap2(c, 100, PROGRAM + i * 0x10000, 0x3000, 0, maps[i].name,
			  maps[i].id ? id_from(maps[i].id) : NULL);
	cap_close(c);
	c->code = NULL;
	free(code.b);
}

static char where[4096];

/* Section PD_MEM_TOPOLOGY: blocks of 128 MiB, 16 and 17 at node 1, 18 and 19 at node 3 */
static const uint64_t nodes[] = { 1, 0x8000000, 2, 1, 18, 18, 3u << 16, 3, 20, 20, 3u << 18 };

static const char *in(const char *dir, const char *name)
{
	snprintf(where, sizeof(where), "%s/%s", dir, name);
	return where;
}

/* As the kernel prints them */
static const char switch_format[] =
	"name: sched_switch\nID: 250\nformat:\n" CAP_COMMON_FIELDS
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s "
	"next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "
	"(REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", "
	"{ 0x00000001, \"S\" }, { 0x00000002, \"D\" }) : \"R\", REC->prev_state & 0x100 ? "
	"\"+\" : \"\", REC->next_comm, REC->next_pid, REC->next_prio\n";
static const char interrupt_format[] =
	"name: v9_interrupt\nID: 300\nformat:\n" CAP_COMMON_FIELDS
	"\tfield:__data_loc char[] pmu;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:int cause;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 status;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 ptr;\toffset:24;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%s %s status=%#llx ptr=%#llx\", __get_str(pmu), "
	"__print_symbolic(REC->cause, { 0, \"spurious\" }, { 2, \"full\" }), REC->status, "
	"REC->ptr\n";
static const char timer_format[] =
	"name: timer_init\nID: 310\nformat:\n" CAP_COMMON_FIELDS
	"\tfield:void * function;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:const char * action;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 raw[3];\toffset:24;\tsize:3;\tsigned:0;\n\n"
	"print fmt: \"%ps %s\", REC->function, REC->action\n";

/* The section of formats; with @of replaced by @instead it is damaged */
static void put_formats(struct cap *c, const char *of, const char *instead)
{
	static const char printk[] = "0xffff800080013000 : \"suspend_enter\"\n";
	char text[2048], *at;

	snprintf(text, sizeof(text), "%s", switch_format);
	at = of ? strstr(text, of) : NULL;
	if (at) {
		memmove(at + strlen(instead), at + strlen(of), strlen(at + strlen(of)) + 1);
		memcpy(at, instead, strlen(instead));
	}
	cap_formats(c, 3);
	cap_put(c, "sched", 6);
	cap_u32(c, 1);
	cap_format(c, text);
	cap_put(c, "v9trace", 8);
	cap_u32(c, 1);
	cap_format(c, interrupt_format);
	cap_put(c, "timer", 6);
	cap_u32(c, 1);
	cap_format(c, timer_format);
	cap_u32(c, 0);
	cap_u32(c, sizeof(printk) - 1);
	cap_put(c, printk, sizeof(printk) - 1);
	cap_u64(c, 0);
}

/* A sample of event 102: the fields of CAP_SAMPLE, then the bytes */
static void cap_raw(struct cap *c, const void *raw, uint32_t n)
{
	const uint32_t size = ((n + 4 + 7) & ~7u) - 4;
	const struct pd_event_header h = {
		.type = PERF_RECORD_SAMPLE, .misc = 1, .size = (uint16_t)(8 + 8 + 8 + 8 + 8 + 4 + size),
	};

	cap_put(c, &h, sizeof(h));
	cap_u64(c, 102);
	cap_u32(c, c->pid);
	cap_u32(c, c->tid);
	cap_u64(c, c->time);
	cap_u64(c, c->cpu);
	cap_u32(c, size);
	cap_put(c, raw, n);
	cap_put(c, NULL, size - n);
}

/* Closes a capture of tracepoints with their formats. The next capture has none. */
static void close_with(struct cap *c, const struct cap *formats)
{
	c->formats = formats->b;
	c->formats_size = formats->n;
	cap_close(c);
	c->formats = NULL;
	c->type2 = 0;
	c->config2 = 0;
}

/* Samples of one tracepoint, with or without SPE */
static void make_tp(struct cap *c, unsigned int id, const struct cap *formats, bool alone)
{
	static const struct __attribute__((packed)) {
		uint16_t type;
		uint8_t flags, count;
		int32_t common_pid;
		char prev_comm[16];
		int32_t prev_pid, prev_prio;
		int64_t prev_state;
		char next_comm[16];
		int32_t next_pid, next_prio;
	} switches[] = {
		{ 250, 0, 0, 100, "work", 100, 120, 0x101, "swapper/0", 0, -1 },
		{ 250, 0, 0, 0, "swapper/0", 0, 120, 0, "sixteen letters!", 100, 120 },
	};
	static const struct __attribute__((packed)) {
		uint16_t type;
		uint8_t flags, count;
		int32_t common_pid;
		uint32_t pmu;
		int32_t cause;
		uint64_t status, ptr;
		char name[10];
	} interrupt = { 300, 0, 0, 100, 10 << 16 | 32, 2, 0x20000, 0xffff800081230040ull, "arm_spe_0" };
	static const struct __attribute__((packed)) {
		uint16_t type;
		uint8_t flags, count;
		int32_t common_pid;
		uint64_t function, action;
		uint8_t raw[3];
	} timer = { 310, 0, 0, 100, 0xffff800080010000ull, 0xffff800080013000ull, { 1, 2, 0xfe } };
	struct rec r;

	c->type2 = PERF_TYPE_TRACEPOINT;
	c->config2 = id;
	cap_open(c, CAP_SAMPLE | PERF_SAMPLE_RAW);
	if (!alone) {
		cap_info_v2(c, MIDR_N2, 2);
		cap_time_conv(c, 5000000000ull);
	}
	c->time = 0;
	cap_comm(c, 100, 100, "work", 0);
	c->cpu = 0;
	c->pid = c->tid = 100;
	c->time = 5000000000ull;
	cap_switch_to(c, 100, 100);
	for (unsigned int i = 0; i < 2 && id == 250; i++, c->time += 1000)
		cap_raw(c, &switches[i], sizeof(switches[i]));
	if (id == 300)
		cap_raw(c, &interrupt, sizeof(interrupt));
	if (id == 310)
		cap_raw(c, &timer, sizeof(timer));
	head(&r, PROGRAM + 0x1000, 0, "\x48\x00", 0x2, 20, 4);
	stamp(&r, 1000);
	if (!alone) {
		cap_aux_record(c, 0, 64, 0);
		cap_aux(c, 0, CAP_NONE, 0, r.b, 64);
	}
	close_with(c, formats);
}

/* ---- calls of malloc() and others, as record --heap has them */

#define BLOCKS		0xffffb0000000ull
#define FIELD(type, name, offset, size) \
	"\tfield:" type " " name ";\toffset:" #offset ";\tsize:" #size ";\tsigned:0;\n"
#define CALL_FIELDS \
	FIELD("unsigned long", "__probe_ip", 8, 8) FIELD("u64", "sp", 16, 8) FIELD("u64", "caller", 24, 8) \
	FIELD("u64", "caller2", 32, 8) FIELD("u64", "caller3", 40, 8)
#define RETURN_FIELDS \
	FIELD("unsigned long", "__probe_func", 8, 8) FIELD("unsigned long", "__probe_ret_ip", 16, 8) \
	FIELD("u64", "sp", 24, 8) FIELD("u64", "result", 32, 8)
#define HEAP_FORMAT(name, id, fields) \
	"name: " name "\nID: " #id "\nformat:\n" CAP_COMMON_FIELDS fields "\nprint fmt: \"\"\n"

enum { MALLOC = 401, MALLOC_RETURN, FREE, MEMALIGN, MEMALIGN_RETURN };

static void heap_formats(struct cap *c)
{
	static const char *const text[] = {
		HEAP_FORMAT("malloc", 401, CALL_FIELDS FIELD("u64", "size", 48, 8)),
		HEAP_FORMAT("malloc_return", 402, RETURN_FIELDS),
		HEAP_FORMAT("free", 403, CALL_FIELDS FIELD("u64", "old", 48, 8)),
		HEAP_FORMAT("posix_memalign", 404, CALL_FIELDS FIELD("u64", "out", 48, 8)
			    FIELD("u64", "size", 56, 8)),
		HEAP_FORMAT("posix_memalign_return", 405, RETURN_FIELDS FIELD("u64", "stack[32]", 40, 256)),
	};

	cap_formats(c, 1);
	cap_put(c, "v9trace_heap_77", 16);
	cap_u32(c, sizeof(text) / sizeof(text[0]));
	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		cap_format(c, text[i]);
	cap_u32(c, 0);
	cap_u32(c, 0);
	cap_u64(c, 0);
}

static void heap_call(struct cap *c, uint64_t count, uint32_t id, const uint64_t *words, size_t nr)
{
	struct { uint64_t common, word[40]; } raw = { .common = id | 100ull << 32 };

	memcpy(raw.word, words, nr * sizeof(*words));
	c->time = 5000000000ull + 16 * count;
	cap_raw(c, &raw, (uint32_t)(8 * (1 + nr)));
}

#define CALLS(...)	(const uint64_t []){ __VA_ARGS__ }, sizeof((const uint64_t []){ __VA_ARGS__ }) / 8

/*
 * match allocates 40 bytes, which are freed and allocated again, 24 bytes, by compress; then 64 bytes by
 * posix_memalign(), with the result 16 bytes above the stack pointer. A load is in the first block, one in
 * the second, one behind that, one in the third. A sample is too short, a return has no call.
 */
static void make_heap(struct cap *c, const struct cap *formats)
{
	static const struct { uint64_t count, addr; } loads[] = {
		{ 200, BLOCKS + 39 }, { 400, BLOCKS + 8 }, { 500, BLOCKS + 32 }, { 700, BLOCKS + 0x1000 } };
	const uint64_t sp = 0xffffe0000000ull, match = PROGRAM + 0x1408, compress = PROGRAM + 0x1014;
	const uint64_t aligned[36] = { 0, 0, sp, 0, [6] = BLOCKS + 0x1000 };
	uint8_t trace[64 * 4];

	c->type2 = PERF_TYPE_TRACEPOINT;
	c->config2 = MALLOC;
	cap_open(c, CAP_SAMPLE | PERF_SAMPLE_RAW);
	cap_info_v2(c, MIDR_N2, 2);
	cap_time_conv(c, 5000000000ull);
	c->time = 0;
	cap_comm(c, 100, 100, "work", 0);
	cap_mmap2(c, 100, PROGRAM, 0x3000, 0, "/opt/work", id);
	c->cpu = 0;
	c->pid = c->tid = 100;
	c->time = 5000000000ull;
	cap_switch_to(c, 100, 100);
	heap_call(c, 90, MALLOC_RETURN, CALLS(0, 0, sp, BLOCKS + 0x2000));
	heap_call(c, 100, MALLOC, CALLS(0, sp, match, 0, 0, 40));
	heap_call(c, 110, MALLOC_RETURN, CALLS(0, 0, sp, BLOCKS));
	heap_call(c, 300, FREE, CALLS(0, sp, match, 0, 0, BLOCKS));
	heap_call(c, 310, MALLOC, CALLS(0, sp, compress, 0, 0, 24));
	heap_call(c, 320, MALLOC_RETURN, CALLS(0, 0, sp, BLOCKS));
	heap_call(c, 600, MEMALIGN, CALLS(0, sp, match, 0, 0, sp + 16, 64));
	heap_call(c, 610, MEMALIGN_RETURN, aligned, 36);
	heap_call(c, 620, FREE, CALLS(0, sp));
	cap_aux_record(c, 0, 64 * 4, 0);
	for (unsigned int i = 0; i < 4; i++) {
		struct rec r;

		head(&r, PROGRAM + 0x1400, 0, "\x49\x00", 0x2, 20, 4);
		data(&r, loads[i].addr, 0x80000000, 1, 0);
		stamp(&r, loads[i].count);
		memcpy(trace + 64 * i, r.b, 64);
	}
	cap_aux(c, 0, CAP_NONE, 0, trace, sizeof(trace));
	close_with(c, formats);
}

static void put_text(struct cap *c, const char *text)
{
	cap_put(c, text, strlen(text) + 1);
}

/* simpleperf's section of symbols in its first layout: /opt/work, linked 0x400000 above its file */
static void old_symbols(struct cap *c)
{
	struct cap f = { 0 };

	put_text(&f, "/opt/work");
	cap_u32(&f, 2);
	cap_u64(&f, 0x401000);
	cap_u32(&f, 2);
	cap_u64(&f, 0x401000);
	cap_u32(&f, 0x10);
	put_text(&f, "given_first");
	cap_u64(&f, 0x401010);
	cap_u32(&f, 0x800);
	put_text(&f, "given_second");
	cap_u64(&f, 0x1000);
	c->n = 0;
	cap_u32(c, (uint32_t)f.n);
	cap_put(c, f.b, f.n);
	free(f.b);
}

/* A field of a message: number, size, bytes */
static void bytes_field(struct cap *c, uint8_t which, const void *p, size_t n)
{
	const uint8_t head[] = { (uint8_t)(which << 3 | 2), (uint8_t)n };

	cap_put(c, head, 2);	/* sizes are below 128 here */
	cap_put(c, p, n);
}

/* The same as protobuf messages; fields with value 0 are absent */
static void new_symbols(struct cap *c)
{
	static const uint8_t type[] = { 2 << 3, 2 }, address[] = { 3 << 3, 0x80, 0xa0, 0x80, 0x02 };
	static const uint8_t first[] = { 1 << 3, 0x80, 0xa0, 0x80, 0x02, 2 << 3, 0x10 };
	static const uint8_t second[] = { 1 << 3, 0x90, 0xa0, 0x80, 0x02, 2 << 3, 0x80, 0x10 };
	static const uint8_t offset[] = { 1 << 3, 0x80, 0x20 };
	struct cap f = { 0 }, sym = { 0 };

	bytes_field(&f, 1, "/opt/work", 9);
	cap_put(&f, type, sizeof(type));
	cap_put(&f, address, sizeof(address));
	cap_put(&sym, first, sizeof(first));
	bytes_field(&sym, 3, "given_first", 11);
	bytes_field(&f, 4, sym.b, sym.n);
	sym.n = 0;
	cap_put(&sym, second, sizeof(second));
	bytes_field(&sym, 3, "given_second", 12);
	bytes_field(&f, 4, sym.b, sym.n);
	bytes_field(&f, 6, offset, sizeof(offset));
	c->n = 0;
	cap_u32(c, (uint32_t)f.n);
	cap_put(c, f.b, f.n);
	free(f.b);
	free(sym.b);
}

/* A capture of simpleperf: three samples, symbols in the file, kernel symbols complete or split */
static void make_given(struct cap *c, const struct cap *files, unsigned int bit, bool pieces)
{
	static const uint64_t pc[] = { PROGRAM + 0x1000, PROGRAM + 0x1014, 0xffff800080010004ull };
	static const char kallsyms[] = "ffff800080010000 T given_read\nffff800080011000 T given_end\n";
	uint8_t aux[64 * 3];
	struct cap k = { 0 };

	cap_open(c, CAP_SAMPLE);
	cap_info_android(c, MIDR_N2, 2);
	cap_time_conv(c, 5000000000ull);
	c->time = 0;
	cap_comm(c, 100, 100, "work", 0);
	if (bit != 134)
		cap_mmap2(c, 100, PROGRAM, 0x3000, 0, "/opt/work", NULL);
	cap_u32(&k, sizeof(kallsyms) - 1);
	cap_put(&k, kallsyms, sizeof(kallsyms) - 1);
	cap_put(&k, NULL, -k.n & 7);
	if (pieces) {
		const uint32_t type = 32769;
		const uint16_t size[] = { 0, (uint16_t)(k.n + 8) };
		struct cap whole = { 0 };

		cap_put(&whole, &type, 4);
		cap_put(&whole, size, 4);
		cap_put(&whole, k.b, k.n);
		cap_record(c, 32772, 0, whole.b, 40);
		cap_record(c, 32772, 0, whole.b + 40, whole.n - 40);
		cap_record(c, 32773, 0, NULL, 0);
		free(whole.b);
	} else {
		cap_record(c, 32769, 0, k.b, k.n);
	}
	free(k.b);
	for (unsigned int i = 0; i < 3; i++) {
		struct rec r;

		head(&r, pc[i], i == 2 ? 1 : 0, "\x48\x00", 0x2, 20, 4);
		stamp(&r, 1000 + i);
		memcpy(aux + 64 * i, r.b, 64);
	}
	c->cpu = 0;
	c->pid = c->tid = 100;
	c->time = 5000000000ull;
	cap_switch_to(c, 100, 100);
	cap_aux_record(c, 0, sizeof(aux), 0);
	cap_aux(c, 0, CAP_NONE, 0, aux, sizeof(aux));
	c->files = files->b;
	c->files_size = files->n;
	c->files_bit = bit;
	cap_close(c);
	c->files = NULL;
}

int main(int argc, char **argv)
{
	static const char kallsyms[] =
		"ffff800080010000 T _text\n"
		"ffff800080010000 t $x\n"
		"ffff800080010000 T vfs_read\n"
		"ffff800080011000 t copy_page\n"
		"ffff800080012000 T _etext\n"
		"ffff800080013000 D jiffies\n"
		"ffff800080013100 D init_task\n"
		"ffff800000001000 t helper\t[v9_spe]\n";
	static const struct perf_event_attr with_cgroup = {
		.type = 9, .sample_type = CAP_SAMPLE | PERF_SAMPLE_CGROUP, .sample_id_all = 1,
		.sample_period = 4096,
	};
	static const struct pd_cgroup read_group = { .time = 0, .id = 11, .pid = 100, .tid = 100 };
	struct pd_event_header first;
	static struct cap c, files, map, formats;

	if (argc != 2)
		return 2;
	mkdir(in(argv[1], "symfs"), 0777);
	mkdir(in(argv[1], "symfs/opt"), 0777);
	mkdir(in(argv[1], "other"), 0777);
	mkdir(in(argv[1], "other/opt"), 0777);
	make_program(in(argv[1], "symfs/opt/work"), id[0], program);
	make_program(in(argv[1], "other/opt/work"), 0x11, program);
	make_program(in(argv[1], "vmlinux"), 0x22, kernel);
	mkdir(in(argv[1], "debug"), 0777);
	mkdir(in(argv[1], "debug/.build-id"), 0777);
	mkdir(in(argv[1], "debug/.build-id/de"), 0777);
	make_program(in(argv[1], "debug/.build-id/de/adbeef05060708090a0b0c0d0e0f1011121314.debug"),
		     id[0], program);
	cap_write(in(argv[1], "kallsyms"), kallsyms, sizeof(kallsyms) - 1);

	mkdir(in(argv[1], "symfs/opt/dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"), 0777);
	make_program(in(argv[1], "symfs/opt/changed"), 0x11, program);
	make_program(in(argv[1], "evil"), 0xa3, program);
	make_program(in(argv[1], "symfs" LONG_NAME), 0xa4, program);
	make_program(in(argv[1], "symfs/opt/\x1b[2Jred"), 0xa7, program);
	mkdir(in(argv[1], "debug/.build-id/a6"), 0777);
	make_program(in(argv[1], "debug/.build-id/a6/adbeef05060708090a0b0c0d0e0f1011121314.debug"),
		     0xa6, program);
	make_program(in(argv[1], "symfs/opt/stripped"), 0xa6, program);
	change_byte(in(argv[1], "symfs/opt/stripped"), SYMTAB_TYPE, SHT_DYNSYM);
	make_program(in(argv[1], "container"), 0xa5, program);
	make_archive(&c, program_bytes, sizeof(program_bytes));
	cap_write(in(argv[1], "archive.data"), c.b, c.n);

	make_capture(&c, true, false);
	cap_write(in(argv[1], "good.data"), c.b, c.n);
	cap_write(in(argv[1], "cut.data"), c.b, c.n - 1400);
	cap_write(in(argv[1], "stub.data"), c.b, c.data + 64);
	/* the second record gets a size smaller than its header */
	memcpy(&first, c.b + c.data, sizeof(first));
	c.b[c.data + first.size + offsetof(struct pd_event_header, size)] = 2;
	cap_write(in(argv[1], "corrupt.data"), c.b, c.n);
	make_capture(&c, false, true);
	cap_write(in(argv[1], "damaged.data"), c.b, c.n);

	c.attr = &with_cgroup;
	c.cgroups = &read_group;
	c.nr_cgroups = 1;
	make_capture(&c, true, false);
	cap_write(in(argv[1], "cgroups.data"), c.b, c.n);
	c.attr = NULL;
	c.cgroups = NULL;

	/* What record --check counted: 40 records and two more, more samples than records, and a shared counter */
	c.counts = &counts.head;
	make_capture(&c, true, false);
	cap_write(in(argv[1], "counts.data"), c.b, c.n);
	c.counts = NULL;

	/* Physical memory from 0x80000000 on is at node 1, that from 0x90000000 on at node 3. */
	c.memory = nodes;
	c.memory_size = sizeof(nodes);
	make_capture(&c, true, false);
	cap_write(in(argv[1], "nodes.data"), c.b, c.n);
	c.memory = NULL;

	make_rare(&c, false);
	cap_write(in(argv[1], "rare.data"), c.b, c.n);
	make_rare(&c, true);
	cap_write(in(argv[1], "cpus.data"), c.b, c.n);
	for (unsigned int i = 0; i < 4; i++) {
		/* S3_0_C9_C9_3: INTERVAL, RND; S3_0_C9_C9_7: Interval, ERnd */
		static const uint64_t pmsirr[] = { 0x300, 0xf01, 0xf01, 0xf01 };
		static const uint64_t pmsidr[] = { 0x400, 0x420, 0x400, 0x400 };
		const struct pd_register regs[] = {
			{ 0, 0x189960, 0xffffff01, pmsirr[i] },
			{ 0, 0x1899e0, i < 3 ? 0xf20 : 0xf00, pmsidr[i] },
		};
		char name[] = "interval0.data";

		c.regs = regs;
		c.nr_regs = 2;
		make_rare(&c, false);
		c.regs = NULL;
		name[8] += (char)i;
		cap_write(in(argv[1], name), c.b, c.n);
	}

	make_sparse(&c, false);
	cap_write(in(argv[1], "sparse.data"), c.b, c.n);
	make_sparse(&c, true);
	cap_write(in(argv[1], "wrong.data"), c.b, c.n);
	make_mem(&c, false, false, false);
	cap_write(in(argv[1], "mem.data"), c.b, c.n);
	make_mem(&c, true, false, false);
	cap_write(in(argv[1], "late.data"), c.b, c.n);
	make_mem(&c, false, true, false);
	cap_write(in(argv[1], "blind.data"), c.b, c.n);
	make_mem(&c, false, false, true);
	cap_write(in(argv[1], "android.data"), c.b, c.n);

	heap_formats(&formats);
	make_heap(&c, &formats);
	cap_write(in(argv[1], "heap.data"), c.b, c.n);

	put_formats(&formats, NULL, NULL);
	for (unsigned int i = 0; i < 3; i++) {
		static const unsigned int ids[] = { 250, 300, 310 };
		char name[] = "tp0.data", alone[] = "tp0_alone.data";

		name[2] += (char)i;
		alone[2] += (char)i;
		make_tp(&c, ids[i], &formats, false);
		cap_write(in(argv[1], name), c.b, c.n);
		make_tp(&c, ids[i], &formats, true);
		cap_write(in(argv[1], alone), c.b, c.n);
	}
	/* a sample that is shorter than its format; then formats that cannot be read */
	put_formats(&formats, "offset:60;", "offset:70;");
	make_tp(&c, 250, &formats, false);
	cap_write(in(argv[1], "tp_short.data"), c.b, c.n);
	put_formats(&formats, "char prev_comm[16];", "char prev_comm[16");
	make_tp(&c, 250, &formats, false);
	cap_write(in(argv[1], "tp_fields.data"), c.b, c.n);
	put_formats(&formats, "REC->next_prio\n", "REC->next_prio ? (\n");
	make_tp(&c, 250, &formats, false);
	cap_write(in(argv[1], "tp_print.data"), c.b, c.n);

	old_symbols(&files);
	make_given(&c, &files, 128, false);
	cap_write(in(argv[1], "given128.data"), c.b, c.n);
	new_symbols(&files);
	make_given(&c, &files, 132, true);
	cap_write(in(argv[1], "given132.data"), c.b, c.n);
	/* its maps are in a section: of no symbols, as here there may be but one of both */
	map.sample_type = CAP_SAMPLE;
	cap_mmap2(&map, 100, PROGRAM, 0x3000, 0, "/opt/work", NULL);
	make_given(&c, &map, 134, true);
	cap_write(in(argv[1], "given134.data"), c.b, c.n);
	/* the last name exceeds its file */
	files.n -= 8;
	files.b[0] -= 8;
	make_given(&c, &files, 132, true);
	cap_write(in(argv[1], "given_bad.data"), c.b, c.n);

	cap_open(&c, CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_CS_ETM);
	cap_close(&c);
	cap_write(in(argv[1], "ete.data"), c.b, c.n);
	cap_open(&c, CAP_SAMPLE);
	cap_info_etmv4(&c);
	cap_close(&c);
	cap_write(in(argv[1], "etmv4.data"), c.b, c.n);
	c.arch = "x86_64";
	cap_open(&c, CAP_SAMPLE);
	cap_comm(&c, 1, 1, "init", 0);
	cap_close(&c);
	cap_write(in(argv[1], "x86.data"), c.b, c.n);
	memcpy(c.b, "2ELIFREP", 8);
	cap_write(in(argv[1], "big.data"), c.b, c.n);
	cap_write(in(argv[1], "empty.data"), "", 0);
	free(c.b);
	return 0;
}
