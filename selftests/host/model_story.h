/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace as a line of words, to compare it with what a test expects.
 *
 *	sync info on overflow discard
 *	a1000/1		Target Address, with a context of EL1; plain: a1000
 *	c0		Context of EL0; c1:7 with a context ID, c1:7:8 with a VMID, too
 *	EEN		atoms, each packet a word
 *	irq@1004	exception and its return address; +irq@1004: at the last target
 *	t64 t64+3	timestamp, cycles; y5 y? cycle counts; v3 events 0 and 1; k2 commit
 */
#ifndef V9_MODEL_STORY_H
#define V9_MODEL_STORY_H

#include "model_trace.h"

#define TK_STORY 4096

static char tk_text[TK_STORY];
static size_t tk_len;

static __attribute__((format(printf, 1, 2))) void tk_word(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (tk_len < TK_STORY - 1)
		tk_len += vsnprintf(tk_text + tk_len, TK_STORY - tk_len, fmt, ap);
	if (tk_len > TK_STORY - 1)
		tk_len = TK_STORY - 1;
	va_end(ap);
}

static inline void tk_word_ctx(const struct v9_ete_pkt *p, char first)
{
	tk_word("%c%u", first, p->ctx.el);
	if (p->ctx.contextid || p->ctx.vmid)
		tk_word(":%x", p->ctx.contextid);
	if (p->ctx.vmid)
		tk_word(":%x", p->ctx.vmid);
}

static inline void tk_word_of(const struct v9_ete_pkt *p)
{
	static const char *const exc[32] = {
		[V9_ETE_EXC_RESET] = "reset", [V9_ETE_EXC_DEBUG_HALT] = "halt",
		[V9_ETE_EXC_CALL] = "call", [V9_ETE_EXC_TRAP] = "trap",
		[V9_ETE_EXC_SERROR] = "serror", [V9_ETE_EXC_INST_FAULT] = "ifault",
		[V9_ETE_EXC_DATA_FAULT] = "dfault", [V9_ETE_EXC_IRQ] = "irq",
		[V9_ETE_EXC_FIQ] = "fiq",
	};
	unsigned int i;

	tk_word(tk_len ? " " : "");
	switch (p->kind) {
	case V9_ETE_ASYNC:
		tk_word("sync");
		break;
	case V9_ETE_INFO:
		tk_word("info");
		break;
	case V9_ETE_TRACE_ON:
		tk_word("on");
		break;
	case V9_ETE_OVERFLOW:
		tk_word("overflow");
		break;
	case V9_ETE_DISCARD:
		tk_word("discard");
		break;
	case V9_ETE_ADDRESS:
		tk_word("a%llx", (unsigned long long)p->addr);
		if (p->has & V9_ETE_HAS_CTX)
			tk_word_ctx(p, '/');
		break;
	case V9_ETE_CONTEXT:
		tk_word_ctx(p, 'c');
		break;
	case V9_ETE_EXCEPTION:
		tk_word("%s%s", p->target_first ? "+" : "", exc[p->type] ? exc[p->type] : "other");
		if (p->has & V9_ETE_HAS_ADDR)
			tk_word("@%llx", (unsigned long long)p->addr);
		if (p->has & V9_ETE_HAS_CTX)
			tk_word_ctx(p, '/');
		break;
	case V9_ETE_TIMESTAMP:
		tk_word("t%llx", (unsigned long long)p->timestamp);
		if (p->has & V9_ETE_HAS_COUNT)
			tk_word("+%u", p->count);
		break;
	case V9_ETE_CYCLES:
		if (p->has & V9_ETE_HAS_COUNT)
			tk_word("y%u", p->count);
		else
			tk_word("y?");
		break;
	case V9_ETE_EVENT:
		tk_word("v%u", p->events);
		break;
	case V9_ETE_COMMIT:
		tk_word("k%u", p->commit);
		break;
	case V9_ETE_ATOMS:
		for (i = 0; i < p->natoms; i++)
			tk_word("%c", p->atoms >> i & 1 ? 'E' : 'N');
		break;
	default:
		tk_word("kind%u", p->kind);
	}
}

/* Decodes the trace in the buffer so far. */
static inline const char *tk_story(struct fk *f)
{
	struct v9_ete_config cfg;
	struct v9_ete_pktdec dec;
	size_t n, at = 0;

	v9_ete_config_init(&cfg, MRS(f, TRCIDR0), MRS(f, TRCIDR8), false);	/* makes it write queued trace */
	n = tk_score(f)->written;
	v9_ete_pktdec_init(&dec, &cfg);
	tk_len = 0;
	tk_text[0] = 0;
	while (at < n) {
		struct v9_ete_pkt p;
		int r = v9_ete_pkt_decode(&dec, f->mem + at, n - at, &p);

		if (r <= 0) {
			tk_word(" bad%02x", f->mem[at]);
			break;
		}
		tk_word_of(&p);
		at += r;
	}
	return tk_text;
}

static inline bool tk_compare(struct fk *f, const char *want, const char *file, int line,
			      const char *name)
{
	const char *got = tk_story(f);

	if (strcmp(got, want)) {
		tap_note("got:  %s", got);
		tap_note("want: %s", want);
	}
	if (f->nviolations)
		tap_note("note: %s %s", f->violation.rule, f->violation.what);
	return tap_result(!strcmp(got, want) && !f->nviolations, file, line, "the story", "%s",
			  name);
}

/* Stops tracing. The trace must be @want, without a violation. */
#define tk_expect(f, want, name) \
	(tk_stop(f), tk_compare(f, want, __FILE__, __LINE__, name))
/* The trace so far must be @want, without a violation; tracing continues. */
#define tk_expect_so_far(f, want, name) tk_compare(f, want, __FILE__, __LINE__, name)

/* A PE with the trace unit and the buffer programmed, but the trace unit not enabled. */
static inline struct fk *tk_ready(uint64_t config)
{
	struct fk *f = tk_new();

	tk_setup(f, config);
	return f;
}

/* Resource selector @n selects bits @select of @group. */
static inline void tk_select(struct fk *f, unsigned int n, unsigned int group, unsigned int select)
{
	fk_msr(f, V9_SYS_TRCRSCTLR(n), group << 16 | select);
}

static inline void tk_prohibit(struct fk *f)
{
	MSR(f, TRFCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
}

static inline void tk_permit(struct fk *f)
{
	MSR(f, TRFCR_EL1, V9_TRFCR_EL1_E0TRE | V9_TRFCR_EL1_E1TRE |
	    V9_PUT(V9_TRFCR_EL1_TS, V9_TRFCR_EL1_TS_VIRTUAL));
	fk_sync(f, V9_SYNC_ISB);
}

#endif
