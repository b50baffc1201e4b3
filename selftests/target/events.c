// SPDX-License-Identifier: GPL-2.0-only
/*
 * All buffer management events of a buffer in use, one at a time. A test causes one in the buffer of
 * a session (v9_fault.ko) and checks the data, the flags of the AUX records, the counters in stats/,
 * and whether the session continues. With the in-tree drivers the same tests only log the results.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "machine.h"
#include "ring.h"
#include "v9trace/gen/regs.h"
#include "v9trace/uapi.h"
#include "watch_unit.h"
#include "work.h"

#define FAULT	"/sys/module/v9_fault/parameters/do"

#define EVENT_WAIT	10000	/* ms; a busy host may not run a CPU of a guest for seconds */

/* Argument N of the verb "page" of v9_fault.ko */
enum { PAGE_TRANSLATION, PAGE_PERMISSION, PAGE_ACCESS_FLAG, PAGE_NOWHERE };

/**
 * struct cell - one buffer management event and the expected results
 * @verb: verb for v9_fault.ko
 * @n: argument N of the verb
 * @stat: file in stats/ that counts the event
 * @flags: expected flags of all AUX records, or-ed
 * @may: flags that are allowed in addition
 * @kernel: record the kernel as well as user space
 * @pages: size of the AUX buffer in pages; 0: 1024
 * @goes_on: the session continues without another enable
 * @to_the_page: all data before the faulting page is reported, so the head is page-aligned
 */
struct cell {
	const char *verb;
	uint64_t n;
	const char *stat;
	uint64_t flags, may;
	bool kernel;
	unsigned int pages;
	bool goes_on, to_the_page;
};

enum { ABORT, IMPDEF, ALIGNMENT, TLB_CONFLICT, INJECTS };

/**
 * struct event_unit - how the units differ
 * @of: unit
 * @word: name of the unit for v9_fault.ko
 * @line: part of its line in /proc/interrupts
 * @inject: argument N of the verb "inject"
 * @late_abort: flags of the data before a late external abort
 * @may: flags that earlier windows may have
 * @small: pages of a buffer that fills up while interrupts are masked
 * @padding: byte that decoders skip
 * @status: value of the status register that raises the interrupt
 */
struct event_unit {
	const struct watch_unit *of;
	const char *word, *line;
	uint64_t inject[INJECTS];
	uint64_t late_abort, may;
	unsigned int small;
	uint8_t padding;
	uint64_t status;
};

static const char *const counted[] = {
	"spurious", "full", "lost", "faults", "aborts", "fatal", "collisions", "interrupts",
};

struct counts {
	long of[ARRAY_SIZE(counted)];
};

static void read_counts(const struct unit *unit, struct counts *c)
{
	char path[64];

	for (size_t i = 0; i < ARRAY_SIZE(counted); i++) {
		snprintf(path, sizeof(path), "stats/%s", counted[i]);
		c->of[i] = read_number(unit->dir, path);
	}
}

static long count_of(const struct counts *c, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(counted); i++)
		if (!strcmp(counted[i], name))
			return c->of[i];
	return 0;
}

static const char *missing_for(const char *verb)
{
	if (getuid())
		return "root";
	if (!getenv("V9_MODULES"))
		return "V9_MODULES (where the modules are)";
	if ((strstr(verb, "inject") || !strcmp(verb, "two") || !strcmp(verb, "masked")) &&
	    !getenv("V9_INJECT"))
		return "V9_INJECT (the reference platform with v9-inject=on)";
	if (!module_loaded("v9_fault") && module_load("selftest/v9_fault", ""))
		return "v9_fault.ko for this kernel";
	return NULL;
}

static int cause(const struct event_unit *u, const char *verb, int cpu, uint64_t n)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %d %s %" PRIu64, verb, cpu, u->word, n);
	return write_text(FAULT, text);
}

static uint64_t head_of(const struct ring *ring)
{
	return __atomic_load_n(&ring->page->aux_head, __ATOMIC_ACQUIRE);
}

/* The driver counts an event first, and reports the data to perf last. */
static void wait_for_record(const struct ring *ring)
{
	for (int i = 0; i < EVENT_WAIT; i++) {
		if (__atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE) != ring->page->data_tail)
			break;
		usleep(1000);
	}
}

/* The or-ed flags of the records from index @from on: loss and collisions, without the format. */
static uint64_t flags_since(const struct ring *ring, unsigned int from)
{
	uint64_t flags = 0;

	for (; from < ring->naux; from++)
		flags |= ring->piece[from].flags;
	return flags & (RING_LOSS | PERF_AUX_FLAG_COLLISION);
}

static uint64_t decode(struct __test_metadata *_metadata, const struct event_unit *u,
		       const struct unit *unit, const struct perf_event_attr *attr,
		       struct ring *ring)
{
	struct recorded recorded = { 0 };
	const char *why = u->of->decode(unit, attr, ring, &recorded);

	EXPECT_EQ(NULL, ring->wrong);
	EXPECT_EQ(NULL, why)
		TH_LOG("%s", why);
	return recorded.spin;
}

/* A session without a buffer management event: all data, no flags, no counts. */
static void quiet_session(struct __test_metadata *_metadata, const struct event_unit *u,
			  const struct unit *unit, int cpu)
{
	struct perf_event_attr attr;
	struct counts was, now;
	struct ring ring;
	uint64_t in_spin;

	ASSERT_EQ(0, pin_to(cpu));
	u->of->dense(unit, &attr);
	read_counts(unit, &was);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 1024, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(100000);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	in_spin = decode(_metadata, u, unit, &attr, &ring);
	read_counts(unit, &now);
	EXPECT_GT(in_spin, 0);
	EXPECT_EQ(0, flags_since(&ring, 0));
	if (unit->ours)
		EXPECT_EQ(0, memcmp(&was, &now, sizeof(was)));
	ring_close(&ring);
	ASSERT_EQ(0, pin_to(unit_cpu(unit, 0)));
}

static void event_cell(struct __test_metadata *_metadata, const struct event_unit *u,
		       const struct unit *unit, const struct cell *cell)
{
	int cpu = unit_cpu(unit, 1), err = -EAGAIN;
	bool *stop = new_shared(sizeof(*stop));
	uint64_t then, end, flags, late, in_spin;
	unsigned int pieces, i;
	struct perf_event_attr attr;
	struct counts was, now, again;
	unsigned long dropped = 0;
	struct worker worker;
	bool at_once = true;
	struct ring ring;

	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, cpu, spin_until_stop, stop));
	u->of->dense(unit, &attr);
	attr.exclude_kernel = !cell->kernel;
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, cpu, cell->pages ?: 1024, 0));
	worker_go(&worker);
	usleep(50000);
	ASSERT_EQ(0, ring_enable(&ring));
	for (i = 0; i < 1000 && err == -EAGAIN; i++) {
		/* Read the data and enable the event, which is off if its buffer was full. */
		ASSERT_EQ(0, ring_drain(&ring));
		read_counts(unit, &was);
		if (unit_has(unit, "stats/dropped"))
			dropped = read_number(unit->dir, "stats/dropped");
		ASSERT_EQ(0, ring_enable(&ring));
		err = cause(u, cell->verb, cpu, cell->n);
		usleep(1000);
	}
	if (err == -EFAULT) {
		*stop = true;
		ASSERT_EQ(0, worker_wait(&worker));
		ring_close(&ring);
		SKIP(return, "buffer that is mapped page by page");
	}
	ASSERT_EQ(0, err);

	/* Wait until the event is counted. The in-tree drivers count nothing: wait 200 ms. */
	for (i = 0; i < EVENT_WAIT; i++) {
		read_counts(unit, &now);
		if (count_of(&now, cell->stat) > count_of(&was, cell->stat) ||
		    (!unit->ours && i > 200))
			break;
		usleep(1000);
	}
	if (unit->ours && cell->flags && !cell->goes_on)
		wait_for_record(&ring);
	then = ring.nbytes;
	/* The first window may be smaller than the buffer; the event is disabled at its end. */
	i = 0;
	do {
		usleep(50000);
		end = head_of(&ring);
	} while (!strcmp(cell->stat, "full") && ++i < 100 &&
		 end - then + 2 * sysconf(_SC_PAGESIZE) < ring.aux_size);
	if (cell->goes_on)
		ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	read_counts(unit, &now);
	flags = flags_since(&ring, 0);
	pieces = ring.naux;

	/* V9_LATE_ABORTS: a unit that may report any abort late. The driver drops that window. */
	if (unit->ours && cell->n == PAGE_NOWHERE && !strcmp(cell->verb, "page") && getenv("V9_LATE_ABORTS"))
		at_once = read_number(unit->dir, "stats/dropped") == dropped;

	/* While the cause persists, each restart faults again at the same position. */
	if (unit->ours && cell->to_the_page && at_once) {
		ASSERT_EQ(0, ring_enable(&ring));
		for (i = 0; i < EVENT_WAIT; i++) {
			read_counts(unit, &again);
			if (count_of(&again, cell->stat) > count_of(&now, cell->stat))
				break;
			usleep(1000);
		}
		wait_for_record(&ring);
		usleep(50000);
		EXPECT_EQ(1, count_of(&again, cell->stat) - count_of(&now, cell->stat));
		ASSERT_EQ(0, ring_drain(&ring));
		EXPECT_EQ(end, ring.nbytes);
		EXPECT_EQ(cell->flags, flags_since(&ring, pieces));
		pieces = ring.naux;
	}

	/* Without the cause the session runs, and reports nothing of the earlier event. */
	cause(u, "restore", cpu, 0);
	for (i = 0; i < 100 && ring.nbytes <= end; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		usleep(20000);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	read_counts(unit, &again);
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	TH_LOG("%s %s %" PRIu64 ": %" PRIu64 " bytes before, %" PRIu64 " of it, %zu after, flags %#"
	       PRIx64 " then %#" PRIx64, unit->ours ? "v9" : "in-tree", cell->verb, cell->n, then,
	       end - then, ring.nbytes - (size_t)end, flags, flags_since(&ring, pieces));
	if (!unit->ours)
		goto out;

	/*
	 * On a slow host a session that continues, and the one without the cause, may also fill a
	 * window or the buffer: ignore TRUNCATED. If the event came only after that, when the session
	 * was off, nothing is flagged.
	 */
	if (cell->goes_on && (count_of(&now, "full") > count_of(&was, "full") ||
			      end - then + 2 * sysconf(_SC_PAGESIZE) >= ring.aux_size)) {
		flags &= ~(uint64_t)PERF_AUX_FLAG_TRUNCATED;
		flags = flags ?: cell->flags & ~cell->may;
	}
	EXPECT_EQ(cell->flags, flags & ~cell->may);
	EXPECT_GT(ring.nbytes, end);
	late = flags_since(&ring, pieces);
	if (count_of(&again, "full") > count_of(&now, "full"))
		late &= ~(uint64_t)PERF_AUX_FLAG_TRUNCATED;
	if (!cell->pages)
		EXPECT_EQ(0, late);
	if (cell->to_the_page && at_once)
		EXPECT_TRUE(end > then && !(end % sysconf(_SC_PAGESIZE)))
			TH_LOG("%" PRIu64 " bytes handed out", end);
	for (i = 0; i < ARRAY_SIZE(counted); i++) {
		long want = !strcmp(counted[i], cell->stat), got = now.of[i] - was.of[i];

		/* a session that fills its buffer has more of these */
		if (!strcmp(counted[i], "interrupts") || !strcmp(counted[i], "full")) {
			EXPECT_GE(got, want);
			continue;
		}
		EXPECT_EQ(want, got)
			TH_LOG("stats/%s", counted[i]);
	}
	in_spin = decode(_metadata, u, unit, &attr, &ring);
	/* A small buffer may contain only trace of the kernel. */
	if (!cell->kernel)
		EXPECT_GT(in_spin, 0);
out:
	ring_close(&ring);
}

/* The interrupt cannot be taken before its task has been switched out. */
struct victim {
	char text[64];
};

static void be_hit(void *arg)
{
	struct victim *v = arg;

	spin(100000);
	if (write_text(FAULT, v->text))
		_exit(4);
	spin(100000);
}

static void while_switching(struct __test_metadata *_metadata, const struct event_unit *u,
			    const struct unit *unit, const struct cell *cell)
{
	int cpu = unit_cpu(unit, 1);
	struct perf_event_attr attr;
	struct counts was, now;
	struct worker worker;
	struct victim victim;
	struct ring ring;

	ASSERT_EQ(0, pin_to(unit_cpu(unit, 0)));
	snprintf(victim.text, sizeof(victim.text), "masked %d %s %" PRIu64, cpu, u->word,
		 cell->n);
	ASSERT_EQ(0, worker_start(&worker, cpu, be_hit, &victim));
	u->of->dense(unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 1024, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	read_counts(unit, &was);
	worker_go(&worker);
	ASSERT_EQ(0, worker_wait(&worker));
	ASSERT_EQ(0, ring_drain(&ring));
	read_counts(unit, &now);
	TH_LOG("%s: %zu bytes, flags %#" PRIx64 ", %ld interrupts", unit->ours ? "v9" : "in-tree",
	       ring.nbytes, flags_since(&ring, 0),
	       count_of(&now, "interrupts") - count_of(&was, "interrupts"));
	if (unit->ours) {
		EXPECT_EQ(cell->flags, flags_since(&ring, 0));
		EXPECT_EQ(1, count_of(&now, cell->stat) - count_of(&was, cell->stat));
		/* The interrupt was deasserted before interrupts were unmasked. */
		EXPECT_EQ(0, count_of(&now, "interrupts") - count_of(&was, "interrupts"));
		EXPECT_EQ(0, count_of(&now, "spurious") - count_of(&was, "spurious"));
		decode(_metadata, u, unit, &attr, &ring);
	}
	ring_close(&ring);
	quiet_session(_metadata, u, unit, cpu);
}

/*
 * An event after which it is unknown how much of the last window is data. The driver drops that
 * window and counts it. Earlier windows, closed by interrupts and not yet read, are not lost.
 */
static void windows_before(struct __test_metadata *_metadata, const struct event_unit *u,
			   const struct unit *unit, const struct cell *cell)
{
	uint64_t page = sysconf(_SC_PAGESIZE), first, last, in_spin, dropped = 0;
	int cpu = unit_cpu(unit, 1), err = -EAGAIN, tries, i;
	bool *stop = new_shared(sizeof(*stop));
	struct perf_event_attr attr;
	unsigned int pieces, naux;
	struct counts was, now;
	struct worker worker;
	struct ring ring;
	long truncated;

	NEED(unit_has(unit, "stats/dropped"), "stats/dropped (our drivers)");
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, cpu, spin_until_stop, stop));
	u->of->dense(unit, &attr);
	attr.aux_watermark = page;
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, cpu, 1024, 0));
	worker_go(&worker);
	/* The last window may have been empty: try again. */
	for (tries = 0; tries < 20 && !dropped; tries++) {
		pieces = ring.naux;
		first = head_of(&ring);
		ASSERT_EQ(0, ring_enable(&ring));
		for (i = 0; i < 5000 && head_of(&ring) < first + 8 * page; i++)
			usleep(1000);
		ASSERT_GE(head_of(&ring), first + 8 * page);
		read_counts(unit, &was);
		dropped = read_number(unit->dir, "stats/dropped");
		truncated = read_number(unit->dir, "stats/truncated");
		for (i = 0; i < 1000 && err == -EAGAIN; i++)
			err = cause(u, cell->verb, cpu, cell->n);
		ASSERT_EQ(0, err);
		err = -EAGAIN;
		/* The handler counts the event first and the truncated window last. */
		for (i = 0; i < EVENT_WAIT; i++) {
			read_counts(unit, &now);
			if (count_of(&now, cell->stat) > count_of(&was, cell->stat) &&
			    (long)read_number(unit->dir, "stats/truncated") > truncated)
				break;
			usleep(1000);
		}
		usleep(10000);	/* the driver reports to perf after that */
		ASSERT_EQ(1, count_of(&now, cell->stat) - count_of(&was, cell->stat));
		dropped = read_number(unit->dir, "stats/dropped") - dropped;
		EXPECT_EQ(1, read_number(unit->dir, "stats/truncated") - truncated);
		last = head_of(&ring);
		ASSERT_EQ(0, ring_drain(&ring));
		EXPECT_EQ(last, ring.nbytes);

		/* One AUX record for each window. Only the last one has flags, and it is empty. */
		naux = ring.naux;
		ASSERT_GT(naux, pieces + 1);
		ring.naux = naux - 1;
		EXPECT_EQ(0, flags_since(&ring, pieces) & ~cell->may);
		ring.naux = naux;
		EXPECT_EQ(cell->flags, flags_since(&ring, naux - 1));
		EXPECT_EQ(0, ring.piece[naux - 1].size);
		TH_LOG("%s %" PRIu64 ": %" PRIu64 " bytes in %u windows, %" PRIu64 " dropped",
		       cell->verb, cell->n, last - first, naux - 1 - pieces, dropped);
	}
	EXPECT_GT(dropped, 0);
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	in_spin = decode(_metadata, u, unit, &attr, &ring);
	EXPECT_GT(in_spin, 0);
	ring_close(&ring);
}

/*
 * The same in an overwritten buffer. The dropped window is filled with padding there, because a
 * reader takes the whole buffer as data.
 */
static void dropped_in_snapshot(struct __test_metadata *_metadata, const struct event_unit *u,
				const struct unit *unit, const struct cell *cell)
{
	int cpu = unit_cpu(unit, 1), err = -EAGAIN, tries, i;
	bool *stop = new_shared(sizeof(*stop));
	struct perf_event_attr attr;
	uint64_t head, n, dropped = 0;
	struct worker worker;
	struct ring ring;

	NEED(unit_has(unit, "stats/dropped"), "stats/dropped (our drivers)");
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, cpu, spin_until_stop, stop));
	u->of->dense(unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, cpu, 256, RING_OVERWRITE));
	worker_go(&worker);
	for (tries = 0; tries < 20 && !dropped; tries++) {
		ASSERT_EQ(0, ring_enable(&ring));
		usleep(5000);
		n = read_number(unit->dir, "stats/dropped");
		for (i = 0; i < 1000 && err == -EAGAIN; i++)
			err = cause(u, cell->verb, cpu, cell->n);
		ASSERT_EQ(0, err);
		err = -EAGAIN;
		usleep(20000);
		ASSERT_EQ(0, ring_disable(&ring));
		dropped = read_number(unit->dir, "stats/dropped") - n;
	}
	ASSERT_GT(dropped, 0);
	head = head_of(&ring);
	for (n = 0; n < dropped && n < ring.aux_size; n++)
		if (ring.aux[(head + n) % ring.aux_size] != u->padding)
			break;
	EXPECT_TRUE(n == dropped || n == ring.aux_size)
		TH_LOG("%" PRIu64 " of %" PRIu64 " bytes are padding", n, dropped);
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	ring_close(&ring);
}

/* The unit raises its interrupt without a session. The driver handles it once. */
static void without_session(struct __test_metadata *_metadata, const struct event_unit *u,
			    const struct unit *unit)
{
	int cpu = unit_cpu(unit, 1);
	struct counts was, now;

	read_counts(unit, &was);
	ASSERT_EQ(0, cause(u, "status", cpu, u->status));
	usleep(100000);
	read_counts(unit, &now);
	TH_LOG("%ld interrupts", count_of(&now, "interrupts") - count_of(&was, "interrupts"));
	if (unit->ours)
		EXPECT_EQ(1, count_of(&now, "interrupts") - count_of(&was, "interrupts"));
	quiet_session(_metadata, u, unit, cpu);
}

/* The driver is loaded while the units are enabled and their interrupts are pending. */
static void left_behind(struct __test_metadata *_metadata, const struct event_unit *u,
			const struct unit *unit)
{
	struct counts now;
	struct unit again;
	int log;

	ASSERT_EQ(0, module_unload(u->of->driver));
	for (int i = 0; i < unit->ncpus; i++)
		ASSERT_EQ(0, cause(u, "stale", unit_cpu(unit, i), 0));
	log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	lseek(log, 0, SEEK_END);
	ASSERT_EQ(0, module_load(u->of->driver, ""));
	usleep(100000);
	ASSERT_EQ(0, u->of->find(&again));
	read_counts(&again, &now);
	for (size_t i = 0; i < ARRAY_SIZE(counted); i++) {
		EXPECT_EQ(0, now.of[i])
			TH_LOG("stats/%s", counted[i]);
	}
	EXPECT_EQ(0, log_lines(log, "stopped"));
	close(log);
	EXPECT_EQ(unit->ncpus, again.ncpus);
	for (int i = 0; i < again.ncpus; i++)
		quiet_session(_metadata, u, &again, unit_cpu(&again, i));
}

/* The number of the interrupt whose line in /proc/interrupts contains @word; 0 if there is none. */
static unsigned int irq_of(const char *word)
{
	FILE *f = fopen("/proc/interrupts", "r");
	unsigned int irq = 0;
	char line[1024];

	while (f && !irq && fgets(line, sizeof(line), f))
		if (strstr(line, word))
			irq = strtoul(line, NULL, 10);
	if (f)
		fclose(f);
	return irq;
}

#define CUT	PERF_AUX_FLAG_TRUNCATED
#define GAP	PERF_AUX_FLAG_PARTIAL

static const struct event_unit spe = {
	.of = &watch_spe, .word = "spe", .line = "spe",
	.inject = { [ABORT] = 2, [IMPDEF] = 3, [ALIGNMENT] = 6, [TLB_CONFLICT] = 7 },
	.late_abort = CUT | GAP, .small = 128, .padding = 0, .status = V9_PMBSR_EL1_S,
};

static const struct event_unit ete = {
	.of = &watch_ete, .word = "ete", .line = "trbe",
	.inject = { [ABORT] = 0, [IMPDEF] = 1, [ALIGNMENT] = 4, [TLB_CONFLICT] = 5 },
	.late_abort = CUT, .may = GAP, .small = 16, .padding = V9_TRACE_PADDING,
	.status = V9_TRBSR_EL1_IRQ | V9_TRBSR_EL1_S,
};

FIXTURE(events)
{
	struct unit unit;
};

UNIT_VARIANTS(events, const struct event_unit *of, &spe, &ete);

FIXTURE_SETUP(events)
{
	NEED_SESSION_OF(variant->of->of, &self->unit);
	if (self->unit.ncpus < 2)
		SKIP(return, "second CPU");
}

FIXTURE_TEARDOWN(events)
{
}

#define NEED_VERB(verb)								\
	do {									\
		const char *missing_ = missing_for(verb);			\
										\
		NEED(!missing_, "%s", missing_);				\
	} while (0)

/* Skip tests of external aborts on a unit that does not report them. */
#define NEED_REPORT(stat)							\
	NEED(strcmp(stat, "aborts") ||						\
	     !cause(variant->of, "reports", unit_cpu(&self->unit, 1), 0),	\
	     "unit that reports external aborts (PMBIDR_EL1.EA, TRBIDR_EL1.EA)")

/* A test NAME that runs FUNCTION with one buffer management event. @u is the unit. */
#define EVENT(name, function, ...)						\
TEST_F(events, name)								\
{										\
	const struct event_unit *u = variant->of;				\
	const struct cell cell = { __VA_ARGS__ };				\
										\
	NEED(cell.verb, "event of this unit");					\
	NEED_VERB(cell.verb);							\
	NEED_REPORT(cell.stat);							\
	function(_metadata, u, &self->unit, &cell);				\
}

/* Stage 1 faults: the data before them is complete. shows: SPE-ME7 SPE-CS2 TRBE-FA1 TRBE-FA2 TRBE-EV4 */
EVENT(translation_fault, event_cell, .verb = "page", .n = PAGE_TRANSLATION, .stat = "faults",
      .flags = CUT, .to_the_page = true)
EVENT(permission_fault, event_cell, .verb = "page", .n = PAGE_PERMISSION, .stat = "faults",
      .flags = CUT, .to_the_page = true)
EVENT(access_flag_fault, event_cell, .verb = "page", .n = PAGE_ACCESS_FLAG, .stat = "faults",
      .flags = CUT, .to_the_page = true)
EVENT(alignment_fault, event_cell, .verb = "inject", .n = u->inject[ALIGNMENT], .stat = "faults",
      .flags = CUT)
EVENT(tlb_conflict, event_cell, .verb = "inject", .n = u->inject[TLB_CONFLICT], .stat = "faults",
      .flags = CUT)

/*
 * External aborts: for a late one the affected bytes are unknown.
 * shows: SPE-ME11 SPE-ME12 TRBE-EA2 TRBE-EA3
 */
EVENT(abort_at_once, event_cell, .verb = "page", .n = PAGE_NOWHERE, .stat = "aborts",
      .flags = CUT, .to_the_page = true)
EVENT(abort_later, event_cell, .verb = "inject", .n = u->inject[ABORT], .stat = "aborts",
      .flags = u->late_abort)
EVENT(impdef_event, event_cell, .verb = "inject", .n = u->inject[IMPDEF], .stat = "fatal",
      .flags = CUT)

/* Two events: the second one sets further status bits. shows: SPE-ME4 TRBE-EV9 */
EVENT(abort_after_impdef_event, event_cell, .verb = "two", .n = u->inject[ABORT],
      .stat = "aborts", .flags = u->late_abort)
EVENT(abort_after_full, event_cell, .verb = "full_inject", .n = u->inject[ABORT],
      .stat = "aborts", .flags = u->late_abort, .may = u->may, .kernel = true, .pages = u->small)

/* Nothing is wrong with the buffer: the session continues. shows: SPE-ME13 SPE-SI15 */
EVENT(data_loss, event_cell, .verb = u == &spe ? "status" : NULL,
      .n = V9_PMBSR_EL1_S | V9_PMBSR_EL1_DL, .stat = "lost", .flags = GAP, .goes_on = true)
EVENT(collision, event_cell, .verb = u == &spe ? "status" : NULL, .n = V9_PMBSR_EL1_COLL,
      .stat = "collisions", .flags = PERF_AUX_FLAG_COLLISION, .goes_on = true)

/*
 * The end of the buffer while interrupts are masked. ETE: the trigger of the early interrupt comes
 * before, with one interrupt for both.
 */
EVENT(full_while_masked, event_cell, .verb = "full", .stat = "full", .flags = CUT | u->may,
      .kernel = true, .pages = u->small)

EVENT(abort_while_switching, while_switching, .verb = "masked", .n = u->inject[ABORT],
      .stat = "aborts", .flags = u->late_abort)
EVENT(impdef_event_while_switching, while_switching, .verb = "masked", .n = u->inject[IMPDEF],
      .stat = "fatal", .flags = CUT)

/* The user gets the data that was collected before the event. shows: SPE-ME12 TRBE-EV9 TRBE-EA3 */
EVENT(windows_before_late_abort, windows_before, .verb = "inject", .n = u->inject[ABORT],
      .stat = "aborts", .flags = u->late_abort, .may = u->may)
EVENT(windows_before_impdef_event, windows_before, .verb = "inject", .n = u->inject[IMPDEF],
      .stat = "fatal", .flags = CUT, .may = u->may)

EVENT(late_abort_in_snapshot, dropped_in_snapshot, .verb = "inject", .n = u->inject[ABORT],
      .stat = "aborts")

/* An interrupt without a cause */
TEST_F(events, spurious_interrupt)
{
	const struct cell cell = {
		.verb = "pend", .n = irq_of(variant->of->line), .stat = "spurious", .goes_on = true,
	};

	NEED_VERB(cell.verb);
	NEED(cell.n, "a line of the unit in /proc/interrupts");
	event_cell(_metadata, variant->of, &self->unit, &cell);
}

/*
 * The unit raises its interrupt without a session. With the in-tree drivers of 6.12 the interrupt
 * repeats forever (SPE), or the kernel crashes (TRBE).
 */
TEST_F(events, interrupt_without_session)
{
	NEED_VERB("status");
	NEED(self->unit.ours, "%s driver (another one does not survive this)",
	     variant->of->of->driver);
	without_session(_metadata, variant->of, &self->unit);
}

/* State left by kexec or firmware. shows: SPE-RA1 SPE-ME2 TRBE-IR2 */
TEST_F(events, state_left_by_another_kernel)
{
	NEED_VERB("stale");
	NEED(self->unit.ours, "%s driver", variant->of->of->driver);
	left_behind(_metadata, variant->of, &self->unit);
}

TEST_HARNESS_MAIN
