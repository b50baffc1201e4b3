// SPDX-License-Identifier: GPL-2.0-only
/*
 * grow DIRECTORY WHAT N: writes DIRECTORY/WHAT.N.data, a capture of SPE records in which there are N
 * of one thing, and below DIRECTORY/symfs the objects that it names. The output is always the same.
 *
 *	records		N records of one CPU
 *	cpus		N CPUs, 4,000 records each
 *	tasks		N children, one after the other, that execute a program and exit; 16 records each
 *	turns		N task switches, 4 records after each, whose owner only the switches tell
 *	maps		N mappings of a compiler's code, at 64 addresses in turn; 4 records in each
 *	programs	N BPF programs, which are loaded and unloaded at 64 addresses in turn; 4 records in each
 *	objects		N shared objects with 8 functions each, 64 records in each
 *	symbols		N functions in one program; 200,000 records
 *	aux		N AUX records of one record each
 *	gaps		N AUX records of one record each, truncated after it
 *	lines		N cache lines that are loaded from and stored to, 2 records for each
 *	distinct	N cache lines with one record each, which is short
 *	shared		N cache lines and 16 variables that four threads on eight CPUs use, 8 N records
 *	cgroups		N control groups, each with a task and 16 records
 */
#include <elf.h>
#include <sys/stat.h>

#include "../host/capture.h"

#define TEXT	0x400000u
#define FUNC	64u			/* bytes of a function */
#define VARIABLE 256u			/* bytes of a variable */
#define LINES	0xffff80000000ull	/* the first data address */
#define NO_ADDRESS UINT64_MAX		/* of a load or a store */
#define BEGIN	5000000000ull		/* ns */
#define NS_EL0	(UINT64_C(1) << 63)
#define EL1	(UINT64_C(1) << 61)
#define KERNEL	0xffff800080000000ull
#define CHUNK	(1u << 20)

static struct cap cap = { .arch = "aarch64", .event = "arm_spe_0//" };
static uint8_t chunk[CHUNK];
static size_t filled;
static uint64_t done, ticks, seed = 1;
static uint32_t variables;		/* of each object, after its functions */

static uint32_t rnd(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % n;
}

static uint8_t *put(uint8_t *p, uint8_t header, uint64_t v, unsigned int n)
{
	*p++ = header;
	memcpy(p, &v, n);
	return p + n;
}

/* Returns the time of the last record in ns. The timestamp counter has a period of 16 ns. */
static uint64_t now(void)
{
	return BEGIN + (ticks << 4);
}

/* Writes the records so far as the data of an AUX record of the current CPU and task. */
static void flush(uint64_t flags)
{
	if (!filled)
		return;
	cap.time = now();
	cap_aux_record(&cap, done, filled, flags);
	cap_aux(&cap, cap.cpu, CAP_NONE, done, chunk, filled);
	done += filled;
	filled = 0;
}

/*
 * Appends an SPE record. @tid: value of its Context packet; 0: it has none. @va: data address of a load, or of
 * a store if @store, or NO_ADDRESS; 0: the operation is another one.
 */
static void record(uint64_t pc, uint32_t tid, uint64_t va, bool store)
{
	uint8_t *p = chunk + filled;

	if (filled == CHUNK) {
		flush(0);
		p = chunk;
	}
	memset(p, 0, 64);
	p = put(p, 0xb0, pc | NS_EL0, 8);
	if (tid)
		p = put(p, 0x65, tid, 4);
	/* Retired; an access of the level 1 data cache, a refill for each second line */
	p = put(p, 0x62, !va ? 0x2 : va & 64 ? 0xe : 0x6, 4);
	p = put(p, va ? 0x49 : 0x48, store, 1);
	p = put(p, 0x98, 4 + rnd(60), 2);
	p = put(p, 0x99, 1 + rnd(3), 2);
	if (va && va != NO_ADDRESS)
		p = put(p, 0xb2, va, 8);
	put(p, 0x71, ++ticks, 8);
	filled += 64;
}

static void task(uint32_t pid)
{
	cap.pid = cap.tid = pid;
	cap.time = now();
}

/* Appends PERF_RECORD_EXIT of a process. */
static void leave(uint32_t pid)
{
	const uint32_t body[6] = { pid, 100, pid, 100, (uint32_t)cap.time, (uint32_t)(cap.time >> 32) };

	cap_record(&cap, PERF_RECORD_EXIT, 0, body, sizeof(body));
}

static void die(const char *path)
{
	perror(path);
	exit(1);
}

/* An object with that many functions of FUNC bytes; name() prints the name of one. */
static void object(const char *dir, const char *path, uint32_t funcs, int (*name)(char *, uint32_t))
{
	static const char sections[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
	const uint64_t size = (uint64_t)funcs * FUNC;
	Elf64_Ehdr eh = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_AARCH64, .e_version = EV_CURRENT,
		.e_phoff = sizeof(eh), .e_ehsize = sizeof(eh), .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 5, .e_shstrndx = 4,
	};
	Elf64_Phdr ph = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = TEXT,
		.p_memsz = size + variables * VARIABLE, .p_align = 4096,
	};
	Elf64_Shdr sh[5] = {
		[1] = { .sh_name = 1, .sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			.sh_addr = TEXT, .sh_size = size },
		[2] = { .sh_name = 7, .sh_type = SHT_SYMTAB, .sh_link = 3, .sh_info = 1,
			.sh_entsize = sizeof(Elf64_Sym) },
		[3] = { .sh_name = 15, .sh_type = SHT_STRTAB },
		[4] = { .sh_name = 23, .sh_type = SHT_STRTAB, .sh_size = sizeof(sections) },
	};
	const uint32_t symbols = 1 + funcs + variables;
	Elf64_Sym *syms = calloc(symbols, sizeof(*syms));
	char *strings = malloc((size_t)symbols * 64), file[512];
	size_t n = 1;
	FILE *f;

	snprintf(file, sizeof(file), "%s/symfs%s", dir, path);
	f = fopen(file, "w");
	if (!f || !syms || !strings)
		die(file);
	strings[0] = 0;
	for (uint32_t i = 0; i < funcs; i++) {
		syms[i + 1] = (Elf64_Sym){ .st_name = (uint32_t)n, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					   .st_shndx = 1, .st_value = TEXT + (uint64_t)i * FUNC, .st_size = FUNC };
		n += (size_t)name(strings + n, i) + 1;
	}
	for (uint32_t i = 0; i < variables; i++) {
		syms[1 + funcs + i] = (Elf64_Sym){
			.st_name = (uint32_t)n, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
			.st_shndx = 1, .st_value = TEXT + size + i * VARIABLE, .st_size = VARIABLE,
		};
		n += (size_t)sprintf(strings + n, "variable_%u", i) + 1;
	}
	sh[2].sh_offset = sizeof(eh) + sizeof(ph);
	sh[2].sh_size = symbols * sizeof(*syms);
	sh[3].sh_offset = sh[2].sh_offset + sh[2].sh_size;
	sh[3].sh_size = n;
	sh[4].sh_offset = sh[3].sh_offset + n;
	eh.e_shoff = (sh[4].sh_offset + sizeof(sections) + 7) & ~7ull;
	fwrite(&eh, sizeof(eh), 1, f);
	fwrite(&ph, sizeof(ph), 1, f);
	fwrite(syms, sizeof(*syms), symbols, f);
	fwrite(strings, 1, n, f);
	fwrite(sections, 1, sizeof(sections), f);
	fseek(f, (long)eh.e_shoff, SEEK_SET);
	fwrite(sh, sizeof(sh), 1, f);
	if (fclose(f))
		die(file);
	free(syms);
	free(strings);
}

static int plain(char *s, uint32_t i)
{
	return sprintf(s, "function_%u", i);
}

static int mangled(char *s, uint32_t i)
{
	char inner[24];

	return sprintf(s, "_ZN6server%d%sE7Request", sprintf(inner, "handle%u", i), inner);
}

/* The program that most captures map, with as many functions as that */
static void program(const char *dir, uint32_t funcs, int (*name)(char *, uint32_t))
{
	object(dir, "/opt/program", funcs, name);
	cap_mmap2(&cap, cap.pid, TEXT, (uint64_t)funcs * FUNC, 0, "/opt/program", NULL);
}

static uint64_t somewhere(uint32_t funcs)
{
	return TEXT + (uint64_t)rnd(funcs) * FUNC + rnd(FUNC / 4) * 4;
}

static void records(const char *dir, uint32_t n)
{
	program(dir, 1000, plain);
	for (uint32_t i = 0; i < n; i++)
		record(somewhere(1000), 100, 0, false);
}

static void cpus(const char *dir, uint32_t n)
{
	program(dir, 1000, plain);
	for (uint32_t cpu = 0; cpu < n; cpu++) {
		cap.cpu = cpu;
		done = 0;
		for (uint32_t i = 0; i < 4000; i++)
			record(somewhere(1000), 100, 0, false);
		flush(0);
	}
}

static void tasks(const char *dir, uint32_t n)
{
	program(dir, 1000, plain);
	for (uint32_t pid = 1000; pid < 1000 + n; pid++) {
		task(100);
		cap_fork(&cap, pid, pid, 100, 100);
		task(pid);
		cap_comm(&cap, pid, pid, "child", 1);
		cap_mmap2(&cap, pid, TEXT, 1000 * FUNC, 0, "/opt/program", NULL);
		for (uint32_t i = 0; i < 16; i++)
			record(somewhere(1000), pid, 0, false);
		if (pid % 64 == 0)
			flush(0);
		cap.time = now();
		leave(pid);
	}
}

static void turns(const char *dir, uint32_t n)
{
	program(dir, 1000, plain);
	task(101);
	cap_comm(&cap, 101, 101, "other", 0);
	cap_mmap2(&cap, 101, TEXT, 1000 * FUNC, 0, "/opt/program", NULL);
	for (uint32_t i = 0; i < n; i++) {
		cap_switch(&cap, 100 + i % 2, 100 + i % 2, now() + 8, 0);
		for (uint32_t k = 0; k < 4; k++)
			record(somewhere(1000), 0, 0, false);
		cap_switch(&cap, 100 + i % 2, 100 + i % 2, now() + 4, PERF_RECORD_MISC_SWITCH_OUT);
	}
}

static void maps(const char *dir, uint32_t n)
{
	(void)dir;
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t at = 0x7f0000000000ull + i % 64 * 0x10000;

		cap.time = now();
		cap_mmap2(&cap, 100, at, 0x10000, 0, "//anon", NULL);
		for (uint32_t k = 0; k < 4; k++)
			record(at + rnd(0x4000) * 4, 100, 0, false);
	}
}

/* Appends PERF_RECORD_KSYMBOL. */
static void ksymbol(uint64_t at, uint32_t i, uint16_t flags)
{
	struct {
		uint64_t addr;
		uint32_t len;
		uint16_t type, flags;
		char name[32];
	} body = { .addr = at, .len = 0x1000, .type = PERF_RECORD_KSYMBOL_TYPE_BPF, .flags = flags };

	sprintf(body.name, "bpf_prog_%u", i);
	cap.time = now();
	cap_record(&cap, PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL, &body, sizeof(body));
}

static void programs(const char *dir, uint32_t n)
{
	(void)dir;
	cap_kernel(&cap, KERNEL, 0x10000000);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t at = KERNEL + 0x20000000 + i % 64 * 0x10000;

		ticks++;
		ksymbol(at, i, 0);
		for (uint32_t k = 0; k < 4; k++)
			record(((at & 0xffffffffffffff) + rnd(0x400) * 4) | EL1, 100, 0, false);
		ticks++;
		ksymbol(at, i, PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER);
	}
}

static void objects(const char *dir, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t at = 0x7f0000000000ull + (uint64_t)i * 0x10000;
		char path[64];

		sprintf(path, "/opt/lib%u.so", i);
		object(dir, path, 8, plain);
		cap.time = now();
		cap_mmap2(&cap, 100, at, 0x1000, 0, path, NULL);
		for (uint32_t k = 0; k < 64; k++)
			record(at + k * 8, 100, 0, false);
	}
}

static void symbols(const char *dir, uint32_t n)
{
	program(dir, n, mangled);
	for (uint32_t i = 0; i < 200000; i++)
		record(somewhere(n), 100, 0, false);
}

static void aux(const char *dir, uint32_t n)
{
	program(dir, 1000, plain);
	for (uint32_t i = 0; i < n; i++) {
		record(somewhere(1000), 100, 0, false);
		flush(0);
	}
}

static void gaps(const char *dir, uint32_t n)
{
	program(dir, 1000, plain);
	for (uint32_t i = 0; i < n; i++) {
		record(somewhere(1000), 100, 0, false);
		flush(PERF_AUX_FLAG_TRUNCATED);
	}
}

static void lines(const char *dir, uint32_t n)
{
	program(dir, 1000, plain);
	for (uint32_t i = 0; i < n; i++) {
		record(somewhere(1000), 100, LINES + (uint64_t)i * 64, false);
		record(somewhere(1000), 100, LINES + (uint64_t)rnd(n) * 64, true);
	}
}

static void distinct(const char *dir, uint32_t n)
{
	program(dir, 1000, plain);
	for (uint32_t i = 0; i < n; i++) {
		uint8_t *p;

		if (filled == CHUNK)
			flush(0);
		p = memset(chunk + filled, 0, 32);
		p = put(p, 0xb0, somewhere(1000) | NS_EL0, 8);
		p = put(p, 0x49, 0, 1);
		/* Successive records are not of adjacent cache lines. */
		p = put(p, 0xb2, LINES + i * UINT64_C(0x9e3779b1) % (UINT64_C(1) << 32) * 64, 8);
		put(p, 0x71, ++ticks, 8);
		filled += 32;
	}
}

static void shared(const char *dir, uint32_t n)
{
	variables = 16;
	program(dir, 1000, plain);
	cap_mmap2(&cap, cap.pid, LINES, (uint64_t)n * 64, 0, "[heap]", NULL);
	for (uint32_t tid = 101; tid < 104; tid++)
		cap_fork(&cap, 100, tid, 100, 100);
	for (uint32_t cpu = 0; cpu < 8; cpu++) {
		/* Some are of the last CPU alone. */
		const uint32_t some = cpu < 7 ? 1 : 0;

		cap.cpu = cpu;
		done = 0;
		for (uint32_t i = 0; i < n; i++) {
			const uint64_t va = rnd(4) ? LINES + (uint64_t)rnd(n - some * n / 8) * 64 + rnd(64) :
					    TEXT + 1000 * FUNC + rnd((variables - some) * VARIABLE);

			record(somewhere(20), 100 + rnd(4), rnd(100) ? va : NO_ADDRESS, !rnd(3));
		}
		flush(0);
	}
}

static void cgroups(const char *dir, uint32_t n)
{
	char path[128];

	program(dir, 1000, plain);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t pid = 1000 + i;

		sprintf(path, "/machine.slice/docker-%064x.scope", i);
		task(pid);
		cap_cgroup(&cap, 10 + i, path);
		cap_comm(&cap, pid, pid, "job", 0);
		cap_mmap2(&cap, pid, TEXT, 1000 * FUNC, 0, "/opt/program", NULL);
		cap_in_cgroup(&cap, 10 + i);
		for (uint32_t k = 0; k < 16; k++)
			record(somewhere(1000), pid, 0, false);
		cap.time = now();
		if (i % 64 == 0)
			flush(0);
	}
}

static const struct {
	const char *name;
	void (*make)(const char *dir, uint32_t n);
} things[] = {
	{ "records", records }, { "cpus", cpus }, { "tasks", tasks }, { "turns", turns }, { "maps", maps },
	{ "programs", programs },
	{ "objects", objects }, { "symbols", symbols }, { "aux", aux }, { "gaps", gaps }, { "lines", lines },
	{ "distinct", distinct }, { "shared", shared },
	{ "cgroups", cgroups },
};

int main(int argc, char **argv)
{
	const uint32_t n = argc == 4 ? (uint32_t)strtoul(argv[3], NULL, 0) : 0;
	char path[512];

	for (size_t i = 0; n && i < sizeof(things) / sizeof(things[0]); i++) {
		if (strcmp(argv[2], things[i].name))
			continue;
		snprintf(path, sizeof(path), "%s/symfs", argv[1]);
		mkdir(path, 0777);
		snprintf(path, sizeof(path), "%s/symfs/opt", argv[1]);
		mkdir(path, 0777);
		cap_open(&cap, CAP_SAMPLE | (things[i].make == cgroups ? PERF_SAMPLE_CGROUP : PERF_SAMPLE_IP));
		cap_time_conv(&cap, BEGIN);
		cap_info_v2(&cap, 0x410fd4f0, 4);
		task(100);
		cap_comm(&cap, 100, 100, "work", 0);
		things[i].make(argv[1], n);
		flush(0);
		cap_close(&cap);
		snprintf(path, sizeof(path), "%s/%s.%u.data", argv[1], argv[2], n);
		return cap_write(path, cap.b, cap.n) ? 1 : 0;
	}
	fprintf(stderr, "usage: grow DIRECTORY WHAT N\n");
	return 2;
}
