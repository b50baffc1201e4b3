// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transactions in the trace of the model: bytes typed from D5.3.71 to 73. The PE has no FEAT_TME: the test says
 * where a transaction begins, succeeds and fails.
 */
#include "model_trace.h"

#define ASYNC 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define INFO 0x01, 0x00
#define ON 0x04
#define AT_1000 0x82, 0x00, 0x08, 0x00, 0x00, 0x31	/* Target Address with Context: EL1 */
#define BEGIN ASYNC, INFO, ON, AT_1000
#define E 0xf7
#define START 0x0a
#define COMMIT 0x0b
#define FAILURE 0x06, 0x31, 0x70		/* E[1:0] 01, type 0x18; no address */
#define FAILURE_AT_TARGET 0x06, 0x70, 0x70	/* E[1:0] 10: the target before it is UNKNOWN */
#define AGAIN 0x90			/* the newest address: exact match 0 */
#define BEFORE 0x91			/* the one before, as a failure has pushed 0 (R_FPDFJ) */

static void tx(struct fk *f, enum v9_transaction what)
{
	v9_trace_transaction(f->m, what);
}

static void b(struct fk *f)
{
	tk_b(f, 0x1000);
}

/* shows: ETE-R_KMNXW ETE-R_TWNQP ETE-R_MHBCG */
static void results(void)
{
	struct fk *f = tk_started(0, 0x1000);

	b(f);
	tx(f, V9_TX_START);
	b(f);
	b(f);
	tx(f, V9_TX_COMMIT);
	b(f);
	TK_IS(f, "success", BEGIN, E, START, 0xdb, COMMIT, E);

	f = tk_started(0, 0x1000);
	b(f);
	tx(f, V9_TX_START);
	b(f);
	tx(f, V9_TX_FAIL);
	f->pc = 0x1000;
	b(f);
	TK_IS(f, "failure", BEGIN, E, START, E, FAILURE, BEFORE, E);

	/* One element for the outer transaction, also if it is begun again */
	f = tk_started(0, 0x1000);
	tx(f, V9_TX_START);
	b(f);
	tx(f, V9_TX_START);
	b(f);
	tx(f, V9_TX_COMMIT);
	tx(f, V9_TX_COMMIT);
	tx(f, V9_TX_FAIL);
	b(f);
	TK_IS(f, "outer_transaction", ASYNC, INFO, ON, START, AT_1000, 0xdb, COMMIT, E);

	/* The target of the last branch is not known: it is not traced. */
	f = tk_started(0, 0x1000);
	tx(f, V9_TX_START);
	tk_p0(f, TK_BR, 0, 0x2000);
	tx(f, V9_TX_FAIL);
	f->pc = 0x1000;
	b(f);
	TK_IS(f, "failure_at_a_target", ASYNC, INFO, ON, START, AT_1000, E, FAILURE_AT_TARGET, BEFORE, E);

	/* An interrupt is the first element in it. */
	f = tk_started(0, 0x1000);
	b(f);
	tx(f, V9_TX_START);
	tk_irq(f, 1, 0x1000);
	b(f);
	TK_IS(f, "interrupt_in_a_transaction", BEGIN, E, START, 0x06, 0x1d, AGAIN, AGAIN, E, FAILURE);

	/* Nothing is traced of one that begins and ends between P0 elements. */
	f = tk_started(0, 0x1000);
	b(f);
	tx(f, V9_TX_START);
	tx(f, V9_TX_COMMIT);
	b(f);
	TK_IS(f, "empty_transaction", BEGIN, 0xdb);
}

static void prohibit(struct fk *f, bool prohibited)
{
	MSR(f, TRFCR_EL1, prohibited ? 0 : V9_TRFCR_EL1_E0TRE | V9_TRFCR_EL1_E1TRE |
					   V9_PUT(V9_TRFCR_EL1_TS, V9_TRFCR_EL1_TS_VIRTUAL));
	fk_sync(f, V9_SYNC_ISB);
}

/* shows: ETE-R_RKGLY ETE-R_XQSPC ETE-R_NMWFJ */
static void regions(void)
{
	struct fk *f = tk_started(0, 0x1000);

	/* Tracing begins in it, ends in it, begins again: Start, Failure, Start. */
	prohibit(f, true);
	tx(f, V9_TX_START);
	prohibit(f, false);
	b(f);
	prohibit(f, true);
	prohibit(f, false);
	b(f);
	tx(f, V9_TX_COMMIT);
	b(f);
	TK_IS(f, "prohibited_region", ASYNC, INFO, ON, START, AT_1000, E, FAILURE, ON, START, BEFORE, E,
	      COMMIT, E);

	/* It ends where nothing is traced. */
	f = tk_started(0, 0x1000);
	tx(f, V9_TX_START);
	b(f);
	prohibit(f, true);
	tx(f, V9_TX_COMMIT);
	prohibit(f, false);
	b(f);
	TK_IS(f, "end_in_a_prohibited_region", ASYNC, INFO, ON, START, AT_1000, E, FAILURE, ON, BEFORE, E);

	/* TRCPRGCTLR.EN becomes 0. */
	f = tk_started(0, 0x1000);
	tx(f, V9_TX_START);
	b(f);
	MSR(f, TRCPRGCTLR, 0);
	fk_sync(f, V9_SYNC_ISB);
	tx(f, V9_TX_COMMIT);
	TK_IS(f, "disabled", ASYNC, INFO, ON, START, AT_1000, E, FAILURE);
}

/* The bit of Trace Info, D5.3.70: INFO.T is bit 6. shows: ETE-R_WJJNK */
static void trace_info(void)
{
	struct fk *f = tk_new();
	unsigned int i;

	tk_setup(f, 0);
	MSR(f, TRCSYNCPR, 8);	/* each 256 bytes */
	tk_go(f, 0x1000);
	b(f);
	tx(f, V9_TX_START);
	for (i = 0; i < 300; i++)
		tk_p0(f, TK_BR, 0, i & 1 ? 0x1000 : 0x2000);
	for (i = 60; i < 400 && memcmp(f->mem + i, (uint8_t[]){ 0, 0, 0, 0x80, 0x01 }, 5); i++)
		;
	tap_ok(f->mem[i + 5] == 0x01 && f->mem[i + 6] == 0x40, "open_transaction_in_trace_info");
	tap_note("%02x %02x", f->mem[i + 5], f->mem[i + 6]);
	fk_free(f);
}

/*
 * The packets in memory, shows: ETE-R_XQSPC. A Failure is between a Start that was traced and the Overflow (R_YTKLN;
 * I_VQYYH: not behind it). None is without a Start, which may be the packet that was lost behind Trace On.
 */
static void failures(void)
{
	struct fk *f = tk_new();
	unsigned int i, missing = 0, invented = 0, n = 0;
	bool begun = false, open = false;
	struct v9_ete_config cfg;
	struct v9_ete_pktdec dec;
	struct v9_ete_pkt p;
	size_t at, bytes;
	int r;

	f->cfg.trbe_reject = 6;
	f->cfg.seed = 3;
	tk_start(f, 0, 0x1000);
	tx(f, V9_TX_START);
	for (i = 0; i < 300; i++)
		tk_p0(f, TK_BR, 0, 0x1000);
	bytes = tk_stop(f);
	v9_ete_config_init(&cfg, MRS(f, TRCIDR0), MRS(f, TRCIDR8), false);
	v9_ete_pktdec_init(&dec, &cfg);
	for (at = 0; at < bytes; at += r) {
		r = v9_ete_pkt_decode(&dec, f->mem + at, bytes - at, &p);
		if (r <= 0)
			break;
		if (p.kind == V9_ETE_TRACE_ON)
			begun = true;
		if (p.kind == V9_ETE_TX_START)
			begun = open = true;
		if (p.kind == V9_ETE_EXCEPTION && p.type == V9_ETE_EXC_TX_FAILURE) {
			invented += !begun;
			n += open;
			begun = open = false;
		}
		if (p.kind == V9_ETE_OVERFLOW) {
			missing += open;
			begun = open = false;
		}
	}
	tap_ok(at == bytes && n > 10 && !missing, "failure_before_overflows");
	tap_note("%u failures, %u missing", n, missing);
	tap_eq(invented, 0, "no_failure_without_a_start");
	fk_free(f);
}

/* shows: ETE-R_CRPJZ ETE-R_XQSPC */
static void overflow(void)
{
	struct fk *f = tk_new();
	unsigned int i, before;

	f->cfg.trbe_reject = 2;
	f->cfg.seed = 3;
	tk_start(f, 0, 0x1000);
	tx(f, V9_TX_START);
	for (i = 0; i < 200; i++)
		tk_p0(f, TK_BR, 0, 0x1000);
	before = tk_score(f)->packets[V9_ETE_OVERFLOW];
	/* A Start before each of the first P0 elements behind an overflow */
	tap_ok(before > 10 && tk_score(f)->packets[V9_ETE_TX_START] >= before / 2, "start_again_behind_overflows");
	tap_note("%u overflows, %u starts", before, (unsigned int)tk_score(f)->packets[V9_ETE_TX_START]);
	tx(f, V9_TX_COMMIT);
	before = tk_score(f)->packets[V9_ETE_TX_START];
	for (i = 0; i < 50; i++)
		tk_p0(f, TK_BR, 0, 0x1000);
	tap_eq(tk_score(f)->packets[V9_ETE_TX_START], before, "no_start_behind_the_end");
	fk_free(f);
}

/* shows: ETE-R_XQSPC */
static void reset(void)
{
	struct fk *f = tk_started(0, 0x1000);

	tx(f, V9_TX_START);
	b(f);
	v9_enter(f->m, f->cnt, f->dva, f->dvalid);
	v9_model_reset(f->m, V9_RESET_WARM);
	f->cnt = v9_leave(f->m);
	tap_eq(tk_score(f)->packets[V9_ETE_EXCEPTION], 1, "reset_implies_the_failure");
	fk_free(f);
}

/* With COMMTRANS 0 Transaction Start is a P0 element, which counts for MAXSPEC. shows: ETE-R_VVFQZ */
static void depth(void)
{
	static const struct { const char *name; bool commtrans; uint8_t depth; } t[] = {
		{ "start_is_p0", false, 2 }, { "start_is_no_p0", true, 1 },
	};
	struct fk *f;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		f = tk_new();
		f->cfg.maxspec = 8;
		f->cfg.spec_what = 0;
		f->cfg.spec_wrong = 0;
		f->cfg.commtrans = t[i].commtrans;
		tk_init(f);
		tap_eq(MRS(f, TRCIDR0) >> 30 & 1, t[i].commtrans, "%s_in_trcidr0", t[i].name);
		tk_buffer(f, 8, 0);
		tk_program(f, 0);
		tk_go(f, 0x1000);
		tx(f, V9_TX_START);
		b(f);
		tx(f, V9_TX_COMMIT);
		/* The flush commits what there is: Commit (0x2d), number of P0 elements */
		tk_is(f, tk_stop(f), (const uint8_t[]){ ASYNC, INFO, ON, START, AT_1000, E, COMMIT, 0x2d,
							 t[i].depth }, 26, t[i].name);
	}
	f = tk_new();
	f->cfg.commtrans = true;
	tap_eq(tk_init(f), -EINVAL, "commtrans_needs_speculation");
	fk_free(f);
}

/* ViewInst start/stop is as at the beginning of a transaction that failed. shows: ETE-R_CYQZV */
static void start_stop(void)
{
	static const struct {
		const char *name;
		enum v9_transaction end;
		uint8_t active;
	} t[] = { { "stop_in_a_failed_transaction", V9_TX_FAIL, 1 }, { "stop_in_a_transaction", V9_TX_COMMIT, 0 } };
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = tk_new();
		uint64_t before;

		tk_setup(f, 0);
		fk_msr(f, V9_SYS_TRCACVR(0), 0x2000);
		MSR(f, TRCVISSCTLR, 1 << 16);		/* stop */
		tk_go(f, 0x1000);
		tk_b(f, 0x2000);
		tx(f, V9_TX_START);
		tk_b(f, 0x1000);			/* the stop point */
		b(f);
		tx(f, t[i].end);
		f->pc = 0x1000;
		before = tk_score(f)->p0;
		b(f);
		b(f);
		b(f);
		tap_eq(tk_score(f)->p0 > before, t[i].active, "%s", t[i].name);
		fk_free(f);
	}
}

/* A single shot fires when the transaction has succeeded. shows: ETE-R_SDDWY */
static void single_shot(void)
{
	static const struct {
		const char *name;
		enum v9_transaction end;
		uint8_t fired;
	} t[] = { { "shot_in_a_failed_transaction", V9_TX_FAIL, 0 }, { "shot_in_a_transaction", V9_TX_COMMIT, 1 } };
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = tk_new();

		tk_setup(f, 0);
		fk_msr(f, V9_SYS_TRCACVR(0), 0x2000);
		MSR(f, TRCSSCCR0, 1);			/* comparator 0 */
		fk_msr(f, V9_SYS_TRCRSCTLR(2), V9_PUT(V9_TRCRSCTLRn_GROUP, V9_TRCRSCTLRn_GROUP_SSCC) | 1);
		MSR(f, TRCEVENTCTL0R, 2);
		tk_go(f, 0x1000);
		tx(f, V9_TX_START);
		tk_b(f, 0x2000);
		tk_b(f, 0x1000);
		b(f);
		tap_eq(tk_score(f)->extout[0], 0, "%s_waits", t[i].name);
		tx(f, t[i].end);
		f->pc = 0x1000;
		b(f);
		b(f);
		tap_eq(tk_score(f)->extout[0], t[i].fired, "%s", t[i].name);
		fk_free(f);
	}
}

/* Trace is in memory after TSB CSYNC and DSB, although the transaction goes on. shows: ETE-R_TSLRT */
static void drained(void)
{
	struct fk *f = tk_new();

	f->cfg.delay = V9_DELAY_MAX;
	tk_start(f, 0, 0x1000);
	tx(f, V9_TX_START);
	b(f);
	prohibit(f, true);
	tap_ok(f->mem[11] != 0x80, "nothing_is_there_before");
	fk_sync(f, V9_SYNC_TSB);
	fk_sync(f, V9_SYNC_DSB);
	tap_ok(f->mem[11] == 0x80 && f->mem[15] == START, "drained_in_a_transaction");
	fk_free(f);
}

int main(void)
{
	results();
	drained();
	regions();
	trace_info();
	overflow();
	failures();
	reset();
	depth();
	start_stop();
	single_shot();
	return tap_done();
}
