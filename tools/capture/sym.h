/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Address -> object and function.
 *
 * Maps of each process over time come from the side-band; functions come from
 * the ELF file that has the recorded build-id, from its debug file, or, for the
 * kernel, from a copy of /proc/kallsyms or from vmlinux. A file whose build-id
 * differs is not used: a wrong name is worse than none.
 */
#ifndef V9TRACE_CAPTURE_SYM_H
#define V9TRACE_CAPTURE_SYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedded.h"
#include "strtab.h"

#define V9_VDSO_NAME	"[vdso]"
#define V9_KERNEL_PID	UINT32_MAX	/* as perf.data says it */
#define V9_KERNEL_HALF	(UINT64_C(1) << 55)	/* set in each address of the upper range */
#define V9_BUILD_ID_MAX	20

struct v9_func {
	uint64_t start, end;
	const char *name;
	const char *dso;	/* kallsyms: the module, else NULL */
};

/* An object: an ELF file, the kernel, or something without a file. */
struct v9_dso {
	const char *name;
	uint8_t build_id[V9_BUILD_ID_MAX];
	uint8_t build_id_size;
	bool loaded;
	const char *why;	/* loaded but no functions: the reason */
	struct v9_func *funcs;	/* sorted, by the addresses of the file */
	size_t nr_funcs;
	struct v9_func *objs;	/* likewise: variables, if they are wanted */
	size_t nr_objs;
	bool wants_objs;
	struct v9_seg { uint64_t offset, size, addr; } segs[16];
	unsigned int nr_segs;
	struct v9_func *given;	/* by the recorder, used where no file has any */
	size_t nr_given;
	struct v9_seg given_seg; /* of those: how the file goes to their addresses; size 0: not known */
	uint64_t unresolved;	/* records whose function is not known; counted by who counts */
	struct v9_dso_code {	/* code.c */
		const uint8_t *bytes;
		size_t size;
		bool sought;
		bool embedded;		/* bytes are the capture's, not a file's */
		const char *why;	/* sought, but there are no bytes: the reason */
		uint64_t missed;	/* times that a trace led to where there are none */
	} code;
};

struct v9_map {
	uint64_t time, start, end, pgoff;
	uint64_t reach;		/* highest end of the maps up to this one */
	struct v9_dso *dso;
};

/* What a mapping permits; data: that it was told of as one of data. */
enum { V9_MAP_EXEC = 1, V9_MAP_WRITE = 2, V9_MAP_DATA = 4 };

/* Maps of one process between two execs, or from a fork on. */
struct v9_space {
	uint64_t time;
	uint32_t pid, seq;
	size_t parent;		/* space it was copied from at @time, or V9_NO_SPACE */
	struct v9_map *maps;	/* by start, then by time */
	size_t nr_maps;
	struct v9_map *writes;	/* code that could be written from that time on, by start */
	size_t nr_writes;
	struct v9_map *datas;	/* of data, by start, if objects are wanted */
	size_t nr_datas;
	bool overlap;
	size_t last;
};

#define V9_NO_SPACE	SIZE_MAX

/* What was told, in file order; v9_syms_seal() makes spaces of it. */
struct v9_told {
	uint64_t time;
	uint32_t pid, ppid, seq;
	enum { V9_TOLD_MAP, V9_TOLD_WRITE, V9_TOLD_DATA, V9_TOLD_EXEC, V9_TOLD_FORK } what;
	struct v9_map map;
};

struct v9_syms_opts {
	const char *symfs;		/* prefix of recorded paths, or NULL */
	const char *debug_dir;		/* has .build-id/, or NULL */
	const char *vmlinux;
	const char *kallsyms;
	const char *kcore;		/* the kernel's code as it ran */
	bool objects;			/* what data belongs to is asked, too (data.h) */
};

struct v9_syms {
	struct v9_syms_opts opts;
	struct v9_embedded embedded;		/* what the capture itself holds */
	struct v9_strtab *strtab;
	struct v9_dso **dsos;		/* the first is the kernel */
	size_t nr_dsos;
	struct v9_strtab by_id;		/* name and build-id -> index into dsos, + 1 */
	struct v9_told *told;
	size_t nr_told;
	bool tells_data;		/* mappings of data are recorded, too */
	struct v9_space *spaces;	/* by pid, then by time */
	size_t nr_spaces, last_space;
	uint64_t *changes;		/* times from which look-ups may find something else, ascending */
	size_t nr_changes;
	char *told_kallsyms;		/* by the recorder; NULL: none */
	size_t told_kallsyms_len;
	uint64_t kernel_ref;		/* run-time address of _text or _stext, 0: not known */
	const char *kernel_ref_name;
};

struct v9_place {
	struct v9_dso *dso;		/* NULL: no map known */
	const char *dso_name;		/* never NULL: "[unknown]" at worst */
	const struct v9_func *func;	/* NULL: not known */
	uint64_t offset;		/* in the function, else address in the file */
};

void v9_syms_init(struct v9_syms *s, struct v9_strtab *strtab, const struct v9_syms_opts *opts);

/*
 * Is @id, of @size bytes, the build-id that was recorded for @d? Old records have no size and are
 * filled up with zeros, so zeros at the end of the longer of both do not count.
 */
bool v9_dso_has_id(const struct v9_dso *d, const uint8_t *id, size_t size);

/*
 * The name of a file kept by the build-id of @d: @head/.build-id/XX/YYYY@tail. With @trim without
 * the zeros at the end of the id. False: there is no such name, or trimming changes nothing.
 */
bool v9_dso_id_path(char *out, size_t size, const struct v9_dso *d, const char *head,
		    const char *tail, bool trim);

/* build_id may be NULL. */
void v9_syms_map(struct v9_syms *s, uint64_t time, uint32_t pid, uint64_t start, uint64_t size,
		 uint64_t pgoff, unsigned int prot, const char *name, size_t len,
		 const uint8_t *build_id, unsigned int build_id_size);
void v9_syms_exec(struct v9_syms *s, uint64_t time, uint32_t pid);
void v9_syms_fork(struct v9_syms *s, uint64_t time, uint32_t pid, uint32_t ppid);
void v9_syms_build_id(struct v9_syms *s, const char *name, size_t len,
		      const uint8_t *build_id, unsigned int build_id_size);

/* Text in the form of /proc/kallsyms; false if it tells no usable address. */
bool v9_syms_kallsyms(struct v9_syms *s, const char *text, size_t n);

/* The same from the recorder: kept for when it is wanted. */
void v9_syms_tell_kallsyms(struct v9_syms *s, const char *text, size_t n);

/* What the recorder says of an object: sections of simpleperf, NULL or of anything. */
void v9_syms_given(struct v9_syms *s, const uint8_t *section, size_t n, bool proto);

void v9_syms_seal(struct v9_syms *s);
void v9_syms_find(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr,
		  struct v9_place *place);

/* The image of the vDSO for @d, if it is that and the capture holds it; else NULL. */
const uint8_t *v9_syms_vdso(struct v9_syms *s, const struct v9_dso *d, size_t *size);

/* What was mapped there; NULL if nothing is known. The next call may move it. */
const struct v9_map *v9_syms_map_at(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr);

/*
 * What was written to, or may have been, of @m as found at @addr: the first such
 * mapping that ends behind @addr; NULL if there is none.
 */
const struct v9_map *v9_syms_written(struct v9_syms *s, uint32_t pid, uint64_t time,
				     uint64_t addr, const struct v9_map *m);

/* What the process had mapped then; NULL if nothing is known. An older one is its .parent. */
struct v9_space *v9_syms_space(struct v9_syms *s, uint32_t pid, uint64_t time);

/* Read its names, if that was not done. */
void v9_syms_load(struct v9_syms *s, struct v9_dso *d);

/* Where the file says that the byte at this offset of it goes. */
uint64_t v9_dso_address(const struct v9_dso *d, uint64_t offset);

/* How far the running kernel is from where it was linked, by the vmlinux at @path. */
uint64_t v9_syms_kernel_shift(const struct v9_syms *s, const char *path);
void v9_syms_free(struct v9_syms *s);

#endif
