// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sideband.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#define RECORD_MAX	65528	/* bytes: header.size has 16 bits, and is a multiple of 8 */
#define KERNEL_PID	(~0u)

/* --------------------------------------------------------- processing of each record */

struct mmap2_head {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint8_t id_size, reserved[3], id[20];
	uint32_t prot, flags;
	char name[];
};

static void set_id(struct mmap2_head *m, const struct v9_id *id)
{
	m->header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	m->id_size = id->size;
	memset(m->reserved, 0, sizeof(m->reserved));
	memcpy(m->id, id->bytes, sizeof(m->id));
}

/*
 * The kernel reads the build-id of a mapped file if the page is in memory. What it did not find is
 * read from the file, while its task lives if that is in a container.
 */
static const struct perf_event_header *look_mmap2(const struct mmap2_head *m,
						  struct v9_objects *objects)
{
	static union { struct mmap2_head m; uint8_t bytes[UINT16_MAX]; } copy;
	struct v9_id id = { .size = 0 };
	const bool known = m->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
			   m->id_size && m->id_size <= sizeof(id.bytes);
	enum v9_where where = V9_HERE;
	struct v9_object *o;

	if (!(m->prot & PROT_EXEC) ||
	    (m->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
		return &m->header;
	v9_jits_map(&objects->jits, &(struct v9_task_map){
			(int)m->pid, m->addr, m->addr + m->len, m->name });
	if (m->name[0] != '/' && m->name[0] != '[')
		return &m->header;
	if (known) {
		id.size = m->id_size;
		memcpy(id.bytes, m->id, sizeof(id.bytes));
	}
	if (v9_mapping_has_file(m->name) && !(known && v9_files_seen(&objects->files, m->name, &id))) {
		where = v9_files_where((int)m->pid);
		if (known && where != V9_GONE)
			v9_files_mark(&objects->files, m->name, &id);
	}
	if (where == V9_ELSEWHERE) {
		v9_files_open(&objects->files, &(struct v9_task_map){
				(int)m->pid, m->addr, m->addr + m->len, m->name }, &id);
		if (known || !id.size)
			return &m->header;
		memcpy(&copy, m, m->header.size);
		set_id(&copy.m, &id);
		return &copy.m.header;
	}
	o = v9_objects_get(objects, m->name, false);
	if (!o->id.size)
		o->id = id;
	return &m->header;
}

/* Words of a sample: id, ip, pid and tid, time. See SAMPLE_ID in spec.c. */
uint64_t v9_sideband_time(const struct perf_event_header *h)
{
	const uint64_t *word = (const uint64_t *)(h + 1);
	const struct v9_sample_id *id;

	if (h->type == PERF_RECORD_SAMPLE)
		return word[3];
	id = (const void *)((const uint8_t *)h + h->size - sizeof(*id));
	return id->time;
}

const struct perf_event_header *v9_sideband_resolve(const struct perf_event_header *h,
						    struct v9_record_counts *c,
						    struct v9_objects *objects)
{
	const uint64_t *word = (const uint64_t *)(h + 1);
	uint64_t time = v9_sideband_time(h);

	c->records++;
	if (time && (!c->first_time || time < c->first_time))
		c->first_time = time;
	if (time > c->last_time)
		c->last_time = time;
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		c->samples++;
		break;
	case PERF_RECORD_MMAP2:
		return look_mmap2((const struct mmap2_head *)h, objects);
	case PERF_RECORD_BPF_EVENT:
		/* type (16 bits), flags, id */
		if ((word[0] & UINT16_MAX) == PERF_BPF_EVENT_PROG_LOAD)
			v9_bpf_read(&objects->bpf, (uint32_t)(word[0] >> 32), time);
		break;
	case PERF_RECORD_SWITCH:
		c->switch_ins += !(h->misc & PERF_RECORD_MISC_SWITCH_OUT);
		break;
	case PERF_RECORD_LOST:
		c->lost += word[1];
		break;
	case PERF_RECORD_LOST_SAMPLES:
		c->lost += word[0];
		break;
	case PERF_RECORD_AUX:
		c->truncated += !!(word[2] & PERF_AUX_FLAG_TRUNCATED);
		c->overwritten += !!(word[2] & PERF_AUX_FLAG_OVERWRITE);
		c->partial += !!(word[2] & PERF_AUX_FLAG_PARTIAL);
		c->collided += !!(word[2] & PERF_AUX_FLAG_COLLISION);
		break;
	}
	return h;
}

/* ------------------------------------------------------------------ building records */

static void begin(struct v9_blob *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };

	b->len = 0;
	v9_blob_put(b, &h, sizeof(h));
}

/* Append text with its zero, padded to a multiple of 8 bytes. */
static void text(struct v9_blob *b, const char *s)
{
	v9_blob_put(b, s, strlen(s) + 1);
	v9_blob_zero(b, -b->len & 7);
}

/* Sets the size of a record. Returns false if it is too long for this format. */
static bool complete(struct v9_blob *b)
{
	struct perf_event_header *h = (void *)b->data;

	if (b->len > RECORD_MAX)
		return false;
	h->size = b->len;
	return true;
}

static void emit(struct v9_writer *w, struct v9_blob *b)
{
	if (complete(b))
		v9_writer_record(w, b->data, b->len);
}

/* The same, of a recording of two units only to this file */
static void emit_here(struct v9_writer *w, struct v9_blob *b)
{
	if (complete(b))
		v9_writer_put(w, b->data, b->len);
}

/* Records of kernel types end with a sample id. Time 0 sorts them before all others. */
static void emit_kernel_type(struct v9_writer *w, struct v9_blob *b, uint32_t pid, uint32_t tid)
{
	struct v9_sample_id id = { .pid = pid, .tid = tid };

	v9_blob_put(b, &id, sizeof(id));
	emit(w, b);
}

/* --------------------------------------------------------------------------- facts */

static void emit_clock(struct v9_writer *w, const struct perf_event_mmap_page *page)
{
	struct pd_time_conv tc = {
		.header = { .type = PD_REC_TIME_CONV, .size = sizeof(tc) },
	};
	uint32_t seq;

	do {
		seq = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		tc.shift = page->time_shift;
		tc.mult = page->time_mult;
		tc.zero = page->time_zero;
		tc.cycles = page->time_cycles;
		tc.mask = page->time_mask;
		tc.zero_valid = page->cap_user_time_zero;
		tc.short_valid = page->cap_user_time_short;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (seq & 1 || page->lock != seq);
	if (tc.zero_valid)
		v9_writer_record(w, &tc, sizeof(tc));
}

static void emit_ids(struct v9_writer *w, const struct v9_rings *r)
{
	const size_t entry = 4 * sizeof(uint64_t);
	struct v9_blob b = { 0 };
	uint64_t n = 0;

	for (int i = 0; i < r->evs; i++)
		for (int j = 0; v9_writer_takes(w, &r->ev[i]) && j < r->ev[i].insts; j++) {
			const struct v9_instance *in = &r->ev[i].inst[j];

			if (!n) {
				begin(&b, PD_REC_ID_INDEX, 0);
				v9_blob_u64(&b, 0);
			}
			v9_blob_u64(&b, in->id);
			v9_blob_u64(&b, in->ring);
			v9_blob_u64(&b, (int64_t)in->cpu);
			v9_blob_u64(&b, (int64_t)in->tid);
			memcpy(b.data + sizeof(struct perf_event_header), &(uint64_t){ ++n },
			       sizeof(n));
			if (b.len + entry > RECORD_MAX) {
				emit_here(w, &b);
				n = 0;
			}
		}
	if (n)
		emit_here(w, &b);
	v9_blob_free(&b);
}

static void emit_aux_info(struct v9_writer *w, const struct v9_event_spec *ev)
{
	struct v9_blob b = { 0 };

	begin(&b, PD_REC_AUXTRACE_INFO, 0);
	v9_blob_u32(&b, ev->aux->auxtrace);
	v9_blob_u32(&b, 0);
	ev->aux->info(ev, &b);
	emit_here(w, &b);
	v9_blob_free(&b);
}

/* Units of a file: perf supports only one AUXTRACE_INFO, and does not use its number. */
static void emit_aux_infos(struct v9_writer *w, const struct v9_rings *r)
{
	uint32_t kinds = 0, n = 0;

	for (int i = 0; i < r->evs; i++)
		kinds += r->ev[i].aux && v9_writer_takes(w, &r->ev[i]);
	for (int i = 0; i < r->evs; i++) {
		if (!r->ev[i].aux || !v9_writer_takes(w, &r->ev[i]))
			continue;
		emit_aux_info(w, &r->ev[i]);
		r->ev[i].aux_info = kinds > 1 ? ++n : 0;
	}
}

void v9_sideband_facts(struct v9_writer *w, const struct v9_rings *r)
{
	emit_clock(w, v9_rings_page(r));
	for (; w; w = w->twin) {
		emit_ids(w, r);
		emit_aux_infos(w, r);
	}
}

/* -------------------------------------------------------------- kernel and modules */

static void emit_kernel_map(struct v9_writer *w, struct v9_blob *b, uint64_t start, uint64_t len,
			    uint64_t pgoff, const char *name)
{
	begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	v9_blob_u32(b, KERNEL_PID);
	v9_blob_u32(b, 0);
	v9_blob_u64(b, start);
	v9_blob_u64(b, len);
	v9_blob_u64(b, pgoff);
	text(b, name);
	emit_kernel_type(w, b, 0, 0);
}

/*
 * The mapping of the kernel's text. Its name ends with the symbol by which readers compute the
 * offset of a relocated kernel.
 */
static void emit_kernel(struct v9_writer *w, struct v9_blob *b)
{
	static const char * const wanted[] = { "_text", "_stext", "_edata", "_etext" };
	uint64_t at[4] = { 0 };
	FILE *f = fopen("/proc/kallsyms", "re");
	int left = 4, first;
	char line[512];
	uint64_t end;
	char *label;

	/* "ffff800080000000 T _text": compare first, parse later; there are many lines. */
	while (f && left && fgets(line, sizeof(line), f)) {
		char *name = strchr(line, ' ');

		if (!name || strlen(name) < 4 || name[3] != '_')
			continue;
		name += 3;
		name[strcspn(name, "\t\n")] = '\0';
		for (int i = 0; i < 4; i++)
			if (!at[i] && !strcmp(name, wanted[i])) {
				at[i] = strtoull(line, NULL, 16);
				left--;
			}
	}
	if (f)
		fclose(f);
	first = at[0] ? 0 : 1;
	end = at[2] > at[first] ? at[2] : at[3];
	if (!at[first] || end <= at[first])
		return;
	label = v9_format("[kernel.kallsyms]%s", wanted[first]);
	emit_kernel_map(w, b, at[first], end - at[first], at[first], label);
	free(label);
}

/* Path of the module's file, from modules.dep, or "[name]" if it is not there */
static char *module_file(const char *deps, const char *release, const char *module)
{
	const char *line = deps;

	while (line && *line) {
		const char *end = line + strcspn(line, ":\n"), *base = end;
		const char *m = module;

		while (base > line && base[-1] != '/')
			base--;
		while (*m && base < end && (*base == '-' ? '_' : *base) == *m) {
			base++;
			m++;
		}
		if (!*m && *base == '.')
			return v9_format("/lib/modules/%s/%.*s", release, (int)(end - line), line);
		line = strchr(end, '\n');
		line += !!line;
	}
	return v9_format("[%s]", module);
}

static void emit_modules(struct v9_writer *w, struct v9_blob *b, struct v9_objects *objects)
{
	FILE *f = fopen("/proc/modules", "re");
	unsigned long long addr, size;
	char line[4096], name[128];
	struct utsname uts;
	char *path, *deps;

	if (!f)
		return;
	uname(&uts);
	path = v9_format("/lib/modules/%s/modules.dep", uts.release);
	deps = v9_read_file(path, NULL);
	free(path);
	while (fgets(line, sizeof(line), f)) {
		char *file;

		if (sscanf(line, "%127s %llu %*s %*s %*s %llx", name, &size, &addr) != 3 || !addr)
			continue;
		file = module_file(deps, uts.release, name);
		emit_kernel_map(w, b, addr, size, 0, file);
		v9_objects_get(objects, file, true);
		free(file);
	}
	free(deps);
	fclose(f);
}

/* Writes KSYMBOL records of the BPF programs that were read, whose code tells their sizes. */
static void emit_bpf(struct v9_writer *w, struct v9_blob *b, struct v9_objects *objects)
{
	FILE *f;
	char line[512];

	v9_bpf_read_all(&objects->bpf);
	f = objects->bpf.n ? fopen("/proc/kallsyms", "re") : NULL;
	while (f && fgets(line, sizeof(line), f)) {
		char *owner = strchr(line, '\t'), *name;
		uint64_t addr;
		uint32_t size;

		if (!owner || strcmp(owner, "\t[bpf]\n"))
			continue;
		*owner = '\0';
		addr = strtoull(line, &name, 16);
		size = v9_bpf_size(&objects->bpf, addr);
		if (!size || strlen(name) < 4)
			continue;
		begin(b, PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL);
		v9_blob_u64(b, addr);
		v9_blob_u32(b, size);
		v9_blob_u32(b, PERF_RECORD_KSYMBOL_TYPE_BPF);
		text(b, name + 3);
		emit_kernel_type(w, b, 0, 0);
	}
	if (f)
		fclose(f);
}

void v9_sideband_kernel(struct v9_writer *w, struct v9_objects *objects)
{
	struct v9_blob b = { 0 };

	emit_kernel(w, &b);
	v9_objects_get(objects, "[kernel.kallsyms]", true);
	emit_modules(w, &b, objects);
	emit_bpf(w, &b, objects);
	v9_blob_free(&b);
}

/* --------------------------------------------------------------------- processes */

static void emit_fork_comm(struct v9_writer *w, struct v9_blob *b, int pid, int ppid, int tid)
{
	char *path = v9_format("/proc/%d/task/%d/comm", pid, tid);
	char *comm = v9_read_line(path);

	free(path);
	if (!comm)
		return;		/* the thread has ended */
	begin(b, PERF_RECORD_FORK, 0);
	v9_blob_u32(b, pid);
	v9_blob_u32(b, tid == pid ? ppid : pid);
	v9_blob_u32(b, tid);
	v9_blob_u32(b, tid == pid ? ppid : pid);
	v9_blob_u64(b, 0);
	emit_kernel_type(w, b, pid, tid);
	begin(b, PERF_RECORD_COMM, 0);
	v9_blob_u32(b, pid);
	v9_blob_u32(b, tid);
	text(b, comm);
	emit_kernel_type(w, b, pid, tid);
	free(comm);
}

/* One line of /proc/PID/maps; only executable mappings are used. */
static void emit_mapping(struct v9_writer *w, struct v9_blob *b, int pid, bool elsewhere, char *line,
			 struct v9_objects *objects)
{
	unsigned long long start, end, pgoff, ino;
	struct v9_id id = { .size = 0 };
	unsigned int maj, min;
	char prot[5], *name;
	int at = 0;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end, prot, &pgoff, &maj, &min,
		   &ino, &at) < 7 || prot[2] != 'x')
		return;
	name = line + at;
	name[strcspn(name, "\n")] = '\0';
	begin(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	v9_blob_u32(b, pid);
	v9_blob_u32(b, pid);
	v9_blob_u64(b, start);
	v9_blob_u64(b, end - start);
	v9_blob_u64(b, pgoff);
	v9_blob_u32(b, maj);
	v9_blob_u32(b, min);
	v9_blob_u64(b, ino);
	v9_blob_u64(b, 0);
	v9_blob_u32(b, (prot[0] == 'r' ? PROT_READ : 0) | (prot[1] == 'w' ? PROT_WRITE : 0) |
		    PROT_EXEC);
	v9_blob_u32(b, prot[3] == 's' ? MAP_SHARED : MAP_PRIVATE);
	text(b, *name ? name : "//anon");
	v9_jits_map(&objects->jits, &(struct v9_task_map){ pid, start, end, name });
	if (v9_mapping_has_file(name) && ino && elsewhere)
		v9_files_open(&objects->files, &(struct v9_task_map){ pid, start, end, name }, &id);
	else if (*name == '/' && ino)
		v9_objects_get(objects, name, false);
	if (id.size)
		set_id((struct mmap2_head *)b->data, &id);
	emit_kernel_type(w, b, pid, pid);
}

/* The number after @word in /proc/PID/status; 0 if there is none. */
static int status_number(int pid, const char *word)
{
	char *path = v9_format("/proc/%d/status", pid);
	char *all = v9_read_file(path, NULL), *at = all ? strstr(all, word) : NULL;
	int n = at ? atoi(at + strlen(word)) : 0;

	free(all);
	free(path);
	return n;
}

void v9_sideband_task(struct v9_writer *w, int tid, struct v9_objects *objects,
		      struct v9_cgroup_log *cgroups)
{
	int pid = status_number(tid, "\nTgid:"), ppid = status_number(pid, "\nPPid:");
	char *path, *maps, *line, *save = NULL;
	const bool elsewhere = pid && v9_files_where(pid) == V9_ELSEWHERE;
	struct v9_blob b = { 0 };
	struct dirent *entry;
	DIR *dir;

	if (!pid)
		return;
	/* the process first, then its threads */
	emit_fork_comm(w, &b, pid, ppid, pid);
	v9_cgroup_log_thread(cgroups, pid, pid, 0);
	path = v9_format("/proc/%d/task", pid);
	dir = opendir(path);
	free(path);
	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]) && atoi(entry->d_name) != pid) {
			emit_fork_comm(w, &b, pid, ppid, atoi(entry->d_name));
			v9_cgroup_log_thread(cgroups, pid, atoi(entry->d_name), 0);
		}
	if (dir)
		closedir(dir);
	path = v9_format("/proc/%d/maps", pid);
	maps = v9_read_file(path, NULL);
	free(path);
	if (maps)
		for (line = strtok_r(maps, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
			emit_mapping(w, &b, pid, elsewhere, line, objects);
	free(maps);
	v9_blob_free(&b);
}

void v9_sideband_all_tasks(struct v9_writer *w, struct v9_objects *objects,
			   struct v9_cgroup_log *cgroups)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");

	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			v9_sideband_task(w, atoi(entry->d_name), objects, cgroups);
	if (dir)
		closedir(dir);
}
