// SPDX-License-Identifier: GPL-2.0-only
/*
 * What v9trace record counts in the records of the kernel: lost records by the number in the
 * record, each AUX flag by itself, and the first and last time of all records in any order. And
 * which BPF programs it reads the code of, and of which threads it reads the control groups. And what
 * each half of a recording of two units says of its events.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

#include "../../tools/util.c"
#include "../../tools/collect/sideband.c"

/* Stubs: no record here is a mapping, and nothing is written. */
struct v9_object *v9_objects_get(struct v9_objects *objects, const char *name, bool kernel)
{
	(void)objects;
	(void)name;
	(void)kernel;
	return NULL;
}

enum v9_where v9_files_where(int pid)
{
	(void)pid;
	return V9_GONE;
}

void v9_files_open(struct v9_files *fs, const struct v9_task_map *m, struct v9_id *id)
{
	(void)fs;
	(void)m;
	(void)id;
}

static struct { uint32_t id; uint64_t time; unsigned int n; } loaded;

void v9_bpf_read(struct v9_bpf *b, uint32_t id, uint64_t time)
{
	(void)b;
	loaded.id = id;
	loaded.time = time;
	loaded.n++;
}

void v9_bpf_read_all(struct v9_bpf *b)
{
	(void)b;
}

uint32_t v9_bpf_size(const struct v9_bpf *b, uint64_t addr)
{
	(void)b;
	(void)addr;
	return 0;
}

static struct { int pid[4], tid[4]; unsigned int n; uint64_t times; } groups_read;

void v9_cgroup_log_thread(struct v9_cgroup_log *log, int pid, int tid, uint64_t time)
{
	(void)log;
	if (groups_read.n < 4) {
		groups_read.pid[groups_read.n] = pid;
		groups_read.tid[groups_read.n] = tid;
	}
	groups_read.n++;
	groups_read.times |= time;
}

void v9_jits_map(struct v9_jits *j, const struct v9_task_map *m)
{
	(void)j;
	(void)m;
}

bool v9_files_seen(const struct v9_files *fs, const char *name, const struct v9_id *id)
{
	(void)fs;
	(void)name;
	(void)id;
	return false;
}

void v9_files_mark(struct v9_files *fs, const char *name, const struct v9_id *id)
{
	(void)fs;
	(void)name;
	(void)id;
}

const struct perf_event_mmap_page *v9_rings_page(const struct v9_rings *r)
{
	(void)r;
	return NULL;
}

void v9_writer_record(struct v9_writer *w, const void *bytes, size_t size)
{
	(void)w;
	(void)bytes;
	(void)size;
}

/* What is written to one file alone: words of the last records */
static struct { struct v9_writer *w; uint32_t type; uint64_t word[20]; } put[8];
static unsigned int nr_put;

int v9_writer_put(struct v9_writer *w, const void *bytes, size_t size)
{
	const struct perf_event_header *h = bytes;

	if (nr_put < 8 && size <= sizeof(*h) + sizeof(put[0].word)) {
		put[nr_put].w = w;
		put[nr_put].type = h->type;
		memcpy(put[nr_put].word, h + 1, size - sizeof(*h));
	}
	nr_put++;
	return 0;
}

static struct v9_record_counts counts;
static struct v9_objects objects;

/* A record with @n words and, unless it is a sample, a sample id with @time */
static void record(uint32_t type, const uint64_t *word, unsigned int n, uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint64_t word[16];
	} r = { .header = { .type = type } };
	const struct v9_sample_id id = { .pid = 7, .tid = 8, .time = time, .cpu = 1, .id = 100 };

	memcpy(r.word, word, n * 8);
	r.header.size = (uint16_t)(sizeof(r.header) + n * 8);
	if (type != PERF_RECORD_SAMPLE) {
		memcpy((uint8_t *)&r + r.header.size, &id, sizeof(id));
		r.header.size = (uint16_t)(r.header.size + sizeof(id));
	}
	tap_ok(v9_sideband_resolve(&r.header, &counts, &objects) == &r.header, "as_it_is_%u", type);
}

static void times(void)
{
	static const uint64_t comm[3] = { 7 }, sample[4] = { 100, 0x1000, 7, 300 };

	counts = (struct v9_record_counts){ 0 };
	record(PERF_RECORD_COMM, comm, 3, 0);		/* synthesized: without a time */
	tap_ok(!counts.first_time && !counts.last_time, "no_time");
	record(PERF_RECORD_COMM, comm, 3, 500);
	tap_ok(counts.first_time == 500 && counts.last_time == 500, "one_time");
	record(PERF_RECORD_COMM, comm, 3, 900);
	record(PERF_RECORD_SAMPLE, sample, 4, 0);
	record(PERF_RECORD_COMM, comm, 3, 0);
	record(PERF_RECORD_COMM, comm, 3, 600);
	tap_eq(counts.first_time, 300, "least_time");
	tap_eq(counts.last_time, 900, "greatest_time");
	tap_eq(counts.records, 6, "records");
	tap_eq(counts.samples, 1, "samples");
}

static void losses(void)
{
	static const uint64_t lost[2][2] = { { 100, 1000 }, { 101, 7 } }, samples[1] = { 30 };
	static const struct {
		uint64_t flags;
		unsigned int times;
	} aux[] = {
		{ PERF_AUX_FLAG_TRUNCATED, 1 }, { PERF_AUX_FLAG_OVERWRITE, 2 },
		{ PERF_AUX_FLAG_PARTIAL, 3 }, { PERF_AUX_FLAG_COLLISION, 4 },
		{ PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION, 1 }, { 0, 2 },
	};

	counts = (struct v9_record_counts){ 0 };
	record(PERF_RECORD_LOST, lost[0], 2, 1);
	record(PERF_RECORD_LOST, lost[1], 2, 2);
	tap_eq(counts.lost, 1007, "lost_records");
	record(PERF_RECORD_LOST_SAMPLES, samples, 1, 3);
	tap_eq(counts.lost, 1037, "lost_samples");
	for (size_t i = 0; i < sizeof(aux) / sizeof(aux[0]); i++)
		for (unsigned int k = 0; k < aux[i].times; k++) {
			const uint64_t word[3] = { 0, 4096, aux[i].flags };

			record(PERF_RECORD_AUX, word, 3, 4);
		}
	tap_eq(counts.truncated, 1, "truncated");
	tap_eq(counts.overwritten, 2, "overwritten");
	tap_eq(counts.partial, 4, "partial");
	tap_eq(counts.collided, 5, "collided");
}

/* A task comes onto a CPU twice, and leaves one once. */
static void switches(void)
{
	struct perf_event_header h = { .type = PERF_RECORD_SWITCH, .size = sizeof(h) + sizeof(struct v9_sample_id) };
	uint8_t record[sizeof(h) + sizeof(struct v9_sample_id)] __attribute__((aligned(8))) = { 0 };

	counts = (struct v9_record_counts){ 0 };
	for (int i = 0; i < 3; i++) {
		h.misc = i == 1 ? PERF_RECORD_MISC_SWITCH_OUT : 0;
		memcpy(record, &h, sizeof(h));
		v9_sideband_resolve((struct perf_event_header *)record, &counts, &objects);
	}
	tap_eq(counts.switch_ins, 2, "switches_onto_a_cpu");
}

/* BPF_EVENT: type, flags, id; the tag. Code is read when a program is loaded, not when it is unloaded. */
static void bpf(void)
{
	static const uint64_t load[2] = { 77ull << 32 | 1, 0x1122334455667788 };
	static const uint64_t unload[2] = { 78ull << 32 | 2, 0x1122334455667788 };

	record(PERF_RECORD_BPF_EVENT, load, 2, 900);
	record(PERF_RECORD_BPF_EVENT, unload, 2, 901);
	tap_eq(loaded.n, 1, "read_once");
	tap_eq(loaded.id, 77, "its_id");
	tap_eq(loaded.time, 900, "its_time");
}

static int ask[2], answer[2];

static void *thread(void *arg)
{
	const int tid = (int)syscall(SYS_gettid);
	char c;

	if (write(answer[1], &tid, sizeof(tid)) != sizeof(tid) || read(ask[0], &c, 1) < 0)
		abort();
	return arg;
}

/* A process is described by any of its threads: the group of each is read once. */
static void groups(void)
{
	struct v9_cgroup_log log = { .mount = NULL };
	pthread_t other;
	int tid;

	if (pipe(ask) || pipe(answer) || pthread_create(&other, NULL, thread, NULL) ||
	    read(answer[0], &tid, sizeof(tid)) != sizeof(tid))
		abort();
	v9_sideband_task(NULL, tid, &objects, &log);
	tap_eq(groups_read.n, 2, "groups_of_two_threads");
	tap_ok(groups_read.pid[0] == getpid() && groups_read.tid[0] == getpid(), "group_of_the_process");
	tap_ok(groups_read.pid[1] == getpid() && groups_read.tid[1] == tid, "group_of_its_thread");
	tap_eq(groups_read.times, 0, "groups_from_the_start");
	close(ask[1]);
	pthread_join(other, NULL);
}

static void info_of(const struct v9_event_spec *ev, struct v9_blob *priv)
{
	v9_blob_u64(priv, ev->attr.a.type);
}

/* Two SPE PMUs and ETE, and an event of the side-band. The types of the record are perf's: 3 ETE, 4 SPE. */
static void halves(void)
{
	static const struct v9_aux_kind spe = { .auxtrace = 4, .info = info_of };
	static const struct v9_aux_kind ete = { .auxtrace = 3, .info = info_of };
	struct v9_instance inst[4] = { { .id = 10, .cpu = 1, .tid = -1 }, { .id = 20, .cpu = 1, .tid = -1 },
				       { .id = 30, .cpu = 1, .tid = -1 }, { .id = 40, .cpu = 1, .tid = -1 } };
	const struct v9_event_spec all[4] = {
		{ .aux = &spe, .inst = &inst[0], .insts = 1, .attr.a.type = 8 },
		{ .aux = &ete, .inst = &inst[1], .insts = 1, .attr.a.type = 9 },
		{ .aux = &spe, .inst = &inst[2], .insts = 1, .attr.a.type = 11 },
		{ .inst = &inst[3], .insts = 1, .attr.a.type = 1 },
	};
	/* Of the heap: the sanitizer finds what reads a fifth. */
	struct v9_event_spec *ev = memcpy(v9_alloc(sizeof(all)), all, sizeof(all));
	const struct v9_rings r = { .ev = ev, .evs = 4 };
	struct v9_writer twin = { .half = { .magic = PD_HALF_MAGIC, .unit = 4 } };
	struct v9_writer w = { .half = { .magic = PD_HALF_MAGIC, .unit = 3 }, .twin = &twin };

	nr_put = 0;
	emit_ids(&w, &r);
	tap_ok(nr_put == 1 && put[0].w == &w && put[0].word[0] == 2 && put[0].word[1] == 20 &&
	       put[0].word[5] == 40, "ids_of_ete");
	emit_ids(&twin, &r);
	tap_ok(nr_put == 2 && put[1].w == &twin && put[1].word[0] == 3 && put[1].word[1] == 10 &&
	       put[1].word[5] == 30 && put[1].word[9] == 40, "ids_of_spe");
	nr_put = 0;
	emit_aux_infos(&w, &r);
	tap_ok(nr_put == 1 && put[0].w == &w && put[0].word[0] == 3 && put[0].word[1] == 9, "info_of_ete");
	tap_eq(ev[1].aux_info, 0, "ete_is_the_only_one");
	emit_aux_infos(&twin, &r);
	tap_ok(nr_put == 3 && put[1].w == &twin && put[1].word[0] == 4 && put[1].word[1] == 8 &&
	       put[2].word[1] == 11, "info_of_spe");
	tap_ok(ev[0].aux_info == 1 && ev[2].aux_info == 2, "spe_is_counted");
	/* One file: all events, of which each unit has a number. */
	w.half.magic = 0;
	w.twin = NULL;
	nr_put = 0;
	emit_aux_infos(&w, &r);
	tap_ok(nr_put == 3 && ev[0].aux_info == 1 && ev[1].aux_info == 2 && ev[2].aux_info == 3, "one_file");
	nr_put = 0;
	emit_ids(&w, &r);
	tap_ok(nr_put == 1 && put[0].word[0] == 4 && put[0].word[1] == 10 && put[0].word[5] == 20 &&
	       put[0].word[9] == 30 && put[0].word[13] == 40, "ids_of_one_file");
	free(ev);
}

int main(void)
{
	bpf();
	groups();
	times();
	losses();
	switches();
	halves();
	return tap_done();
}
