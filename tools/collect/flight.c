// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Conversion of the argument of --trigger to options and filters of the driver.
 *
 *   TRIGGER := WHAT ['#' N]		the N-th time
 *   WHAT    := FUNCTION '@' FILE	a program or library
 *            | 'sdt:' PROVIDER ':' NAME '@' FILE	a probe of it (SystemTap's sys/sdt.h)
 *            | FUNCTION '@kernel'
 *            | ADDRESS			of an instruction, 0x...
 *            | 'event:' NUMBER		a PMU event at the external inputs of the trace unit
 *            | 'ping:' MS		no ping by --control for so many ms; the recorder's own
 *            | 'latency:' CYCLES	an SPE record with at least so much total latency; the same
 *
 * A function in a file becomes a filter, as the kernel has the address of each mapping. perf
 * permits filters with a file only for tasks. For CPUs the function must be at a fixed address.
 */
#include "flight.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Values of the option "trigger" */
#define TRIGGER_POINT	1
#define TRIGGER_INPUT	2
#define TRIGGER_ADDRESS	3

#define ADDRESS_SHIFT	2	/* of the option "trigger_address", which has 52 bits */
#define ADDRESS_BITS	52

/* A function: offset in its file, and virtual address, valid in all processes if @fixed */
struct function {
	uint64_t offset, address;
	bool fixed;
};

static int bad_trigger(const struct v9_flight *f, const char *why)
{
	v9_error("--trigger %s: %s", f->trigger, why);
	return -EINVAL;
}

/* The number after the last '#', else 1; 0 if it is no number. *@len: length of the text before. */
static uint64_t count_of(const char *trigger, size_t *len)
{
	const char *mark = strrchr(trigger, '#'), *end;
	uint64_t n;

	*len = strlen(trigger);
	if (!mark)
		return 1;
	end = mark + 1;
	if (!v9_take_number(&end, 10, UINT64_MAX, &n) || *end)
		return 0;
	*len = mark - trigger;
	return n;
}

int v9_flight_time(const char *option, const char *text, uint64_t *ns)
{
	static const struct { const char *unit; uint64_t ns; } units[] = {
		{ "", 1000000000 }, { "s", 1000000000 }, { "ms", 1000000 }, { "m", 60000000000 },
		{ "h", 3600000000000 },
	};
	const char *end = text;
	uint64_t n;
	const bool valid = v9_take_number(&end, 10, INT64_MAX, &n) && n;

	for (size_t i = 0; valid && i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].unit) && n <= INT64_MAX / units[i].ns) {
			*ns = n * units[i].ns;
			return 0;
		}
	v9_error("%s %s: wanted is a time, such as 500ms or 30s", option, text);
	return -EINVAL;
}

/* "ping:MS" */
static int parse_silence(struct v9_flight *f)
{
	const char *end;
	uint64_t ms;

	if (!f->trigger || strncmp(f->trigger, "ping:", 5))
		return 0;
	end = f->trigger + 5;
	if (!v9_take_number(&end, 10, UINT32_MAX, &ms) || *end || !ms)
		return bad_trigger(f, "behind 'ping:' a number of milliseconds is wanted");
	if (f->after) {
		v9_error("--after: the trace goes on until a ping is missed: %s has nothing behind it", f->trigger);
		return -EINVAL;
	}
	f->silence_ns = ms * 1000000;
	return 0;
}

/* "latency:CYCLES", then #N. A total latency has at most 16 bits. */
static int parse_latency(struct v9_flight *f)
{
	const char *end;
	uint64_t cycles;

	if (!f->trigger || strncmp(f->trigger, "latency:", 8))
		return 0;
	end = f->trigger + 8;
	if (!v9_take_number(&end, 10, UINT16_MAX, &cycles) || (*end && *end != '#') || !cycles)
		return bad_trigger(f, "behind 'latency:' a number of cycles from 1 to 65535 is wanted");
	if (f->after) {
		v9_error("--after: such a record is seen when it is over: %s has nothing behind it", f->trigger);
		return -EINVAL;
	}
	f->latency = (uint32_t)cycles;
	return 0;
}

int v9_flight_parse(struct v9_flight *f, size_t aux_bytes)
{
	size_t len;

	if (!f->on && (f->after || (f->trigger && !f->beside))) {
		v9_error("%s: only with --flight", f->trigger && !f->beside ? "--trigger" : "--after");
		return -EINVAL;
	}
	if (!f->on && f->trigger && strncmp(f->trigger, "latency:", 8))
		return bad_trigger(f, "beside --aggregate only latency:CYCLES is watched for; others take --flight");
	if (!f->trigger && (f->arm_ns || f->wanted)) {
		v9_error("%s: of which trigger? (--trigger)", f->arm_ns ? "--arm-after" : "--snapshots");
		return -EINVAL;
	}
	if (parse_silence(f) || parse_latency(f))
		return -EINVAL;
	if (f->after && !f->trigger) {
		v9_error("--after: behind which trigger? (--trigger)");
		return -EINVAL;
	}
	f->nth = f->trigger ? count_of(f->trigger, &len) : 1;
	if (!f->nth)
		return bad_trigger(f, "behind '#' a number is wanted");
	f->after_bytes = aux_bytes / 2;
	if (f->after && v9_ev_size(f->after, strlen(f->after), 1, &f->after_bytes) &&
	    strcmp(f->after, "0")) {
		v9_error("--after %s: bytes are wanted, as 4096, 64K or 1M", f->after);
		return -EINVAL;
	}
	if (f->after && !strcmp(f->after, "0"))
		f->after_bytes = 0;
	if (f->after_bytes >= aux_bytes) {
		v9_error("--after %s: that is the whole buffer (-m ,SIZE), nothing from before the "
			 "trigger would be left", f->after);
		return -EINVAL;
	}
	return 0;
}

/* ------------------------------------------------------------------------- functions */

static bool find_symbol(Elf *elf, const char *name, GElf_Sym *sym)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &shdr) || !shdr.sh_entsize ||
		    (shdr.sh_type != SHT_SYMTAB && shdr.sh_type != SHT_DYNSYM))
			continue;
		data = elf_getdata(scn, NULL);
		for (size_t i = 0; data && i < shdr.sh_size / shdr.sh_entsize; i++) {
			const char *has;

			if (!gelf_getsym(data, i, sym) || sym->st_shndx == SHN_UNDEF ||
			    GELF_ST_TYPE(sym->st_info) != STT_FUNC)
				continue;
			has = elf_strptr(elf, shdr.sh_link, sym->st_name);
			if (has && !strcmp(has, name))
				return true;
		}
	}
	return false;
}

#define SDT_TYPE	3	/* of a note of the owner "stapsdt" */
#define SDT_WORDS	24	/* bytes of its address, that of .stapsdt.base, that of its semaphore */

/* @text, of @n bytes: the provider and the name, each with a zero; then other text. @probe: "PROVIDER:NAME" */
static bool is_probe(const char *text, size_t n, const char *probe)
{
	const char *colon = strchr(probe, ':'), *end = memchr(text, 0, n);
	const size_t left = end ? n - (size_t)(end + 1 - text) : 0;

	return colon && end && memchr(end + 1, 0, left) && !strcmp(end + 1, colon + 1) &&
	       end - text == colon - probe && !memcmp(text, probe, (size_t)(end - text));
}

/* Where .stapsdt.base is now; 0: there is none */
static uint64_t base_of(Elf *elf, size_t names)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;

		if (name && !strcmp(name, ".stapsdt.base"))
			return shdr.sh_addr;
	}
	return 0;
}

/* Finds the address of probe "PROVIDER:NAME". Returns NULL, or the reason of a failure. */
static const char *find_probe(Elf *elf, const char *probe, uint64_t *address)
{
	const char *why = "the file has no such probe (readelf -n shows which there are)";
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return why;
	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;
		GElf_Nhdr note;
		size_t at = 0, next, name, desc;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(scn, NULL);
		for (; data && (next = gelf_getnote(data, at, &note, &name, &desc)) > 0; at = next) {
			const char *text = (const char *)data->d_buf + desc;
			uint64_t word[3];

			if (note.n_type != SDT_TYPE || note.n_namesz != sizeof("stapsdt") ||
			    memcmp((const char *)data->d_buf + name, "stapsdt", sizeof("stapsdt")) ||
			    note.n_descsz < SDT_WORDS ||
			    !is_probe(text + SDT_WORDS, note.n_descsz - SDT_WORDS, probe))
				continue;
			memcpy(word, text, sizeof(word));
			if (word[2])
				return "the program skips this probe until a tracer increments its semaphore, "
				       "which this recorder does not: take a function or an address";
			if (!why)
				return "the probe is at several places, and the trace unit compares with one: "
				       "take an address (readelf -n shows them)";
			/* The file may have been linked to another place since. */
			*address = word[0] + (word[1] && base_of(elf, names) ? base_of(elf, names) - word[1] : 0);
			why = NULL;
		}
	}
	return why;
}

/* Convert a virtual address in an executable segment of the file to an offset in the file. */
static bool to_offset(Elf *elf, uint64_t address, uint64_t *offset)
{
	GElf_Phdr ph;
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD || !(ph.p_flags & PF_X) ||
		    address < ph.p_vaddr || address - ph.p_vaddr >= ph.p_filesz)
			continue;
		*offset = address - ph.p_vaddr + ph.p_offset;
		return true;
	}
	return false;
}

/* Find function @name, or probe "sdt:PROVIDER:NAME", in the file. Returns NULL, or the reason of a failure. */
static const char *look_into(int fd, const char *name, struct function *fn)
{
	const bool probe = !strncmp(name, "sdt:", 4);
	const char *why = NULL;
	GElf_Ehdr ehdr;
	GElf_Sym sym;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr))
		why = "the file is no ELF file";
	else if (ehdr.e_machine != EM_AARCH64 && ehdr.e_machine != EM_ARM)
		why = "the file is neither for arm64 nor for 32-bit Arm";
	else if (probe && ehdr.e_machine == EM_ARM)
		why = "probes of 32-bit programs are not read: take a function";
	else if (probe)
		why = find_probe(elf, name + 4, &fn->address);
	else if (!find_symbol(elf, name, &sym))
		why = "the file has no such function (is it stripped?)";
	else
		fn->address = v9_function_address(ehdr.e_machine, sym.st_value);
	if (!why && !to_offset(elf, fn->address, &fn->offset))
		why = "it is in no part of the file that is mapped";
	fn->fixed = !why && ehdr.e_type == ET_EXEC;
	elf_end(elf);
	return why;
}

/* A name without a slash that is no file in the current directory is searched in PATH. */
static char *find_file(const char *name)
{
	char *path = realpath(name, NULL), *all, *save = NULL;

	if (path || strchr(name, '/') || !getenv("PATH"))
		return path;
	all = v9_strdup(getenv("PATH"));
	for (char *dir = strtok_r(all, ":", &save); dir && !path;
	     dir = strtok_r(NULL, ":", &save)) {
		char *try = v9_format("%s/%s", dir, name);

		path = realpath(try, NULL);
		free(try);
	}
	free(all);
	return path;
}

static int function_in_file(struct v9_flight *f, const char *name, const char *file,
			    const struct v9_target *t, uint64_t *address)
{
	char *path = find_file(file);
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct function fn = { 0 };
	const char *why;
	int ret = 0;

	if (fd < 0) {
		v9_error("--trigger %s: %s: %s", f->trigger, file, strerror(errno));
		free(path);
		return -ENOENT;
	}
	why = look_into(fd, name, &fn);
	close(fd);
	if (!why && t->kind == V9_TARGET_CPUS && !fn.fixed)
		why = "for whole CPUs a function must be at the same address in each process, and "
		      "this file is mapped anywhere; take -p, -t, a command, or an address";
	if (!why && t->kind == V9_TARGET_CPUS && (fn.address & 2))
		why = "for whole CPUs a function must be at an address that is a multiple of 4, and this one "
		      "of T32 code is not; take -p, -t or a command";
	if (why)
		ret = bad_trigger(f, why);
	else if (t->kind == V9_TARGET_CPUS)
		*address = fn.address;
	else
		f->filter = v9_format("stop %#llx@%s", (unsigned long long)fn.offset, path);
	free(path);
	return ret;
}

/* Search /proc/kallsyms. It has addresses of 0 for a user without permission. */
static int function_of_kernel(struct v9_flight *f, const char *name)
{
	char *text = v9_read_file("/proc/kallsyms", NULL), *save = NULL;
	uint64_t address = 0;
	char symbol[256], type;
	unsigned long long at;

	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line && !address;
	     line = strtok_r(NULL, "\n", &save))
		if (sscanf(line, "%llx %c %255s", &at, &type, symbol) == 3 &&
		    (type == 't' || type == 'T') && !strcmp(symbol, name))
			address = at;
	free(text);
	f->kernel = true;
	if (!address)
		return bad_trigger(f, "the kernel has no such function, or does not say where "
				      "it is (be root)");
	f->filter = v9_format("stop %#llx", (unsigned long long)address);
	return 0;
}

/* --------------------------------------------------------------------------- options */

static uint64_t *word_of(struct v9_event_spec *ev, int word)
{
	switch (word) {
	case V9_EV_CONFIG:
		return (uint64_t *)&ev->attr.a.config;
	case V9_EV_CONFIG1:
		return (uint64_t *)&ev->attr.a.config1;
	case V9_EV_CONFIG2:
		return (uint64_t *)&ev->attr.a.config2;
	case V9_EV_CONFIG3:
		return &ev->attr.word[V9_ATTR_CONFIG3];
	default:
		return &ev->attr.word[V9_ATTR_CONFIG4];
	}
}

static int put_option(const struct v9_flight *f, const struct v9_perf_pmu *pmu,
		      struct v9_event_spec *ev, const char *name, uint64_t value)
{
	const struct v9_ev_field *field = v9_pmu_field(pmu, name);
	uint64_t word[V9_EV_WORDS];

	if (!field) {
		v9_error("--trigger %s: %s has no option '%s': another driver than v9_ete, a trace "
			 "unit without the means, or a kernel that is too old", f->trigger,
			 pmu->name, name);
		return -EOPNOTSUPP;
	}
	word[field->word] = *word_of(ev, field->word);
	if (v9_ev_field_put(field, value, word)) {
		v9_error("--trigger %s: %llu is too large, at most %llu", f->trigger,
			 (unsigned long long)value, (unsigned long long)v9_ev_field_max(field));
		return -ERANGE;
	}
	*word_of(ev, field->word) = word[field->word];
	if (field->word == V9_EV_CONFIG3 && ev->attr.a.size < V9_ATTR_CONFIG4 * sizeof(uint64_t))
		ev->attr.a.size = V9_ATTR_CONFIG4 * sizeof(uint64_t);
	return 0;
}

/* Options of a trigger: @kind for "trigger", @value for @option, @count for "trigger_count" */
struct aim {
	uint64_t kind, value, count;
	const char *option;		/* NULL: none */
};

static int at_address(const struct v9_flight *f, uint64_t address, struct aim *aim)
{
	if (!address || (address & 3))
		return bad_trigger(f, "that is no instruction's address");
	aim->kind = TRIGGER_ADDRESS;
	aim->option = "trigger_address";
	aim->value = address >> ADDRESS_SHIFT & (UINT64_MAX >> (64 - ADDRESS_BITS));
	return 0;
}

static int resolve(struct v9_flight *f, const struct v9_target *t, struct aim *aim)
{
	char *what = v9_strdup(f->trigger), *at;
	const char *end = what;
	uint64_t address = 0;
	size_t len;
	int ret;

	count_of(f->trigger, &len);
	aim->count = f->nth;
	aim->kind = TRIGGER_POINT;
	what[len] = '\0';
	at = strrchr(what, '@');
	if (at && at > what && at[1]) {
		*at++ = '\0';
		ret = !strcmp(at, "kernel") ? function_of_kernel(f, what) :
					      function_in_file(f, what, at, t, &address);
		if (!ret && address)
			ret = at_address(f, address, aim);
	} else if (!strncmp(what, "event:", 6)) {
		aim->kind = TRIGGER_INPUT;
		aim->option = "input";
		end = what + 6;
		ret = v9_take_number(&end, 0, UINT64_MAX, &aim->value) && !*end ? 0 :
		      bad_trigger(f, "behind 'event:' a number is wanted");
	} else {
		ret = !v9_take_number(&end, 0, UINT64_MAX, &address) || *end ?
		      bad_trigger(f, "wanted is FUNCTION@FILE, FUNCTION@kernel, an address, or "
				     "event:NUMBER; then #N for the N-th time") :
		      at_address(f, address, aim);
		f->kernel = address >> 63;
	}
	free(what);
	return ret;
}

static int aim_event(const struct v9_flight *f, struct v9_event_spec *ev, const struct aim *aim)
{
	struct v9_perf_pmu pmu;
	int ret = v9_pmu_open("cs_etm", &pmu);

	if (ret)
		return ret;
	ret = put_option(f, &pmu, ev, "trigger", aim->kind);
	if (!ret && aim->option)
		ret = put_option(f, &pmu, ev, aim->option, aim->value);
	if (!ret && aim->count > 1)
		ret = put_option(f, &pmu, ev, "trigger_count", aim->count);
	if (!ret)
		ret = put_option(f, &pmu, ev, "trigger_after", f->after_bytes);
	v9_pmu_close(&pmu);
	if (!ret && f->kernel && ev->attr.a.exclude_kernel && !ev->any_side) {
		v9_error("--trigger %s: %s does not trace the kernel", f->trigger, ev->label);
		ret = -EINVAL;
	}
	return ret;
}

/* Does the trace unit detect the trigger? */
static bool by_unit(const struct v9_flight *f)
{
	return f->trigger && !f->silence_ns && !f->latency;
}

int v9_flight_aim(struct v9_flight *f, struct v9_event_spec *ev, int evs, const struct v9_target *t)
{
	struct aim aim = { 0 };
	const bool unit = by_unit(f);
	int ret = unit ? resolve(f, t, &aim) : 0;
	bool some = false;

	for (int i = 0; !ret && i < evs; i++) {
		if (!ev[i].aux || !ev[i].aux->needs_code)
			continue;
		some = true;
		ev[i].overwrite = true;
		if (unit)
			ret = aim_event(f, &ev[i], &aim);
	}
	if (!ret && !some) {
		v9_error("--flight: it is for traces of instructions (-e cs_etm//)");
		ret = -EINVAL;
	}
	return ret;
}

/* The driver's own count: another stop has the same flag in its AUX record. */
static uint64_t times_fired(void)
{
	char *path = v9_format("%s/cs_etm/stats/triggered", v9_pmu_root);
	char *line = v9_read_line(path);
	const uint64_t n = line ? strtoull(line, NULL, 10) : UINT64_MAX;

	free(path);
	free(line);
	return n;
}

enum v9_flight_end v9_flight_ended(const struct v9_flight *f, const struct v9_rings *r)
{
	if (f->own)
		return V9_FLIGHT_FIRED;
	if (!r->triggered)
		return V9_FLIGHT_END;
	return by_unit(f) && (f->fired == UINT64_MAX || times_fired() > f->fired) ?
	       V9_FLIGHT_FIRED : V9_FLIGHT_STOPPED;
}

enum v9_flight_step v9_flight_take(struct v9_flight *f, const struct v9_rings *r, bool own, bool early)
{
	f->own = own;
	if (f->beside) {
		f->own = false;
		if (early || (f->wanted && f->taken >= f->wanted)) {
			f->ignored++;
			return V9_FLIGHT_IGNORE;
		}
		f->snapshots++;
		return V9_FLIGHT_ASK;
	}
	if (v9_flight_ended(f, r) != V9_FLIGHT_FIRED)
		return V9_FLIGHT_STOP;
	if (early) {
		f->ignored++;
		f->own = false;
		return own ? V9_FLIGHT_IGNORE : V9_FLIGHT_FORGET;
	}
	return ++f->snapshots < f->wanted ? V9_FLIGHT_KEEP : V9_FLIGHT_STOP;
}

void v9_flight_again(struct v9_flight *f)
{
	f->own = false;
	f->fired = times_fired();
}

int v9_flight_arm(struct v9_flight *f, const struct v9_rings *r)
{
	f->fired = times_fired();
	for (int i = 0; f->filter && i < r->evs; i++) {
		if (!r->ev[i].overwrite)
			continue;
		for (int j = 0; j < r->ev[i].insts; j++) {
			const int fd = r->ev[i].inst[j].fd;

			if (fd < 0 || !ioctl(fd, PERF_EVENT_IOC_SET_FILTER, f->filter))
				continue;
			v9_error("--trigger %s: the driver refuses the filter '%s': %s", f->trigger,
				 f->filter, strerror(errno));
			return -errno;
		}
	}
	return 0;
}
