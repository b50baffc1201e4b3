// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9trace record --flight: --trigger, --after, --arm-after and --snapshots, the options and filters of the event that
 * they become, and what is done at a trigger. A temporary directory takes the place of sysfs; programs are ELF files
 * of a few bytes that the test writes.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "messages.h"
#include "tap.h"
#include "v9trace/base.h"

static int filter_ioctl(int fd, unsigned long request, const char *filter);
#include "../../tools/collect/event.c"
#include "../../tools/util.c"
#include "../../tools/collect/aux.c"
#include "../../tools/collect/pmu.c"
#include "../../tools/collect/spec.c"
#define ioctl filter_ioctl
#include "../../tools/collect/flight.c"
#undef ioctl

static char dir[] = "/tmp/record_flight.XXXXXX";

static void put_bytes(const char *path, const void *data, size_t size)
{
	char *full = v9_format("%s/%s", dir, path);

	tap_write(full, data, size);
	free(full);
}

static void put(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

static void make_sysfs(void)
{
	if (!mkdtemp(dir))
		abort();
	put("cs_etm/type", "9\n");
	put("cs_etm/format/trigger", "config3:0-1\n");
	put("cs_etm/format/trigger_address", "config3:2-53\n");
	put("cs_etm/format/input", "config3:2-13\n");
	put("cs_etm/format/trigger_count", "config4:0-15\n");
	put("cs_etm/format/trigger_after", "config4:16-51\n");
	put("cs_etm/stats/triggered", "7\n");
	v9_pmu_root = dir;
}

/* ------------------------------------------------------------------------ the options */

static void test_times(void)
{
	static const struct {
		const char *text;
		uint64_t ns;		/* 0: refused */
	} rows[] = {
		{ "1", 1000000000 }, { "30s", 30000000000 }, { "500ms", 500000000 }, { "2m", 120000000000 },
		{ "1h", 3600000000000 }, { "9223372036", UINT64_C(9223372036000000000) }, { "9223372037", 0 },
		{ "9223372036854ms", UINT64_C(9223372036854000000) }, { "9223372036855ms", 0 },
		{ "2562047h", UINT64_C(9223369200000000000) }, { "2562048h", 0 },
		{ "0", 0 }, { "05", 5000000000 }, { "", 0 }, { "s", 0 }, { "-1", 0 }, { "1us", 0 }, { "1 s", 0 }, { " 1", 0 }, { "1ss", 0 },
		{ "99999999999999999999", 0 }, { ":", 0 }, { "/", 0 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		uint64_t ns = 77;
		int ret = v9_flight_time("--arm-after", rows[i].text, &ns);

		tap_ok(rows[i].ns ? !ret && ns == rows[i].ns : ret == -EINVAL && ns == 77, "time_%zu", i);
	}
}

#define AUX_BYTES	65536

static void test_options(void)
{
	static const struct {
		const char *name;
		struct v9_flight in;
		bool refused;
		uint64_t after_bytes, nth, silence_ns;
		uint32_t latency;
	} rows[] = {
		{ "none", { .on = true }, false, AUX_BYTES / 2, 1, 0, 0 },
		{ "off", { .on = false }, false, AUX_BYTES / 2, 1, 0, 0 },
		{ "trigger_without_flight", { .trigger = "0x1000" }, true, 0, 0, 0, 0 },
		{ "after_without_flight", { .after = "4K" }, true, 0, 0, 0, 0 },
		{ "arm_after_without_trigger", { .on = true, .arm_ns = 1 }, true, 0, 0, 0, 0 },
		{ "snapshots_without_trigger", { .on = true, .wanted = 2 }, true, 0, 0, 0, 0 },
		{ "after_without_trigger", { .on = true, .after = "4K" }, true, 0, 0, 0, 0 },
		{ "address", { .on = true, .trigger = "0x1000" }, false, AUX_BYTES / 2, 1, 0, 0 },
		{ "nth", { .on = true, .trigger = "f@x#12" }, false, AUX_BYTES / 2, 12, 0, 0 },
		{ "last_mark_counts", { .on = true, .trigger = "f@x#3#4" }, false, AUX_BYTES / 2, 4, 0, 0 },
		{ "nth_9", { .on = true, .trigger = "f@x#9" }, false, AUX_BYTES / 2, 9, 0, 0 },
		{ "nth_with_zeros", { .on = true, .trigger = "f@x#08" }, false, AUX_BYTES / 2, 8, 0, 0 },
		{ "nth_0", { .on = true, .trigger = "f@x#0" }, true, 0, 0, 0, 0 },
		{ "nth_empty", { .on = true, .trigger = "f@x#" }, true, 0, 0, 0, 0 },
		{ "nth_negative", { .on = true, .trigger = "f@x#-1" }, true, 0, 0, 0, 0 },
		{ "nth_rubbish", { .on = true, .trigger = "f@x#1x" }, true, 0, 0, 0, 0 },
		{ "nth_is_no_number", { .on = true, .trigger = "f@x#:" }, true, 0, 0, 0, 0 },
		{ "nth_huge", { .on = true, .trigger = "f@x#99999999999999999999" }, true, 0, 0, 0, 0 },
		{ "after_bytes", { .on = true, .trigger = "0x1000", .after = "4K" }, false, 4096, 1, 0, 0 },
		{ "after_0", { .on = true, .trigger = "0x1000", .after = "0" }, false, 0, 1, 0, 0 },
		{ "after_most", { .on = true, .trigger = "0x1000", .after = "65535" }, false, 65535, 1, 0, 0 },
		{ "after_all", { .on = true, .trigger = "0x1000", .after = "64K" }, true, 0, 0, 0, 0 },
		{ "after_rubbish", { .on = true, .trigger = "0x1000", .after = "x" }, true, 0, 0, 0, 0 },
		{ "ping", { .on = true, .trigger = "ping:1" }, false, AUX_BYTES / 2, 1, 1000000, 0 },
		{ "ping_9", { .on = true, .trigger = "ping:9" }, false, AUX_BYTES / 2, 1, 9000000, 0 },
		{ "ping_longest", { .on = true, .trigger = "ping:4294967295" }, false, AUX_BYTES / 2, 1,
		  UINT64_C(4294967295000000), 0 },
		{ "ping_too_long", { .on = true, .trigger = "ping:4294967296" }, true, 0, 0, 0, 0 },
		{ "ping_0", { .on = true, .trigger = "ping:0" }, true, 0, 0, 0, 0 },
		{ "ping_with_zeros", { .on = true, .trigger = "ping:05" }, false, AUX_BYTES / 2, 1, 5000000, 0 },
		{ "ping_empty", { .on = true, .trigger = "ping:" }, true, 0, 0, 0, 0 },
		{ "ping_negative", { .on = true, .trigger = "ping:-1" }, true, 0, 0, 0, 0 },
		{ "ping_rubbish", { .on = true, .trigger = "ping:1s" }, true, 0, 0, 0, 0 },
		{ "ping_is_no_number", { .on = true, .trigger = "ping:;" }, true, 0, 0, 0, 0 },
		{ "ping_after", { .on = true, .trigger = "ping:1", .after = "4K" }, true, 0, 0, 0, 0 },
		{ "latency", { .on = true, .trigger = "latency:1" }, false, AUX_BYTES / 2, 1, 0, 1 },
		{ "latency_9", { .on = true, .trigger = "latency:9#5" }, false, AUX_BYTES / 2, 5, 0, 9 },
		{ "latency_most", { .on = true, .trigger = "latency:65535#2" }, false, AUX_BYTES / 2, 2, 0, 65535 },
		{ "latency_with_zeros", { .on = true, .trigger = "latency:08" }, false, AUX_BYTES / 2, 1, 0, 8 },
		{ "latency_too_much", { .on = true, .trigger = "latency:65536" }, true, 0, 0, 0, 0 },
		{ "latency_0", { .on = true, .trigger = "latency:0" }, true, 0, 0, 0, 0 },
		{ "latency_empty", { .on = true, .trigger = "latency:" }, true, 0, 0, 0, 0 },
		{ "latency_rubbish", { .on = true, .trigger = "latency:5x" }, true, 0, 0, 0, 0 },
		{ "latency_is_no_number", { .on = true, .trigger = "latency::" }, true, 0, 0, 0, 0 },
		{ "latency_after", { .on = true, .trigger = "latency:5", .after = "4K" }, true, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_flight f = rows[i].in;
		int ret = v9_flight_parse(&f, AUX_BYTES);

		tap_ok(rows[i].refused ? ret == -EINVAL :
		       !ret && f.after_bytes == rows[i].after_bytes && f.nth == rows[i].nth &&
		       f.silence_ns == rows[i].silence_ns && f.latency == rows[i].latency, "options_%s", rows[i].name);
	}
}

/* ------------------------------------------------------------------------ the programs */

#define VADDR	0x400000
#define OFFSET	0x1000		/* in the file, of what is mapped at VADDR */
#define CODE	0x200		/* bytes of it */
#define NAMES	"\0data\0func\0twin\0far\0none\0"

/* A note of a probe: where it is, where .stapsdt.base was, its semaphore */
struct probe_note {
	Elf64_Nhdr head;
	char owner[8];
	uint64_t word[3];
	char text[32];
} __attribute__((packed));

static struct probe_note probe(uint64_t at, uint64_t base, uint64_t semaphore, const char *text, size_t len)
{
	struct probe_note n = {
		.head = { .n_namesz = 8, .n_descsz = sizeof(n.word) + sizeof(n.text), .n_type = 3 },
		.owner = "stapsdt", .word = { at, base, semaphore },
	};

	memcpy(n.text, text, len);
	return n;
}

struct program {
	Elf64_Ehdr head;
	Elf64_Phdr segment[3];
	Elf64_Shdr section[7];
	Elf64_Sym symbol[6];
	struct probe_note note[5];
	char names[32], section_names[80];
};

static Elf64_Sym symbol(unsigned int name, unsigned int type, unsigned int section, uint64_t value)
{
	return (Elf64_Sym){
		.st_name = name, .st_info = (unsigned char)ELF64_ST_INFO(STB_GLOBAL, type),
		.st_shndx = (Elf64_Half)section, .st_value = value,
	};
}

static Elf64_Shdr section(unsigned int name, unsigned int type, size_t offset, size_t size, size_t each)
{
	return (Elf64_Shdr){
		.sh_name = name, .sh_type = type, .sh_offset = offset, .sh_size = size, .sh_entsize = each, .sh_addralign = 4,
	};
}

/* Writes the program @path of a machine and a type (ET_EXEC, ET_DYN). */
static void put_program(const char *path, unsigned int machine, unsigned int type)
{
	static struct program p;

	p = (struct program){
		.head = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = (Elf64_Half)type, .e_machine = (Elf64_Half)machine, .e_version = EV_CURRENT,
			.e_phoff = offsetof(struct program, segment), .e_shoff = offsetof(struct program, section),
			.e_ehsize = sizeof(Elf64_Ehdr), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3,
			.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 7, .e_shstrndx = 4,
		},
		/* data at the same addresses as code, which comes later */
		.segment = {
			{ .p_type = PT_NOTE, .p_flags = PF_X, .p_vaddr = VADDR, .p_filesz = 0x10000 },
			{ .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_vaddr = VADDR, .p_filesz = 0x10000 },
			{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = VADDR, .p_offset = OFFSET, .p_filesz = CODE },
		},
		.section = {
			{ 0 },
			section(1, SHT_SYMTAB, offsetof(struct program, symbol), sizeof(p.symbol), sizeof(Elf64_Sym)),
			section(9, SHT_STRTAB, offsetof(struct program, names), sizeof(p.names), 0),
			section(17, SHT_NOTE, offsetof(struct program, note), sizeof(p.note), 0),
			section(31, SHT_STRTAB, offsetof(struct program, section_names), sizeof(p.section_names), 0),
			section(41, SHT_PROGBITS, 0, 0, 0),
			section(47, SHT_PROGBITS, 0, 0, 0),
		},
		/* The first of a name is not defined here, or no function. */
		.symbol = {
			{ 0 }, symbol(1, STT_OBJECT, 6, VADDR + 8), symbol(6, STT_FUNC, SHN_UNDEF, VADDR + 0x20),
			symbol(6, STT_FUNC, 6, VADDR + 0x40), symbol(11, STT_FUNC, 6, VADDR + CODE - 4),
			symbol(16, STT_FUNC, 6, VADDR + CODE),
		},
		.note = {
			probe(VADDR + 0x80, 0, 0, "web\0request\0-4@x0", 18),
			probe(VADDR + 0xc0, VADDR + 0x1000, 0, "web\0moved", 10),
			probe(VADDR + 0x84, 0, 0x1234, "web\0counted", 12),
			probe(VADDR + 0x88, 0, 0, "web\0two", 8), probe(VADDR + 0x8c, 0, 0, "web\0two", 8),
		},
		.names = NAMES,
		.section_names = "\0.symtab\0.strtab\0.note.stapsdt\0.shstrtab\0.text\0.stapsdt.base",
	};
	p.section[1].sh_link = 2;
	p.section[6].sh_addr = VADDR + 0x1040;		/* 64 bytes further than when the probes were written */
	put_bytes(path, &p, sizeof(p));
}

/* The options of one event of cs_etm for a trigger */
struct aimed {
	int ret;
	uint64_t config3, config4;
	char *filter;
	bool overwrite, kernel;
};

static const struct v9_aux_kind etm = { .needs_code = true }, spe = { .needs_code = false };

static struct aimed aimed_for(const char *trigger, const char *after, enum v9_target_kind kind, bool no_kernel)
{
	struct v9_event_spec ev[3] = {
		{ .aux = NULL, .label = (char *)"cycles" }, { .aux = &spe, .label = (char *)"spe" },
		{ .aux = &etm, .label = (char *)"etm" },
	};
	const struct v9_target target = { .kind = kind };
	struct v9_flight f = { .on = true, .trigger = trigger, .after = after };
	struct aimed got = { .ret = v9_flight_parse(&f, AUX_BYTES) };

	ev[2].attr.a.size = PERF_ATTR_SIZE_VER7;
	ev[2].attr.a.exclude_kernel = no_kernel;
	if (!got.ret)
		got.ret = v9_flight_aim(&f, ev, 3, &target);
	got.config3 = ev[2].attr.word[V9_ATTR_CONFIG3];
	got.config4 = ev[2].attr.word[V9_ATTR_CONFIG4];
	got.overwrite = ev[2].overwrite && !ev[0].overwrite && !ev[1].overwrite;
	got.filter = f.filter;
	got.kernel = f.kernel;
	return got;
}

static void test_addresses(void)
{
	/* config3: kind 0-1, address without its two low bits, or the event, from 2; config4: count 0-15, after from 16 */
	static const struct {
		const char *name, *trigger, *after;
		bool no_kernel;
		int ret;
		uint64_t config3, config4;
	} rows[] = {
		{ "address", "0x400100", NULL, false, 0, 0x400103, UINT64_C(0x80000000) },
		{ "of_10", "4194308#10", "4K", false, 0, 0x400007, UINT64_C(0x1000000a) },
		{ "twice", "0x400100#2", "0", false, 0, 0x400103, 2 },
		{ "once", "0x400100#1", "0", false, 0, 0x400103, 0 },
		{ "most", "0x400100#65535", "0", false, 0, 0x400103, 65535 },
		{ "too_often", "0x400100#65536", "0", false, -ERANGE, 0, 0 },
		{ "of_the_kernel", "0xffff800080000004", "0", false, 0, UINT64_C(0x3f800080000007), 0 },
		{ "kernel_not_traced", "0xffff800080000004", "0", true, -EINVAL, 0, 0 },
		{ "last_of_a_user", "0x7ffffffffffffffc", "0", true, 0, UINT64_C(0x3fffffffffffff), 0 },
		{ "zero", "0", NULL, false, -EINVAL, 0, 0 },
		{ "byte_1", "0x400101", NULL, false, -EINVAL, 0, 0 },
		{ "byte_2", "0x400102", NULL, false, -EINVAL, 0, 0 },
		{ "rubbish", "0x40010x", NULL, false, -EINVAL, 0, 0 },
		{ "negative", "-4", NULL, false, -EINVAL, 0, 0 },
		{ "letter", "x", NULL, false, -EINVAL, 0, 0 },
		{ "huge", "0x10000000000000000", NULL, false, -EINVAL, 0, 0 },
		{ "no_function", "@x", NULL, false, -EINVAL, 0, 0 },
		{ "no_file", "f@", NULL, false, -EINVAL, 0, 0 },
		{ "event", "event:0x11", "0", true, 0, 0x11 << 2 | 2, 0 },
		{ "event_0", "event:0", "0", true, 0, 2, 0 },
		{ "event_without_number", "event:", "0", false, -EINVAL, 0, 0 },
		{ "event_rubbish", "event:1x", "0", false, -EINVAL, 0, 0 },
		{ "event_too_large", "event:4096", "0", false, -ERANGE, 0, 0 },
		{ "event_huge", "event:99999999999999999999", "0", false, -EINVAL, 0, 0 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct aimed got = aimed_for(rows[i].trigger, rows[i].after, V9_TARGET_CPUS, rows[i].no_kernel);

		tap_ok(got.ret == rows[i].ret && !got.filter &&
		       (got.ret || (got.overwrite && got.config3 == rows[i].config3 && got.config4 == rows[i].config4)),
		       "aim_%s", rows[i].name);
	}
}

static void test_own(void)
{
	struct aimed got = aimed_for("ping:5", NULL, V9_TARGET_CPUS, true);

	tap_ok(!got.ret && got.overwrite && !got.config3 && !got.config4 && !got.filter, "ping_has_no_option");
	got = aimed_for("latency:5", NULL, V9_TARGET_CPUS, true);
	tap_ok(!got.ret && got.overwrite && !got.config3 && !got.config4, "latency_has_no_option");
	got = aimed_for(NULL, NULL, V9_TARGET_CPUS, true);
	tap_ok(!got.ret && got.overwrite && !got.config3 && !got.config4, "no_trigger_has_no_option");
}

static void test_functions(void)
{
	static const struct {
		const char *name, *trigger;	/* "%s" is the directory */
		enum v9_target_kind kind;
		int ret;
		uint64_t offset;	/* of the filter; 0: none */
		uint64_t address;	/* of the option */
	} rows[] = {
		{ "function", "func@%s/exec", V9_TARGET_COMMAND, 0, OFFSET + 0x40, 0 },
		{ "function_of_a_process", "func@%s/exec", V9_TARGET_PID, 0, OFFSET + 0x40, 0 },
		{ "of_cpus", "func@%s/exec", V9_TARGET_CPUS, 0, 0, VADDR + 0x40 },
		{ "of_cpus_anywhere", "func@%s/dyn", V9_TARGET_CPUS, -EINVAL, 0, 0 },
		{ "anywhere", "func@%s/dyn", V9_TARGET_COMMAND, 0, OFFSET + 0x40, 0 },
		{ "last_of_the_code", "twin@%s/exec", V9_TARGET_COMMAND, 0, OFFSET + CODE - 4, 0 },
		{ "beyond_the_code", "far@%s/exec", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "object", "data@%s/exec", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "unknown", "fun@%s/exec", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "of_another_machine", "func@%s/x86", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "of_no_program", "func@%s/text", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "of_no_file", "func@%s/nothing", V9_TARGET_COMMAND, -ENOENT, 0, 0 },
		{ "probe", "sdt:web:request@%s/exec", V9_TARGET_COMMAND, 0, OFFSET + 0x80, 0 },
		{ "probe_of_cpus", "sdt:web:request@%s/exec", V9_TARGET_CPUS, 0, 0, VADDR + 0x80 },
		{ "probe_that_moved", "sdt:web:moved@%s/exec", V9_TARGET_COMMAND, 0, OFFSET + 0x100, 0 },
		{ "probe_with_a_semaphore", "sdt:web:counted@%s/exec", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "probe_at_two_places", "sdt:web:two@%s/exec", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "probe_unknown", "sdt:web:reques@%s/exec", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "probe_longer", "sdt:web:requests@%s/exec", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "probe_of_another", "sdt:wet:request@%s/exec", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "probe_of_a_shorter", "sdt:we:request@%s/exec", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "probe_without_colon", "sdt:web@%s/exec", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
		{ "probe_of_32_bits", "sdt:web:request@%s/arm", V9_TARGET_COMMAND, -EINVAL, 0, 0 },
	};

	put_program("exec", EM_AARCH64, ET_EXEC);
	put_program("dyn", EM_AARCH64, ET_DYN);
	put_program("x86", EM_X86_64, ET_EXEC);
	put_program("arm", EM_ARM, ET_EXEC);
	put("text", "no program\n");
	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		const char *at = strstr(rows[i].trigger, "%s");
		char *trigger = v9_format("%.*s%s%s", (int)(at - rows[i].trigger), rows[i].trigger, dir, at + 2);
		char *file = strchr(trigger, '@') + 1, *want;
		struct aimed got = aimed_for(trigger, "0", rows[i].kind, false);

		want = v9_format("stop %#llx@%s", (unsigned long long)rows[i].offset, file);
		tap_ok(got.ret == rows[i].ret && (rows[i].offset ? got.filter && !strcmp(got.filter, want) : !got.filter) &&
		       (got.ret || got.config3 == (rows[i].address ? rows[i].address | 3 : 1)), "file_%s", rows[i].name);
		free(got.filter);
		free(want);
		free(trigger);
	}
}

/* A name without a slash is searched in PATH, one with a slash is not. */
static void test_path(void)
{
	char *path = v9_format("/nonexistent:%s", dir), *want = v9_format("stop 0x1040@%s/exec", dir);
	char *old = v9_strdup(getenv("PATH") ? getenv("PATH") : "");
	struct aimed got;

	setenv("PATH", path, 1);
	got = aimed_for("func@exec", "0", V9_TARGET_COMMAND, false);
	tap_ok(!got.ret && got.filter && !strcmp(got.filter, want), "program_in_path");
	free(got.filter);
	got = aimed_for("func@./exec", "0", V9_TARGET_COMMAND, false);
	tap_eq(got.ret, -ENOENT, "with_a_slash_not_in_path");
	unsetenv("PATH");
	got = aimed_for("func@exec", "0", V9_TARGET_COMMAND, false);
	tap_eq(got.ret, -ENOENT, "without_path");
	setenv("PATH", old, 1);
	free(old);
	free(path);
	free(want);
}

/* A driver without the options */
static void test_other_driver(void)
{
	char *file = v9_format("%s/cs_etm/format/trigger_count", dir);
	struct aimed got;

	unlink(file);
	got = aimed_for("0x400100#2", "0", V9_TARGET_CPUS, false);
	tap_eq(got.ret, -EOPNOTSUPP, "option_that_the_driver_lacks");
	got = aimed_for("0x400100", "0", V9_TARGET_CPUS, false);
	tap_eq(got.ret, 0, "option_that_is_not_needed");
	free(file);
}

static void test_no_trace(void)
{
	struct v9_event_spec ev = { .aux = &spe, .label = (char *)"spe" };
	const struct v9_target target = { .kind = V9_TARGET_CPUS };
	struct v9_flight f = { .on = true };

	tap_ok(v9_flight_aim(&f, &ev, 1, &target) == -EINVAL && !ev.overwrite, "flight_wants_a_trace");
}

/* ------------------------------------------------------------------------ at a trigger */

static char filters[4][64];
static int filter_fd[4], nr_filters, filter_fails;

static int filter_ioctl(int fd, unsigned long request, const char *filter)
{
	if (request != PERF_EVENT_IOC_SET_FILTER || nr_filters == 4)
		abort();
	if (filter_fails == fd) {
		errno = EBUSY;
		return -1;
	}
	filter_fd[nr_filters] = fd;
	snprintf(filters[nr_filters++], sizeof(filters[0]), "%s", filter);
	return 0;
}

static void test_arm(void)
{
	struct v9_instance one[1] = { { .fd = 5 } }, two[2] = { { .fd = 7 }, { .fd = 9 } };
	struct v9_event_spec ev[2] = {
		{ .inst = one, .insts = 1 }, { .inst = two, .insts = 2, .overwrite = true },
	};
	const struct v9_rings r = { .ev = ev, .evs = 2 };
	struct v9_flight f = { .on = true, .trigger = "f@x", .filter = (char *)"stop 0x10@/x" };

	put("cs_etm/stats/triggered", "7\n");
	tap_ok(!v9_flight_arm(&f, &r) && f.fired == 7, "count_before");
	tap_ok(nr_filters == 2 && filter_fd[0] == 7 && filter_fd[1] == 9 && !strcmp(filters[1], "stop 0x10@/x"),
	       "filter_of_each_instance");
	filter_fails = 9;
	tap_eq(v9_flight_arm(&f, &r), -EBUSY, "filter_is_refused");
	filter_fails = nr_filters = 0;
	f.filter = NULL;
	tap_ok(!v9_flight_arm(&f, &r) && !nr_filters, "no_filter");
}

static void test_ends(void)
{
	struct v9_rings r = { 0 };
	struct v9_flight f = { .on = true, .trigger = "0x1000", .fired = 7 };

	put("cs_etm/stats/triggered", "7\n");
	tap_eq(v9_flight_ended(&f, &r), V9_FLIGHT_END, "nothing_stopped_it");
	r.triggered = true;
	tap_eq(v9_flight_ended(&f, &r), V9_FLIGHT_STOPPED, "something_else_stopped_it");
	put("cs_etm/stats/triggered", "8\n");
	tap_eq(v9_flight_ended(&f, &r), V9_FLIGHT_FIRED, "the_trigger_stopped_it");
	f.fired = UINT64_MAX;
	put("cs_etm/stats/triggered", "0\n");
	tap_eq(v9_flight_ended(&f, &r), V9_FLIGHT_FIRED, "a_driver_that_does_not_count");
	f.silence_ns = 1;
	tap_eq(v9_flight_ended(&f, &r), V9_FLIGHT_STOPPED, "not_by_the_unit");
	f.own = true;
	r.triggered = false;
	tap_eq(v9_flight_ended(&f, &r), V9_FLIGHT_FIRED, "by_the_recorder");
}

/* Triggers without a snapshot do not count for --snapshots. */
static void test_beside(void)
{
	struct v9_rings r = { 0 };
	struct v9_flight f = { .beside = true, .trigger = "latency:5", .latency = 5, .wanted = 2 };

	tap_ok(v9_flight_take(&f, &r, true, true) == V9_FLIGHT_IGNORE && f.ignored == 1 && !f.snapshots, "beside_early");
	for (int i = 0; i < 3; i++)
		tap_ok(v9_flight_take(&f, &r, true, false) == V9_FLIGHT_ASK && f.snapshots == (uint64_t)i + 1, "beside_%d", i);
	f.taken = 1;
	tap_ok(v9_flight_take(&f, &r, true, false) == V9_FLIGHT_ASK && f.snapshots == 4, "beside_one_is_wanted");
	f.taken = 2;
	tap_ok(v9_flight_take(&f, &r, true, false) == V9_FLIGHT_IGNORE && f.snapshots == 4 && f.ignored == 2, "beside_none_is_wanted");
	f.wanted = 0;
	tap_ok(v9_flight_take(&f, &r, true, false) == V9_FLIGHT_ASK && f.snapshots == 5, "beside_without_a_limit");
}

static void test_steps(void)
{
	struct v9_rings r = { .triggered = true };
	struct v9_flight f = { .on = true, .trigger = "0x1000", .fired = 0, .wanted = 3 };

	put("cs_etm/stats/triggered", "1\n");
	tap_ok(v9_flight_take(&f, &r, false, true) == V9_FLIGHT_FORGET && f.ignored == 1 && !f.snapshots, "early");
	tap_ok(v9_flight_take(&f, &r, true, true) == V9_FLIGHT_IGNORE && f.ignored == 2 && !f.own, "early_of_its_own");
	tap_ok(v9_flight_take(&f, &r, false, false) == V9_FLIGHT_KEEP && f.snapshots == 1, "first_of_three");
	v9_flight_again(&f);
	tap_ok(f.fired == 1 && !f.own, "counted_again");
	tap_ok(v9_flight_take(&f, &r, false, false) == V9_FLIGHT_STOP && f.snapshots == 1, "another_stop");
	tap_ok(v9_flight_take(&f, &r, true, false) == V9_FLIGHT_KEEP && f.snapshots == 2 && f.own, "second_of_three");
	v9_flight_again(&f);
	tap_ok(!f.own, "own_is_over");
	tap_ok(v9_flight_take(&f, &r, true, false) == V9_FLIGHT_STOP && f.snapshots == 3, "third_of_three");
	f = (struct v9_flight){ .on = true, .trigger = "ping:1", .silence_ns = 1 };
	tap_ok(v9_flight_take(&f, &r, true, false) == V9_FLIGHT_STOP && f.snapshots == 1, "one_ends_it");
}

int main(void)
{
	make_sysfs();
	messages_begin();
	test_times();
	test_options();
	test_addresses();
	test_own();
	test_functions();
	test_path();
	test_other_driver();
	test_no_trace();
	test_arm();
	test_ends();
	test_beside();
	test_steps();
	messages_are("record_flight", dir);
	tap_remove(dir);
	return tap_done();
}
