// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "compat.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../perfdata.h"
#include "code.h"

#ifndef MFD_EXEC	/* older C libraries */
#define MFD_EXEC	0x10
#endif

#define NAME		"v9trace-32-bit"
#define BASE		0x10000
#define LIMIT		UINT64_C(0x100000000)	/* of the addresses of a 32-bit program */
#define MOST		(UINT64_C(1) << 20)	/* bytes of a mapping that are read */

/* The mappings, and what they become */
static const struct mapping {
	const char *name;
	enum pd_code_kind kind;
} mappings[V9_COMPAT_MAPPINGS] = {
	{ "[vdso]", PD_CODE_VDSO32 },
	{ "[sigpage]", PD_CODE_SIGPAGE },
	{ "[vectors]", PD_CODE_VECTORS },
};

/* A static program of A32 code, whose only instruction branches to itself. */
static int make_program(void)
{
	struct {
		Elf32_Ehdr eh;
		Elf32_Phdr ph;
		uint32_t code;
	} p = {
		.eh = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC, .e_machine = EM_ARM, .e_version = EV_CURRENT,
			.e_entry = BASE + sizeof(p) - sizeof(p.code), .e_phoff = sizeof(p.eh),
			.e_flags = 0x05000000,		/* EABI version 5 */
			.e_ehsize = sizeof(p.eh), .e_phentsize = sizeof(p.ph), .e_phnum = 1,
		},
		.ph = {
			.p_type = PT_LOAD, .p_vaddr = BASE, .p_paddr = BASE, .p_filesz = sizeof(p),
			.p_memsz = sizeof(p), .p_flags = PF_R | PF_X, .p_align = 0x1000,
		},
		.code = 0xeafffffe,
	};
	int fd = memfd_create(NAME, MFD_CLOEXEC | MFD_EXEC);

	if (fd < 0 && errno == EINVAL)		/* before Linux 6.3 */
		fd = memfd_create(NAME, MFD_CLOEXEC);
	if (fd >= 0 && write(fd, &p, sizeof(p)) != sizeof(p)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Returns the process, which has not executed anything, or -1. */
static pid_t start_program(void)
{
	static char *const none[] = { NULL };
	char *argv[] = { NAME, NULL };
	const int fd = make_program();
	int status;
	pid_t pid;

	if (fd < 0)
		return -1;
	pid = fork();
	if (!pid) {
		if (!ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			syscall(SYS_execveat, fd, "", argv, none, AT_EMPTY_PATH);
		_exit(1);
	}
	close(fd);
	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (!WIFSTOPPED(status))
		return -1;
	ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL);	/* it would loop for ever */
	return pid;
}

static void stop_program(pid_t pid)
{
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static void read_mapping(struct v9_blob *code, int memory, uint64_t start, uint64_t size)
{
	uint8_t *bytes;

	if (start >= LIMIT || size > MOST || code->len)
		return;
	bytes = v9_alloc(size);
	if (pread(memory, bytes, size, (off_t)start) == (ssize_t)size)
		v9_blob_put(code, bytes, size);
	free(bytes);
}

void v9_compat_read(struct v9_compat *c)
{
	const pid_t pid = start_program();
	char path[64], line[512], name[32];
	unsigned long long start, end;
	FILE *maps;
	int memory;

	if (pid < 0)
		return;
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "re");
	while (maps && memory >= 0 && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%llx-%llx %*s %*s %*s %*s %31s", &start, &end, name) != 3)
			continue;
		for (size_t i = 0; i < V9_COMPAT_MAPPINGS; i++)
			if (!strcmp(name, mappings[i].name))
				read_mapping(&c->code[i], memory, start, end - start);
	}
	if (maps)
		fclose(maps);
	if (memory >= 0)
		close(memory);
	stop_program(pid);
}

void v9_compat_put(struct v9_blob *out, const struct v9_compat *c, struct v9_objects *objects)
{
	for (size_t i = 0; i < V9_COMPAT_MAPPINGS; i++) {
		const struct v9_blob *code = &c->code[i];

		if (!code->len)
			continue;
		v9_code_part(out, mappings[i].kind, 0, code->data, code->len);
		if (mappings[i].kind == PD_CODE_VDSO32)
			v9_objects_image(objects, "[vdso32]", code->data, code->len);
	}
}

void v9_compat_free(struct v9_compat *c)
{
	for (size_t i = 0; i < V9_COMPAT_MAPPINGS; i++)
		v9_blob_free(&c->code[i]);
}
