/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Address -> object and function.
 *
 * Mappings of each process over time are from the side-band. Functions are from the ELF file with
 * the recorded build-id, from its debug file, or, for the kernel, from a copy of /proc/kallsyms or
 * from vmlinux. A file with another build-id is not used.
 */
#ifndef V9TRACE_CAPTURE_SYM_H
#define V9TRACE_CAPTURE_SYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../util.h"
#include "embedded.h"
#include "strtab.h"
#include "tar.h"

#define V9_VDSO_NAME	"[vdso]"
#define V9_VDSO32_NAME	"[vdso32]"	/* of 32-bit programs, whose mapping has the same name */
#define V9_KERNEL_PID	UINT32_MAX	/* as in perf.data */
#define V9_KERNEL_HALF	(UINT64_C(1) << 55)	/* set in each address of the upper VA range */
#define V9_BUILD_ID_MAX	20

static inline bool v9_is_vdso(const char *name)
{
	return !strcmp(name, V9_VDSO_NAME) || !strcmp(name, V9_VDSO32_NAME);
}
#define V9_BUILD_ID_TEXT	(2 * V9_BUILD_ID_MAX + 1)

struct v9_func {
	uint64_t start, end;
	const char *name;	/* demangled, unless opts.raw_names */
	const char *linkage;	/* linkage name, if that is another one, else NULL */
	const char *dso;	/* kallsyms: the module, else NULL */
};

/* An object: an ELF file, the kernel, or a mapping without a file */
struct v9_dso {
	const char *name;
	uint8_t build_id[V9_BUILD_ID_MAX];
	uint8_t build_id_size;
	bool loaded;
	bool raw_names;		/* from v9_syms_opts */
	bool has_symtab;	/* functions are from .symtab: a debug file has no more */
	const char *why;	/* why it has no functions although it was loaded */
	struct v9_func *funcs;	/* sorted by address in the file */
	size_t nr_funcs;
	struct v9_func *objs;	/* variables, sorted likewise, if @wants_objs */
	size_t nr_objs;
	bool wants_objs;
	struct v9_seg { uint64_t offset, size, addr; } segs[16];
	unsigned int nr_segs;
	struct v9_func *embedded;	/* functions from the capture, used if no file has functions */
	size_t nr_embedded;
	struct v9_seg embedded_seg; /* segment of @embedded: file offset to address; size 0: not known */
	bool jit;		/* a jitdump (jit.h): addresses are offsets in it */
	uint32_t jit_pid;	/* the process that mapped it */
	bool untimed;		/* the times of its code are of a clock that cannot be converted */
	bool anonymous;		/* a mapping without a file */
	uint8_t *own;		/* bytes of the jitdump, if they are not from the capture */
	struct v9_dso_line { uint64_t addr; uint32_t line; const char *file; } *lines;	/* of a jitdump */
	size_t nr_lines;
	uint64_t unresolved;	/* records without a known function; counted by the user */
	struct v9_dso_code {	/* code.c */
		const uint8_t *bytes;
		size_t size;
		bool sought;
		bool embedded;		/* @bytes are from the capture */
		const char *why;	/* why there are no bytes although @sought */
		uint64_t missed;	/* number of reads of code that is not there */
	} code;
};

struct v9_map {
	uint64_t time, start, end, pgoff;
	uint64_t reach;		/* highest end of all maps up to this one */
	struct v9_dso *dso;
};

/* See layers.h. */
struct v9_layers {
	uint64_t *bound;	/* begins and ends of mappings, ascending */
	size_t nr;		/* intervals between bounds; 0: not built */
	size_t *first;		/* of each node: its first entry */
	uint32_t *entry;	/* indices of mappings, of each node by time */
};

/* Permissions of a mapping. DATA: it was recorded as a mapping of data. */
enum { V9_MAP_EXEC = 1, V9_MAP_WRITE = 2, V9_MAP_DATA = 4 };

/* Mappings of a process, from an exec or fork to the next exec */
struct v9_space {
	uint64_t time;
	uint32_t pid, seq;
	size_t parent;		/* space it was copied from at @time, or V9_NO_SPACE */
	struct v9_map *maps;	/* by start, then by time */
	size_t nr_maps;
	struct v9_map *writes;	/* writable mappings over code, with their times, by start */
	size_t nr_writes;
	struct v9_map *datas;	/* mappings of data, by start, if opts.objects */
	size_t nr_datas;
	struct v9_map *jits;	/* generated code, sorted as @maps */
	size_t nr_jits;
	struct v9_layers map_layers, jit_layers;	/* built if they overlap */
	size_t last;
};

#define V9_NO_SPACE	SIZE_MAX

/* A side-band record, in the order of the file. v9_syms_seal() turns them into spaces. */
struct v9_sym_event {
	uint64_t time;
	uint32_t pid, ppid, seq;
	enum { V9_SYM_MAP, V9_SYM_WRITE, V9_SYM_DATA, V9_SYM_EXEC, V9_SYM_FORK, V9_SYM_JIT } what;
	struct v9_map map;
};

struct v9_syms_opts {
	const char *symfs;		/* prefix of recorded paths, or NULL */
	const char *debug_dir;		/* has .build-id/, or is an archive (tar.h), or NULL */
	const char *root;		/* prefix of /proc and /sys of this machine, or NULL */
	const char *vmlinux;
	const char *kallsyms;
	const char *kcore;		/* copy of the kernel's memory */
	bool raw_names;			/* do not demangle */
	bool objects;			/* look up data addresses, too (data.h) */
};

struct v9_syms {
	struct v9_syms_opts opts;
	struct v9_tar archive;		/* opts.debug_dir, if that is one */
	struct v9_embedded embedded;		/* code in the capture */
	struct v9_strtab *strtab;
	struct v9_dso **dsos;		/* the first is the kernel */
	size_t nr_dsos;
	struct v9_strtab by_id;		/* name and build-id -> index into dsos, + 1 */
	struct v9_sym_event *events;
	size_t nr_events;
	bool has_data_maps;		/* the capture has mappings of data */
	struct v9_space *spaces;	/* by pid, then by time */
	size_t nr_spaces, last_space;
	uint64_t *changes;		/* times at which results of look-ups change, ascending */
	size_t nr_changes;
	struct v9_bpf_symbol *bpf;	/* functions of BPF programs and their ends, see bpf.c */
	size_t nr_bpf;
	struct v9_dso *perf_map;	/* result of the last v9_perf_map(), of @perf_map_pid */
	uint32_t perf_map_pid;
	bool perf_map_sought;
	char *embedded_kallsyms;		/* kallsyms from the capture, or NULL */
	size_t embedded_kallsyms_len;
	uint64_t kernel_ref;		/* run-time address of _text or _stext; 0: not known */
	const char *kernel_ref_name;
};

struct v9_place {
	struct v9_dso *dso;		/* NULL: no mapping is known */
	const char *dso_name;		/* never NULL; may be "[unknown]" */
	const struct v9_func *func;	/* NULL: not known */
	uint64_t offset;		/* in the function; without one, address in the file */
};

/* An epoch is the time between two changes of mappings: its number is that of the changes before it. */
struct v9_epochs {
	const struct v9_syms *syms;
	uint64_t from, to;		/* time range of .epoch, ns: @from to @to - 1 */
	size_t epoch;			/* the last one looked up */
};

/* Returns the epoch of a time in ns. @e is zeroed before its first use, apart from .syms. */
size_t v9_epochs_at(struct v9_epochs *e, uint64_t time);

void v9_syms_init(struct v9_syms *s, struct v9_strtab *strtab, const struct v9_syms_opts *opts);

/*
 * Returns true if @id, of @size bytes, is the recorded build-id of @d. Old records have no size and
 * are padded with zeros, so trailing zeros of the longer one are ignored.
 */
bool v9_dso_has_id(const struct v9_dso *d, const uint8_t *id, size_t size);

/*
 * Writes the path of a file by the build-id of @d: @head/.build-id/XX/YYYY@tail. @trim removes
 * trailing zeros of the id. Returns false if @d has no id, or if trimming changes nothing.
 */
bool v9_dso_id_path(char *out, size_t size, const struct v9_dso *d, const char *head,
		    const char *tail, bool trim);

/* Writes a build-id as hexadecimal digits into @room; without one "". Returns @room. */
const char *v9_build_id_text(char room[V9_BUILD_ID_TEXT], const uint8_t *id, unsigned int size);

/* Adds a mapping. @build_id may be NULL. */
void v9_syms_map(struct v9_syms *s, uint64_t time, uint32_t pid, uint64_t start, uint64_t size,
		 uint64_t pgoff, unsigned int prot, const char *name, size_t len,
		 const uint8_t *build_id, unsigned int build_id_size);
void v9_syms_exec(struct v9_syms *s, uint64_t time, uint32_t pid);
void v9_syms_fork(struct v9_syms *s, uint64_t time, uint32_t pid, uint32_t ppid);
void v9_syms_build_id(struct v9_syms *s, const char *name, size_t len,
		      const uint8_t *build_id, unsigned int build_id_size);

/* Adds generated code: @size bytes at @start, which are at @offset of the object @d. */
void v9_syms_jit(struct v9_syms *s, uint64_t time, uint32_t pid, uint64_t start, uint64_t size,
		 uint64_t offset, struct v9_dso *d);

/*
 * Returns the mapping of a BPF program at a kernel address, see bpf.h; NULL if there is none at that
 * time. *@newest: no other program was loaded there later.
 */
const struct v9_map *v9_syms_bpf(struct v9_syms *s, uint64_t time, uint64_t addr, bool *newest);

/* Returns the object with that name and no build-id; @name is from s->strtab. */
struct v9_dso *v9_syms_dso(struct v9_syms *s, const char *name);

/* Returns the object with that name and build-id, of @size bytes, which may be 0. */
struct v9_dso *v9_syms_object(struct v9_syms *s, const char *name, const uint8_t *id, unsigned int size);

/*
 * Completes an object of generated code, whose functions were added: sorts them, and sets the code, @n
 * bytes from address 0. @bytes are valid as long as @s; NULL if the code is not known.
 */
void v9_syms_generated(struct v9_dso *d, const uint8_t *bytes, size_t n);

/* Parses text in the format of /proc/kallsyms. Returns false if it has no usable address. */
bool v9_syms_kallsyms(struct v9_syms *s, const char *text, size_t n);

/* Keeps kallsyms of the capture until they are needed. */
void v9_syms_tell_kallsyms(struct v9_syms *s, const char *text, size_t n);

/* Reads a symbol section of simpleperf (simpleperf.h); it may be NULL or have any content. */
void v9_syms_simpleperf(struct v9_syms *s, const uint8_t *section, size_t n, bool proto);

void v9_syms_seal(struct v9_syms *s);
void v9_syms_find(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr,
		  struct v9_place *place);

/*
 * Returns the mapping of an address, if v9_syms_find() was called for it and v9_map_place() finds the same for each
 * address of the mapping, in the epoch of @time. NULL: other mappings of the process decide, too.
 */
const struct v9_map *v9_syms_sole_map(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr);
void v9_map_place(const struct v9_map *m, uint64_t addr, struct v9_place *place);	/* needs no lock */

/*
 * Finds only the object of an address, which is faster. *@linked: the address in it, as linked; without
 * an object @addr. Returns NULL if no object is known.
 */
struct v9_dso *v9_syms_linked(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr, uint64_t *linked);

/* Returns the file of @d if it is in the capture, as the vDSO and files of containers; else NULL. */
const uint8_t *v9_syms_image(struct v9_syms *s, const struct v9_dso *d, size_t *size);

/* Returns the mapping at @addr, valid until the next call; NULL if not known. */
const struct v9_map *v9_syms_map_at(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr);

/*
 * Returns the first writable mapping over the mapping @m of @addr that ends after @addr; the code
 * there may have been written. NULL if there is none.
 */
const struct v9_map *v9_syms_written(struct v9_syms *s, uint32_t pid, uint64_t time,
				     uint64_t addr, const struct v9_map *m);

/* Returns the mappings of the process at @time; NULL if not known. Older ones: .parent. */
struct v9_space *v9_syms_space(struct v9_syms *s, uint32_t pid, uint64_t time);

/* Loads the symbols of @d, unless they are loaded. */
void v9_syms_load(struct v9_syms *s, struct v9_dso *d);

/*
 * Appends text like /proc/kallsyms with the addresses of the capture: that in the capture, else that
 * of a copy by build-id, else that of the running kernel. Returns NULL, or why there is none.
 */
const char *v9_syms_kernel_text(struct v9_syms *s, struct v9_blob *text);

/* Returns the address of the byte at @offset of the file, by its segments. */
uint64_t v9_dso_address(const struct v9_dso *d, uint64_t offset);

/* Does a user mean @func: by its name, with or without parameters, or its linkage name? */
bool v9_func_is(const struct v9_func *func, const char *name);

/* Returns the function at an address of the file, of the kernel at a run-time address; or NULL. */
const struct v9_func *v9_dso_func(const struct v9_dso *d, uint64_t addr);

/* Returns the offset of the running kernel from its link address, by the vmlinux at @path. */
uint64_t v9_syms_kernel_shift(const struct v9_syms *s, const char *path);
void v9_syms_free(struct v9_syms *s);

#endif
