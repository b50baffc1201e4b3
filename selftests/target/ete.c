// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the unit in sysfs and decodes its trace strictly: trace that contradicts the program or
 * the format is an error. The traced program is the caller, so the decoder reads the code from
 * its own memory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <v9trace/gen/regs.h>
#include <v9trace/uapi.h>

#include "../../tools/util.h"
#include "ete.h"
#include "work.h"

#define ARCHPART_ETE	0xa13

/* The functions that the decoder requires of the tools */
void *v9_alloc(size_t size)
{
	return memset(v9_realloc(NULL, size), 0, size);
}

void *v9_realloc(void *p, size_t size)
{
	p = realloc(p, size);
	if (!p && size)
		_exit(12);
	return p;
}

int ete_find(struct unit *unit)
{
	const char *want = getenv("V9_ETE_PMU");
	int err = unit_find(unit, want ?: "cs_etm");

	if (err)
		return err;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		char file[32];

		snprintf(file, sizeof(file), "cpu%d", cpu);
		if (CPU_ISSET(cpu, &unit->cpus) && !unit_has(unit, file))
			CPU_CLR(cpu, &unit->cpus);
	}
	unit->ncpus = CPU_COUNT(&unit->cpus);
	unit->ours = !access("/sys/module/v9_ete", F_OK);
	/*
	 * The in-tree driver registers this PMU also for other trace units, and without any. Ours
	 * drives none but ETE: a wrong register is not to skip its tests.
	 */
	if (!unit->ncpus || (!unit->ours &&
	    V9_GET(V9_TRCDEVARCH_ARCHPART, ete_register(unit, "mgmt/trcdevarch")) != ARCHPART_ETE))
		return -ENODEV;
	return 0;
}

void ete_attr(const struct unit *unit, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = unit->type;
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

void ete_dense_attr(const struct unit *unit, struct perf_event_attr *attr)
{
	ete_attr(unit, attr);
	if (unit_has(unit, "format/branch_broadcast"))
		attr->config = ETE_BROADCAST;
}

const char *ete_missing(const struct unit *unit)
{
	struct perf_event_attr attr;

	ete_attr(unit, &attr);
	return ring_missing(&attr);
}

uint64_t ete_register(const struct unit *unit, const char *file)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "cpu%d/%.40s", unit_cpu(unit, 0), file);
	return read_text(unit->dir, path, text, sizeof(text)) ? 0 : strtoull(text, NULL, 0);
}

bool ete_speculates(const struct unit *unit)
{
	return ete_register(unit, "trcidr/trcidr8") & V9_TRCIDR8_MAXSPEC;
}

unsigned int ete_pages(const struct unit *unit, unsigned int pages)
{
	return ete_speculates(unit) ? 16 * pages : pages;
}

uint64_t ete_thread_option(const struct unit *unit)
{
	char text[32];

	if (read_text(unit->dir, "format/contextid", text, sizeof(text)))
		return 0;
	return !strcmp(text, "config:14") ? ETE_CONTEXTID1 :
	       !strcmp(text, "config:15") ? ETE_CONTEXTID2 : 0;
}

bool ete_plain(void)
{
	return getenv("V9_PLAIN");
}

bool ete_limited_below(unsigned int pages)
{
	const char *limit = getenv("V9_BUFFER_LIMIT");

	return limit && pages * sysconf(_SC_PAGESIZE) > strtol(limit, NULL, 0);
}

bool ete_cpu_overruns(int cpu)
{
	unsigned int part, revision;
	unsigned long midr;
	char dir[96];

	snprintf(dir, sizeof(dir), "/sys/devices/system/cpu/cpu%d/regs/identification", cpu);
	midr = read_number(dir, "midr_el1");
	part = midr >> 4 & 0xfff;
	revision = (midr >> 16 & 0xf0) | (midr & 0xf);
	switch (midr >> 24) {
	case 0x41:
		return part == 0xd47 || part == 0xd49 || (part == 0xd48 && revision <= 0x20);
	case 0x6d:
		return part == 0xd49;
	default:
		return false;
	}
}

bool ete_overruns(const struct unit *unit)
{
	for (int i = 0; i < unit->ncpus; i++)
		if (ete_cpu_overruns(unit_cpu(unit, i)))
			return true;
	return false;
}

bool ete_kernel_at_el2(const struct unit *unit)
{
	return ete_thread_option(unit) == ETE_CONTEXTID2;
}

/* The offset of @addr in the file of this program, as an address filter of perf requires it. */
static uint64_t file_offset(uint64_t addr, char *path, size_t size)
{
	uint64_t start, end, offset, found = 0;
	char line[512];
	FILE *f = fopen("/proc/self/maps", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &start, &end,
			   &offset) == 3 && addr >= start && addr < end)
			found = addr - start + offset;
	if (f)
		fclose(f);
	path[0] = 0;
	if (readlink("/proc/self/exe", path, size - 1) < 0)
		return 0;
	return found;
}

void ete_add_filter(char *text, size_t room, const char *action, const void *at, size_t size)
{
	char path[256] = "";
	uint64_t offset = file_offset((uintptr_t)at, path, sizeof(path));
	size_t n = strlen(text);

	n += snprintf(text + n, room - n, "%s%s %#" PRIx64, n ? "," : "", action, offset);
	if (size)
		n += snprintf(text + n, room - n, "/%#zx", size);
	snprintf(text + n, room - n, "@%s", path);
}

int ete_set_filter(struct ring *ring, const char *text)
{
	return ioctl(ring->fd, PERF_EVENT_IOC_SET_FILTER, text) ? -errno : 0;
}

/* Executable mappings of this process, with the vDSO */
static struct {
	uint64_t start, end;
} code[16];

static void find_code(void)
{
	char line[512], x;
	unsigned int n = 0;
	FILE *f;

	if (code[0].end)
		return;
	f = fopen("/proc/self/maps", "r");
	while (f && n < V9_ARRAY_SIZE(code) && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c", &code[n].start,
			   &code[n].end, &x) == 3 && x == 'x')
			n++;
		else
			code[n].end = 0;
	if (f)
		fclose(f);
}

static const uint8_t *code_at(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	(void)arg;
	if (ctx->el)
		return NULL;
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(code) && code[i].end; i++)
		if (addr >= code[i].start && addr < code[i].end) {
			*n = code[i].end - addr;
			return (const uint8_t *)(uintptr_t)addr;
		}
	return NULL;
}

static uint64_t overlap(const struct v9_flow_rec *rec, uint64_t start, uint64_t end)
{
	start = rec->start > start ? rec->start : start;
	end = rec->end < end ? rec->end : end;
	return start < end ? (end - start) / 4 : 0;
}

static void take_thread(struct ete_run *run, const struct v9_ete_context *ctx)
{
	uint64_t id = (uint64_t)ctx->vmid << 32 | ctx->contextid;
	unsigned int i;

	for (i = 0; i < run->nthreads; i++)
		if (run->threads[i] == id)
			return;
	if (i < V9_ARRAY_SIZE(run->threads))
		run->threads[run->nthreads++] = id;
}

static void take_range(struct ete_run *run, const struct v9_flow_rec *rec)
{
	run->insns += rec->insns;
	run->in_spin += overlap(rec, (uintptr_t)spin_start, (uintptr_t)spin_end);
	take_thread(run, &rec->ctx);
	for (uint64_t pc = rec->start; run->hits && pc < rec->end; pc += 4)
		if (pc >= run->from && pc < run->to)
			run->hits[(pc - run->from) / 4]++;
}

static void take_time(struct ete_run *run, uint64_t time)
{
	if (!run->times++)
		run->first_time = time;
	else if (time < run->last_time)
		run->time_goes_back = true;
	run->last_time = time;
}

static void take_events(struct ete_run *run, const struct v9_flow_rec *rec)
{
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(run->events); i++) {
		if (!(rec->type >> i & 1))
			continue;
		if (!run->events[i]++)
			run->event_at[i] = rec->offset;
		run->spin_before[i] = run->in_spin;
	}
}

static void take_instrumentation(struct ete_run *run, const struct v9_flow_rec *rec)
{
	if (run->nvalues < V9_ARRAY_SIZE(run->values)) {
		run->values[run->nvalues].value = rec->value;
		run->values[run->nvalues].spin_before = run->in_spin;
		run->values[run->nvalues].el = rec->type;
	}
	run->nvalues++;
}

static void take(struct ete_run *run, const struct v9_flow_rec *rec)
{
	if (rec->ctx.el && (rec->kind == V9_FLOW_RANGE || rec->kind == V9_FLOW_UNPLACED ||
			    (rec->kind == V9_FLOW_GAP && rec->why == V9_FLOW_NO_CODE)))
		run->above++;
	switch (rec->kind) {
	case V9_FLOW_RANGE:
		take_range(run, rec);
		break;
	case V9_FLOW_UNPLACED:
		run->unplaced += rec->insns;
		break;
	case V9_FLOW_EXCEPTION:
		run->exceptions++;
		run->by_type[rec->type % V9_ARRAY_SIZE(run->by_type)]++;
		break;
	case V9_FLOW_GAP:
		run->gaps[rec->why]++;
		if (rec->why == V9_FLOW_ASTRAY && !run->why) {
			run->why = v9_flow_why[rec->why];
			run->bad_at = rec->offset;
		}
		break;
	case V9_FLOW_TIME:
		take_time(run, rec->value);
		break;
	case V9_FLOW_EVENT:
		take_events(run, rec);
		break;
	case V9_FLOW_INSTRUMENTATION:
		take_instrumentation(run, rec);
		break;
	case V9_FLOW_CYCLES:
		run->cycles += rec->cycles;
		run->counts += rec->counted;
		break;
	}
}

static void take_all(struct v9_flow *flow, struct ete_run *run)
{
	struct v9_flow_rec rec;

	while (v9_flow_next(flow, &rec) > 0)
		take(run, &rec);
}

static void start(struct v9_flow *flow, const struct unit *unit,
		  const struct perf_event_attr *attr)
{
	struct v9_ete_config cfg;

	find_code();
	v9_ete_config_init(&cfg, ete_register(unit, "trcidr/trcidr0"),
			   ete_register(unit, "trcidr/trcidr8"), false);
	v9_flow_reset(flow, &cfg, ete_register(unit, "trcidr/trcidr2") & V9_TRCIDR2_WFXMODE,
		      attr->config & ETE_RETSTACK, code_at, NULL);
}

static int finish(struct v9_flow *flow, struct ete_run *run, bool lossy)
{
	unsigned int why;

	v9_flow_end(flow);
	take_all(flow, run);
	run->acc = flow->ete.acc;
	if (!run->why && flow->counts.impossible)
		run->why = "a branch not taken that cannot but be taken";
	for (why = 0; !run->why && why < V9_ETE_SKIPS; why++)
		if (run->acc.skips[why] &&
		    !(lossy && (why == V9_ETE_SKIP_GAP || why == V9_ETE_SKIP_CUT)))
			run->why = v9_ete_skip_why[why];
	v9_flow_free(flow);
	return run->why ? -EBADMSG : 0;
}

int ete_walk(const struct unit *unit, const struct perf_event_attr *attr, const struct ring *ring,
	     struct ete_run *run)
{
	const uint64_t format = PERF_AUX_FLAG_CORESIGHT_FORMAT_RAW;
	struct v9_flow flow;
	uint64_t at = 0;

	start(&flow, unit, attr);
	for (unsigned int i = 0; i < ring->naux; i++) {
		const struct ring_piece *p = &ring->piece[i];

		if (p->offset + p->size > ring->nbytes) {
			run->why = "PERF_RECORD_AUX of bytes that are not there";
			run->bad_at = p->offset;
			break;
		}
		/* Between two pieces there may only be padding of the driver. */
		for (uint64_t pad = at; pad < p->offset && !run->why; pad++)
			if (ring->bytes[pad] != V9_TRACE_PADDING) {
				run->why = "between two PERF_RECORD_AUX is not padding";
				run->bad_at = pad;
			}
		if (!at)	/* decodes as packets, but not before a synchronization */
			at = p->offset;
		v9_flow_feed(&flow, ring->bytes + at, p->offset + p->size - at, at);
		at = p->offset + p->size;
		take_all(&flow, run);
		/* Data was lost between this piece and the next. */
		if (p->flags & ~format)
			v9_flow_break(&flow);
		take_all(&flow, run);
	}
	return finish(&flow, run, ring->flags & ~format);
}

int ete_walk_bytes(const struct unit *unit, const struct perf_event_attr *attr,
		   const uint8_t *bytes, size_t n, struct ete_run *run)
{
	size_t sync = v9_ete_find_sync(bytes, n);
	struct v9_flow flow;

	start(&flow, unit, attr);
	v9_flow_feed(&flow, bytes + sync, n - sync, sync);
	take_all(&flow, run);
	return finish(&flow, run, true);
}
