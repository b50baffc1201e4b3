// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "heap.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../perfdata.h"
#include "../util.h"
#include "files.h"

/* Registers at the first instruction of a function, before it changes any: AAPCS64. */
#define COMMON	"sp=%sp caller=%x30 caller2=+8(%x29) caller3=+8(+0(%x29))"
#define RESULT	"sp=%sp result=$retval"
#define STACK	" stack=+0(%sp):u64[32]"

enum { FUNCTIONS = 9 };

static const struct {
	const char *name, *arguments;	/* fields: perfdata.h, PD_HEAP_SYSTEM */
	const char *returns;		/* NULL: the return is not needed */
} functions[FUNCTIONS] = {
	{ "malloc", "size=%x0", RESULT },
	{ "calloc", "n=%x0 size=%x1", RESULT },
	{ "realloc", "old=%x0 size=%x1", RESULT },
	{ "aligned_alloc", "size=%x1", RESULT },
	{ "memalign", "size=%x1", RESULT },
	{ "valloc", "size=%x0", RESULT },
	{ "pvalloc", "size=%x0", RESULT },
	{ "posix_memalign", "out=%x0 size=%x2", RESULT STACK },
	{ "free", "old=%x0", NULL },
};

/* ---- the file */

static uint64_t offset_of(Elf *elf, uint64_t addr)
{
	size_t n = 0;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &n))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD && ph.p_flags & PF_X &&
		    addr >= ph.p_vaddr && addr - ph.p_vaddr < ph.p_filesz)
			return addr - ph.p_vaddr + ph.p_offset;
	return 0;
}

static void look(Elf *elf, Elf_Scn *section, const char *const *names, int n, uint64_t *offset)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr sh;
	GElf_Sym sym;

	if (!data || !gelf_getshdr(section, &sh))
		return;
	for (int i = 0; gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, sh.sh_link, sym.st_name);

		if (!name || sym.st_shndx == SHN_UNDEF || GELF_ST_TYPE(sym.st_info) != STT_FUNC)
			continue;
		for (int k = 0; k < n; k++)
			if (!offset[k] && !strcmp(name, names[k]))
				offset[k] = offset_of(elf, sym.st_value);
	}
}

const char *v9_heap_offsets(const char *file, const char *const *names, int n, uint64_t *offset)
{
	const int fd = open(file, O_RDONLY | O_CLOEXEC);
	Elf_Scn *section = NULL;
	const char *why = NULL;
	GElf_Ehdr eh;
	GElf_Shdr sh;
	Elf *elf;

	memset(offset, 0, (size_t)n * sizeof(*offset));
	if (fd < 0)
		return strerror(errno);
	elf_version(EV_CURRENT);
	/* Not mapped: whoever owns the file may cut it at any time. */
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &eh))
		why = "not an ELF file";
	else if (eh.e_machine != EM_AARCH64)
		why = "not of AArch64";
	while (!why && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &sh) && (sh.sh_type == SHT_DYNSYM || sh.sh_type == SHT_SYMTAB))
			look(elf, section, names, n, offset);
	elf_end(elf);
	close(fd);
	return why;
}

/* Returns the path of the C library that a process has mapped, or NULL. The caller frees it. */
static char *mapped(int pid)
{
	static const char *const heads[] = { "libc.so.", "libc-", "ld-musl-" };
	char *path = v9_format("/proc/%d/maps", pid), *maps = v9_read_file(path, NULL), *save = NULL;
	char *found = NULL;

	free(path);
	for (char *line = maps ? strtok_r(maps, "\n", &save) : NULL; line && !found;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *name = strchr(line, '/'), *base = name ? strrchr(name, '/') + 1 : NULL;

		for (size_t i = 0; base && !found && i < V9_ARRAY_SIZE(heads); i++)
			if (!strncmp(base, heads[i], strlen(heads[i])))
				found = v9_files_where(pid) == V9_ELSEWHERE ?
					v9_format("/proc/%d/root%s", pid, name) : v9_strdup(name);
	}
	free(maps);
	return found;
}

static char *c_library(const struct v9_target *target)
{
	static const char *const places[] = {
		"/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6", "/usr/lib/libc.so.6",
		"/lib/ld-musl-aarch64.so.1" };

	for (int i = 0; i < target->pids; i++) {
		char *found = mapped(target->pid[i]);

		if (found)
			return found;
	}
	for (size_t i = 0; i < V9_ARRAY_SIZE(places); i++)
		if (!access(places[i], R_OK))
			return v9_strdup(places[i]);
	return NULL;
}

/* ---- tracefs */

/* Returns 0 or -errno. The kernel takes a definition by one write. */
static int define(const char *line)
{
	char *path = v9_format("%s/uprobe_events", v9_tracefs_root());
	const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	int err = fd < 0 ? errno : 0;

	free(path);
	if (!err && write(fd, line, strlen(line)) < 0)
		err = errno;
	if (fd >= 0)
		close(fd);
	return -err;
}

/* Not a task that has ended and whose parent does not wait for it. Only root asks. */
static bool lives(int pid)
{
	char *path = v9_format("/proc/%d/exe", pid), exe[1];
	const bool yes = readlink(path, exe, sizeof(exe)) >= 0;

	free(path);
	return yes;
}

/* Removes the uprobes of a system; @system NULL: those of recorders that have ended. */
static void remove_all(const char *system)
{
	char *path = v9_format("%s/uprobe_events", v9_tracefs_root());
	char *all = v9_read_file(path, NULL), *save = NULL;

	free(path);
	/* "p:v9trace_heap_12/malloc /lib/...:0x1234 ..." */
	for (char *line = all ? strtok_r(all, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
		const char *event = strlen(line) > 2 ? line + 2 : "";
		const size_t head = strlen(PD_HEAP_SYSTEM);
		char *text;

		if (strncmp(event, PD_HEAP_SYSTEM, head) || !isdigit((unsigned char)event[head]))
			continue;
		if (system ? strncmp(event, system, strlen(system)) || event[strlen(system)] != '/' :
			     lives(atoi(event + head)))
			continue;
		text = v9_format("-:%.*s\n", (int)strcspn(event, " "), event);
		define(text);
		free(text);
	}
	free(all);
}

static int complain(const char *file, int err)
{
	if (err == -EACCES || err == -EPERM)
		v9_error("--heap: only root may define uprobes (%s/uprobe_events)", v9_tracefs_root());
	else if (err == -ENOENT)
		v9_error("--heap: this kernel has no uprobes (CONFIG_UPROBE_EVENTS)");
	else
		v9_error("--heap: no uprobe in %s: %s (%s/error_log may say more)", file, strerror(-err),
			 v9_tracefs_root());
	return err;
}

static int add_event(const char *system, const char *function, const char *tail, struct v9_event_spec **events,
		     int *n)
{
	char *name = v9_format("%s:%s%s", system, function, tail);
	const int ret = v9_spec_add(name, events, n);

	free(name);
	return ret;
}

static int add_function(struct v9_heap_probes *h, const char *file, int i, uint64_t offset,
			struct v9_event_spec **events, int *n)
{
	const char *name = functions[i].name, *returns = functions[i].returns;
	char *line;
	int ret;

	line = v9_format("p:%s/%s %s:0x%llx %s %s\n", h->system, name, file, (unsigned long long)offset,
			 COMMON, functions[i].arguments);
	ret = define(line);
	free(line);
	if (!ret && returns) {
		line = v9_format("r:%s/%s" PD_HEAP_RETURN " %s:0x%llx %s\n", h->system, name, file,
				 (unsigned long long)offset, returns);
		ret = define(line);
		free(line);
	}
	if (ret)
		return complain(file, ret);
	ret = add_event(h->system, name, "", events, n);
	return ret || !returns ? ret : add_event(h->system, name, PD_HEAP_RETURN, events, n);
}

int v9_heap_define(struct v9_heap_probes *h, const struct v9_target *target, struct v9_event_spec **events,
		   int *n)
{
	char *file = h->file ? realpath(h->file, NULL) : c_library(target);
	uint64_t offset[FUNCTIONS] = { 0 };
	const char *names[FUNCTIONS], *why;
	int ret = 0;

	for (int i = 0; i < FUNCTIONS; i++)
		names[i] = functions[i].name;
	why = !v9_tracefs_root() ? "tracefs is not mounted (mount -t tracefs nodev /sys/kernel/tracing)" :
	      file ? v9_heap_offsets(file, names, FUNCTIONS, offset) :
	      h->file ? strerror(errno) : "no C library found";
	if (!why && !offset[0])
		why = "it has no function malloc";
	if (!why && strpbrk(file, " \t:"))
		why = "uprobes cannot name a path with a space or a colon";
	if (why) {
		v9_error("--heap: %s: %s; --heap=FILE names the library, or the static program, that has "
			 "malloc", h->file ? h->file : file ? file : "libc.so.6", why);
		free(file);
		return -EINVAL;
	}
	remove_all(NULL);
	h->system = v9_format(PD_HEAP_SYSTEM "%d", getpid());
	for (int i = 0; i < FUNCTIONS && !ret; i++) {
		bool known = !offset[i];

		/* Two names of one function are one event. */
		for (int k = 0; k < i; k++)
			known |= offset[k] == offset[i];
		if (!known)
			ret = add_function(h, file, i, offset[i], events, n);
	}
	free(file);
	return ret;
}

void v9_heap_remove(struct v9_heap_probes *h)
{
	if (!h->system)
		return;
	remove_all(h->system);
	free(h->system);
	h->system = NULL;
}
