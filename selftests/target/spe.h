/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the SPE kselftests share: find the unit, open a session, collect its
 * AUX bytes, decode them to records. Nothing here asserts; every function
 * returns 0 or a negative errno, or a value.
 */
#ifndef V9_SELFTEST_SPE_H
#define V9_SELFTEST_SPE_H

#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The unit as sysfs shows it. */
struct spe_unit {
	char name[32];			/* arm_spe_0 */
	char dir[96];
	int type;
	cpu_set_t cpus;			/* those of its mask that are online */
	int ncpus;
	unsigned int min_interval;
	bool arch_inst;
	bool ours;			/* v9_spe drives it, not the in-tree driver */
};

int spe_find(struct spe_unit *unit);
int spe_read_text(const char *dir, const char *file, char *text, size_t size);
int spe_write_text(const char *path, const char *text);
bool spe_has(const struct spe_unit *unit, const char *file);
int spe_cpu(const struct spe_unit *unit, int nth);
bool spe_perfmon_allowed(void);
const char *spe_missing(const struct spe_unit *unit);

#define SPE_LOSS (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL)

/* One event with its data ring, its AUX buffer and what was copied out of it. */
struct spe_ring {
	int fd;
	struct perf_event_mmap_page *page;
	size_t data_size;
	uint8_t *aux;
	size_t aux_size;

	uint8_t *bytes;			/* AUX content from AUX position 0 on */
	size_t nbytes;
	size_t room;
	uint64_t flags;			/* of all PERF_RECORD_AUX, or-ed */
	uint64_t reported;		/* bytes those records spoke of */
	uint64_t largest;		/* the most that one of them spoke of */
	uint64_t aux_end;		/* where the last of them ended */
	unsigned int naux;
	unsigned int nlost;
	const char *wrong;		/* first inconsistency met while draining */
};

/* User space only, period 1024, disabled until asked. */
void spe_attr(const struct spe_unit *unit, struct perf_event_attr *attr);
int spe_event(const struct perf_event_attr *attr, pid_t pid, int cpu);

#define SPE_OVERWRITE 1			/* snapshot mode: AUX mapped read-only */

int spe_open(struct spe_ring *ring, const struct perf_event_attr *attr, pid_t pid, int cpu,
	     unsigned int aux_pages, int mode);
int spe_map_aux(struct spe_ring *ring, unsigned int aux_pages, int mode);
void spe_unmap_aux(struct spe_ring *ring);
int spe_enable(struct spe_ring *ring);
int spe_disable(struct spe_ring *ring);
int spe_drain(struct spe_ring *ring);
void spe_close(struct spe_ring *ring);

/* One sample record; a field is valid if its bit is in @has. */
enum {
	REC_PC = 1 << 0, REC_TARGET = 1 << 1, REC_VA = 1 << 2, REC_PA = 1 << 3,
	REC_OP = 1 << 4, REC_EVENTS = 1 << 5, REC_TOTAL = 1 << 6, REC_ISSUE = 1 << 7,
	REC_XLAT = 1 << 8, REC_CONTEXT = 1 << 9, REC_TS = 1 << 10, REC_SOURCE = 1 << 11,
};

struct spe_rec {
	unsigned int has;
	uint64_t pc, target, va, pa;	/* payloads as they are, byte 7 included */
	uint64_t events, ts;
	uint32_t context;
	uint16_t total, issue, xlat, source;
	uint8_t op_class, op;
	size_t at;			/* AUX position of its first byte */
};

struct spe_recs {
	struct spe_rec *rec;
	size_t n;
	size_t bad_at;			/* where decoding stopped, if it failed */
	const char *why;
};

int spe_decode(const uint8_t *bytes, size_t n, size_t aux_size, struct spe_recs *recs);
int spe_records(struct spe_ring *ring, struct spe_recs *recs);
void spe_free(struct spe_recs *recs);

#define SPE_ADDR(payload)	((payload) & UINT64_C(0x00ffffffffffffff))
#define SPE_ADDR_EL(payload)	((unsigned int)((payload) >> 61) & 3)
#define SPE_TAG(payload)	((unsigned int)((payload) >> 56))

/* Work whose instructions are known: 2 * n of them between the two labels. */
void spin(uint64_t n);
extern const char spin_start[], spin_end[];
size_t spe_in_spin(const struct spe_recs *recs);

/* A process that waits for go, does its work and ends. */
struct worker {
	pid_t pid;
	int go;
};

int worker_start(struct worker *worker, int cpu, void (*work)(void *), void *arg);
void worker_go(struct worker *worker);
bool worker_done(struct worker *worker);
int worker_wait(struct worker *worker);

int pin_to(int cpu);
uint64_t now_ticks(void);

#endif
