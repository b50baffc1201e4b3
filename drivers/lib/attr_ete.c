// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Options of a tracing session. The files in format/, the check of a request and the register
 * values are computed from one table.
 */
#include "v9trace/attr.h"
#include "v9trace/gen/regs.h"

/* Rows of the table */
enum {
	TIMESTAMP, BROADCAST, CYCACC, CONTEXTID1, CONTEXTID2, RETSTACK, INPUT, INPUT_EVENT,
	SYNC_PERIOD, BB_RANGE, TS_SOURCE, STALL, NOOVERFLOW, STROBE_WINDOW, STROBE_PERIOD, MATCH,
	TRIGGER, MATCH_MASK, TRIGGER_COUNT, TRIGGER_AFTER, CC_THRESHOLD, TRIGGER_ADDRESS,
	INSTRUMENTATION, TRCERR, TRCRESET, PE_INPUT, TIMESTAMP_INTERVAL, PRESET,
	TRIGGER_PANIC, Q_ELEMENTS, Q_RANGE,
};

#define OPTION(name, word, lo, hi, reg, field, need) \
	{ name, word, lo, hi, V9_ETE_REG_##reg, V9_##reg##_##field, need, false }
#define SPECIAL(name, word, lo, hi, need) \
	{ name, word, lo, hi, V9_ETE_REG_NONE, 0, need, false }

/*
 * In kernels with ETM_OPT_TS perf converts timestamps only if bit 28 is set. Later versions look up
 * the name.
 */
#ifdef V9_HAVE_ETM_OPT_TS
#define TIMESTAMP_LO	28
#define TIMESTAMP_HI	28
#else
#define TIMESTAMP_LO	4
#define TIMESTAMP_HI	7
#endif

/*
 * Bit positions are ABI: stock perf and recorded files use them. Options after "retstack" are of
 * this driver only, except "preset", which has the position of the in-tree driver. perf uses the
 * name "contextid" for the one of contextid1 and contextid2 that has the thread ID, and may write
 * the number of a sink to config2.
 */
static const struct v9_option options[] = {
	[PRESET] = SPECIAL("preset",		0, 0, 3,	V9_TRACE_HAS_STROBE),
	[TIMESTAMP] = SPECIAL("timestamp",	0, TIMESTAMP_LO, TIMESTAMP_HI, V9_TRACE_HAS_TS),
	[TIMESTAMP_INTERVAL] = SPECIAL("timestamp_interval", 0, 4, 7, V9_TRACE_HAS_TS),
	[BROADCAST] = OPTION("branch_broadcast", 0, 8, 8, TRCCONFIGR, BB, V9_TRACE_HAS_BB),
	[CYCACC] = OPTION("cycacc",		0, 12, 12, TRCCONFIGR, CCI, V9_TRACE_HAS_CC),
	[CONTEXTID1] = OPTION("contextid1",	0, 14, 14, TRCCONFIGR, CID, V9_TRACE_HAS_CID),
	[CONTEXTID2] = OPTION("contextid2",	0, 15, 15, TRCCONFIGR, VMID, V9_TRACE_HAS_VMID),
	[RETSTACK] = OPTION("retstack",		0, 29, 29, TRCCONFIGR, RS, V9_TRACE_HAS_RS),
	[INPUT] = SPECIAL("input",		0, 32, 47,	V9_TRACE_HAS_INPUT),
	[INPUT_EVENT] = SPECIAL("input_event",	0, 48, 48,	V9_TRACE_HAS_ANY_INPUT),
	[SYNC_PERIOD] = SPECIAL("sync_period",	0, 49, 53,	V9_TRACE_HAS_SYNCPR),
	[BB_RANGE] = SPECIAL("bb_range",	0, 54, 55, V9_TRACE_HAS_BB | V9_TRACE_HAS_FILTERS),
	[TS_SOURCE] = SPECIAL("ts_source",	0, 56, 57,	V9_TRACE_HAS_TS),
	[STALL] = OPTION("stall",		0, 58, 61, TRCSTALLCTLR, LEVEL, V9_TRACE_HAS_STALL),
	[NOOVERFLOW] = OPTION("nooverflow",	0, 62, 62, TRCSTALLCTLR, NOOVERFLOW,
			      V9_TRACE_HAS_NOOVERFLOW),
	[STROBE_WINDOW] = SPECIAL("strobe_window", 1, 0, 15,	V9_TRACE_HAS_STROBE),
	[STROBE_PERIOD] = SPECIAL("strobe_period", 1, 16, 31,	V9_TRACE_HAS_STROBE),
	[MATCH] = SPECIAL("contextid_match",	1, 32, 63,	V9_TRACE_HAS_MATCH),
	[TRIGGER] = SPECIAL("trigger",		2, 0, 1,	V9_TRACE_HAS_EVENTS),
	[MATCH_MASK] = SPECIAL("contextid_mask", 2, 2, 5,	V9_TRACE_HAS_MATCH),
	[TRIGGER_COUNT] = SPECIAL("trigger_count", 2, 16, 31,
				  V9_TRACE_HAS_EVENTS | V9_TRACE_HAS_COUNTER),
	[TRIGGER_AFTER] = SPECIAL("trigger_after", 2, 32, 63,	V9_TRACE_HAS_EVENTS),
	[CC_THRESHOLD] = SPECIAL("cc_threshold", 3, 0, 11,	V9_TRACE_HAS_CC),
	[TRIGGER_ADDRESS] = SPECIAL("trigger_address", 3, 12, 63,
				    V9_TRACE_HAS_EVENTS | V9_TRACE_HAS_POINT),
	[Q_ELEMENTS] = OPTION("q_elements",	0, 30, 31, TRCCONFIGR, QE, V9_TRACE_HAS_Q),
	[Q_RANGE] = SPECIAL("q_range",		0, 16, 17,	V9_TRACE_HAS_QFILT),
	[TRIGGER_PANIC] = SPECIAL("trigger_panic", 0, 27, 27,
				  V9_TRACE_HAS_EVENTS | V9_TRACE_HAS_POINT),
	[TRCERR] = OPTION("trcerr",		2, 6, 6, TRCVICTLR, TRCERR, V9_TRACE_HAS_TRCERR),
	[TRCRESET] = OPTION("trcreset",		2, 7, 7, TRCVICTLR, TRCRESET, 0),
	[PE_INPUT] = SPECIAL("pe_input",	2, 8, 15,	V9_TRACE_HAS_PE_INPUT),
	[INSTRUMENTATION] = SPECIAL("instrumentation", 0, 63, 63, V9_TRACE_HAS_ITE),
};

/* The bit of kernels with ETM_OPT_TS, which is accepted on every kernel */
#define OLD_TIMESTAMP		V9_BIT(28)

/*
 * Values of "timestamp": n: a timestamp every 1 << (n - 1) cycles; or only those that the unit
 * must generate
 */
#define TIMESTAMP_SYNC_ONLY	15

#define SYNC_DEFAULT		12	/* log2 of bytes: a decoder can start every 4096 bytes */
#define SYNC_LEAST		8
#define SYNC_MOST		20

#define CC_DEFAULT		256	/* cycles; a smaller threshold generates more trace */

/* "trigger_address" has bits 55:2 of the address. */
#define ADDRESS_SHIFT		2
#define ADDRESS_TOP		53

#define ARCHPART_ETE		0xa13

/* Values of "preset", from 1: the presets of the configuration "autofdo" of the in-tree driver */
static const struct {
	uint16_t window, period;
} presets[] = {
	{ 5000, 2 }, { 5000, 4 }, { 5000, 8 }, { 5000, 16 }, { 5000, 64 },
	{ 5000, 128 }, { 5000, 512 }, { 5000, 1024 }, { 5000, 4096 },
};

/* In addresses of the kernel the top bits are set. */
static bool is_kernel(uint64_t address)
{
	return address >> ADDRESS_TOP;
}

const struct v9_option *v9_ete_option(unsigned int i)
{
	return i < V9_ARRAY_SIZE(options) ? &options[i] : NULL;
}

bool v9_ete_has_option(const struct v9_ete_unit *unit, const struct v9_option *o,
		       unsigned int words)
{
	return o->word < words && !(o->need & ~unit->features);
}

static int refuse(const char **why, int err, const char *text)
{
	*why = text;
	return err;
}

static uint64_t features(const struct v9_ete_unit *unit, bool at_el2)
{
	const uint8_t *has = unit->counts.has;
	const uint64_t *idr = unit->id.trcidr;
	uint64_t f = 0;

	if (idr[0] & V9_TRCIDR0_TRCBB)
		f |= V9_TRACE_HAS_BB;
	if (idr[0] & V9_TRCIDR0_TRCCCI)
		f |= V9_TRACE_HAS_CC;
	if (idr[0] & V9_TRCIDR0_RETSTACK)
		f |= V9_TRACE_HAS_RS;
	if (idr[0] & V9_TRCIDR0_TSSIZE)
		f |= V9_TRACE_HAS_TS;
	if (V9_GET(V9_TRCIDR4_NUMACPAIRS, idr[4]))
		f |= V9_TRACE_HAS_FILTERS;
	if (idr[0] & V9_TRCIDR0_QSUPP)
		f |= V9_TRACE_HAS_Q;
	if ((f & V9_TRACE_HAS_Q) && (idr[0] & V9_TRCIDR0_QFILT) && (f & V9_TRACE_HAS_FILTERS))
		f |= V9_TRACE_HAS_QFILT;
	if (idr[2] & V9_TRCIDR2_CIDSIZE)
		f |= V9_TRACE_HAS_CID;
	/*
	 * CONTEXTIDR_EL2 has the thread ID for a kernel at EL2; otherwise the hypervisor uses it.
	 */
	if ((idr[2] & V9_TRCIDR2_VMIDSIZE) && at_el2)
		f |= V9_TRACE_HAS_VMID;
	if (at_el2)
		f |= V9_TRACE_AT_EL2;
	if (idr[3] & V9_TRCIDR3_STALLCTL && idr[3] & V9_TRCIDR3_SYSSTALL)
		f |= V9_TRACE_HAS_STALL;
	if (f & V9_TRACE_HAS_STALL && idr[3] & V9_TRCIDR3_NOOVERFLOW)
		f |= V9_TRACE_HAS_NOOVERFLOW;
	if (V9_GET(V9_TRCIDR3_SYNCPR, idr[3]) == V9_TRCIDR3_SYNCPR_RW)
		f |= V9_TRACE_HAS_SYNCPR;
	if (idr[3] & V9_TRCIDR3_TRCERR)
		f |= V9_TRACE_HAS_TRCERR;
	if ((idr[0] & V9_TRCIDR0_ITE) &&
	    V9_GET(V9_ID_AA64DFR1_EL1_ITE, unit->id.id_aa64dfr1))
		f |= V9_TRACE_HAS_ITE;

	/* Each reference to a resource needs a selector. */
	if (!has[V9_RESOURCE_SELECTORS])
		return f;
	f |= V9_TRACE_HAS_EVENTS;
	if (has[V9_RESOURCE_COUNTERS])
		f |= V9_TRACE_HAS_COUNTER;
	if (has[V9_RESOURCE_COUNTERS] > 1 && has[V9_RESOURCE_SEQUENCERS] &&
	    has[V9_RESOURCE_SELECTORS] > 2)
		f |= V9_TRACE_HAS_STROBE;
	if (has[at_el2 ? V9_RESOURCE_VMIDS : V9_RESOURCE_CONTEXTS])
		f |= V9_TRACE_HAS_MATCH;
	if (has[V9_RESOURCE_INPUTS])
		f |= V9_TRACE_HAS_INPUT | V9_TRACE_HAS_ANY_INPUT;
	if (has[V9_RESOURCE_PE_INPUTS])
		f |= V9_TRACE_HAS_PE_INPUT | V9_TRACE_HAS_ANY_INPUT;
	if (has[V9_RESOURCE_SINGLE_SHOTS] && (f & V9_TRACE_HAS_FILTERS))
		f |= V9_TRACE_HAS_POINT;
	return f;
}

static const char not_ours[] =
	"the trace buffer is that of a higher exception level or another security state";

int v9_ete_check_unit(const struct v9_ete_id *id, bool at_el2, struct v9_ete_unit *unit,
		      const char **why)
{
	uint64_t align = V9_GET(V9_TRBIDR_EL1_Align, id->trbidr);

	memset(unit, 0, sizeof(*unit));
	unit->id = *id;

	/* TRBE-PR1, TRBE-PR3, TRBE-OW8 */
	if (!V9_GET(V9_ID_AA64DFR0_EL1_TraceVer, id->id_aa64dfr0))
		return refuse(why, -ENODEV, "no trace unit (ID_AA64DFR0_EL1.TraceVer is 0)");
	if (!V9_GET(V9_ID_AA64DFR0_EL1_TraceBuffer, id->id_aa64dfr0))
		return refuse(why, -ENODEV, "no trace buffer (ID_AA64DFR0_EL1.TraceBuffer is 0)");
	if (id->trbidr & V9_TRBIDR_EL1_P)
		return refuse(why, -EPERM, not_ours);
	if (id->closed)
		return refuse(why, -EPERM, id->closed);
	if (id->held)
		return refuse(why, -EBUSY, "a debugger has the trace unit (claim tag 0)");

	if (!V9_GET(V9_ID_AA64DFR0_EL1_TraceFilt, id->id_aa64dfr0))
		return refuse(why, -ENXIO, "ID_AA64DFR0_EL1 has TraceBuffer without TraceFilt");
	if (V9_GET(V9_TRBIDR_EL1_AddrMode, id->trbidr) == V9_TRBIDR_EL1_AddrMode_PA)
		return refuse(why, -ENXIO, "the trace buffer takes physical addresses only");
	if (align > 11)
		return refuse(why, -ENXIO, "TRBIDR_EL1.Align is reserved");
	if (!(id->trcdevarch & V9_TRCDEVARCH_PRESENT) ||
	    V9_GET(V9_TRCDEVARCH_ARCHPART, id->trcdevarch) != ARCHPART_ETE)
		return refuse(why, -ENXIO, "TRCDEVARCH describes no Embedded Trace Extension");
	unit->align = V9_BIT(align);
	unit->granule = v9_smallest_granule(id->id_aa64mmfr0);
	if (!unit->granule)
		return refuse(why, -ENXIO, "ID_AA64MMFR0_EL1 names no translation granule");
	if (!v9_max_buffer(V9_GET(V9_TRBIDR_EL1_MaxBuffSize, id->trbidr), unit->granule,
			   &unit->max_buffer))
		return refuse(why, -ENXIO, "TRBIDR_EL1.MaxBuffSize is reserved or too small");

	unit->comparators = 2 * V9_GET(V9_TRCIDR4_NUMACPAIRS, id->trcidr[4]);
	if (unit->comparators > V9_ETE_COMPARATORS)
		return refuse(why, -ENXIO, "TRCIDR4.NUMACPAIRS is reserved");

	v9_ete_res_counts_init(&unit->counts, id->trcidr);
	unit->features = features(unit, at_el2);
	unit->cc_min = V9_GET(V9_TRCIDR3_CCITMIN, id->trcidr[3]);
	return 0;
}

/* Set the reason of a refusal. */
static int refuse_option(struct v9_refusal *no, int err, unsigned int option, const char *text)
{
	no->option = options[option].name;
	no->why = text;
	return err;
}

/* Each bit that is set must belong to an option that the unit supports. */
static int check_words(const struct v9_ete_unit *unit, const struct v9_ete_request *req,
		       struct v9_refusal *no)
{
	uint64_t known[V9_OPTION_WORDS] = { OLD_TIMESTAMP };
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(options); i++)
		known[options[i].word] |= v9_option_mask(&options[i]);
	for (i = 0; i < V9_OPTION_WORDS; i++)
		if (req->config[i] & ~known[i])
			return refuse(&no->why, -EINVAL, "a bit that belongs to no option");
	for (i = 0; i < V9_ARRAY_SIZE(options); i++)
		if ((req->config[options[i].word] & v9_option_mask(&options[i])) &&
		    !v9_ete_has_option(unit, &options[i], V9_OPTION_WORDS))
			return refuse_option(no, -EOPNOTSUPP, i, "this unit lacks it");
	if ((req->config[0] & OLD_TIMESTAMP) && !(unit->features & V9_TRACE_HAS_TS))
		return refuse_option(no, -EOPNOTSUPP, TIMESTAMP, "this unit lacks it");
	return 0;
}

static int check_threads(const struct v9_ete_request *req, struct v9_refusal *no)
{
	if (!req->threads || !(req->config[options[MATCH].word] & v9_option_mask(&options[MATCH])))
		return 0;
	return refuse_option(no, req->threads, MATCH, req->threads == -EACCES ?
			     "thread IDs are those outside of this PID namespace" :
			     "the kernel writes no thread IDs (CONFIG_PID_IN_CONTEXTIDR)");
}

/* Clear the thread ID options, which perf sets by default, if thread IDs are not available. */
static struct v9_ete_request without_threads(const struct v9_ete_request *req)
{
	struct v9_ete_request other = *req;

	if (req->threads)
		other.config[0] &= ~(v9_option_mask(&options[CONTEXTID1]) |
				     v9_option_mask(&options[CONTEXTID2]));
	return other;
}

static uint64_t value_of(const struct v9_ete_request *req, unsigned int option)
{
	const struct v9_option *o = &options[option];

	return (req->config[o->word] & v9_option_mask(o)) >> o->lo;
}

static void set_value(struct v9_ete_request *req, unsigned int option, uint64_t value)
{
	const struct v9_option *o = &options[option];

	req->config[o->word] &= ~v9_option_mask(o);
	req->config[o->word] |= value << o->lo;
}

/* A preset replaces strobe_window and strobe_period, for example those of an alias. */
static int take_preset(struct v9_ete_request *req, struct v9_refusal *no)
{
	unsigned int n = value_of(req, PRESET);

	if (!n)
		return 0;
	if (n > V9_ARRAY_SIZE(presets))
		return refuse_option(no, -EINVAL, PRESET, "1 to 9 are possible");
	if (!value_of(req, STROBE_WINDOW) || !value_of(req, STROBE_PERIOD))
		return refuse_option(no, -EINVAL, PRESET,
				     "nothing without strobe_window, strobe_period");
	set_value(req, STROBE_WINDOW, presets[n - 1].window);
	set_value(req, STROBE_PERIOD, presets[n - 1].period);
	return 0;
}

/* Options that require another one. */
static const struct {
	uint8_t option, needs;
	const char *why;
} beside[] = {
	{ CC_THRESHOLD, CYCACC, "nothing without cycacc" },
	{ BB_RANGE, BROADCAST, "nothing without branch_broadcast" },
	{ Q_RANGE, Q_ELEMENTS, "nothing without q_elements" },
	{ TS_SOURCE, TIMESTAMP_INTERVAL, "nothing without timestamp" },
	{ NOOVERFLOW, STALL, "nothing without stall" },
	{ STROBE_WINDOW, STROBE_PERIOD, "nothing without strobe_period" },
	{ STROBE_PERIOD, STROBE_WINDOW, "nothing without strobe_window" },
	{ MATCH_MASK, MATCH, "nothing without contextid_match" },
	{ TRIGGER_COUNT, TRIGGER, "nothing without trigger" },
	{ TRIGGER_AFTER, TRIGGER, "nothing without trigger" },
	{ TRIGGER_ADDRESS, TRIGGER, "nothing without trigger=3" },
};

/* Check a trigger at an address: there must be exactly one, of code that is traced. */
static int check_address(const struct v9_ete_request *req, struct v9_refusal *no)
{
	bool at_address = value_of(req, TRIGGER) == V9_ETE_TRIGGER_ADDRESS;
	uint64_t address = value_of(req, TRIGGER_ADDRESS);

	if (value_of(req, TRIGGER_PANIC)) {
		if (!at_address)
			return refuse_option(no, -EINVAL, TRIGGER_PANIC, "it belongs to trigger=3");
		if (address)
			return refuse_option(no, -EINVAL, TRIGGER_PANIC,
					     "it stands in the place of trigger_address");
		return req->kernel && req->panic ? 0 :
		       refuse_option(no, -EINVAL, TRIGGER_PANIC, "nothing is traced there");
	}
	if (at_address != !!address)
		return refuse_option(no, -EINVAL, TRIGGER_ADDRESS, "it belongs to trigger=3");
	if (at_address && !(is_kernel(address << ADDRESS_SHIFT) ? req->kernel : req->user))
		return refuse_option(no, -EINVAL, TRIGGER_ADDRESS, "nothing is traced there");
	return 0;
}

/* The values of TRCCONFIGR.QE that are not reserved, by TRCIDR0.QSUPP (D24.4.25) */
static int check_q(const struct v9_ete_unit *unit, const struct v9_ete_request *req,
		   struct v9_refusal *no)
{
	const unsigned int qe = value_of(req, Q_ELEMENTS);
	const unsigned int supp = V9_GET(V9_TRCIDR0_QSUPP, unit->id.trcidr[0]);

	if (!qe)
		return 0;
	if (qe != V9_TRCCONFIGR_QE_WITH_COUNT && qe != V9_TRCCONFIGR_QE_ALL)
		return refuse_option(no, -EINVAL, Q_ELEMENTS, "1 and 3 are possible");
	if (!(supp & 1) && qe == V9_TRCCONFIGR_QE_WITH_COUNT)
		return refuse_option(no, -EOPNOTSUPP, Q_ELEMENTS,
				     "those of this unit have no count: 3 is possible");
	if (!(supp & 2) && qe == V9_TRCCONFIGR_QE_ALL)
		return refuse_option(no, -EOPNOTSUPP, Q_ELEMENTS,
				     "those of this unit have a count: 1 is possible");
	if (value_of(req, BROADCAST))
		return refuse_option(no, -EINVAL, Q_ELEMENTS, "not with branch_broadcast");
	return 0;
}

static int check_meaning(const struct v9_ete_unit *unit, const struct v9_ete_request *req,
			 struct v9_refusal *no)
{
	uint64_t sync = value_of(req, SYNC_PERIOD), trigger = value_of(req, TRIGGER);
	unsigned int i;
	int err;

	for (i = 0; i < V9_ARRAY_SIZE(beside); i++) {
		if (!value_of(req, beside[i].option) || value_of(req, beside[i].needs))
			continue;
		if (beside[i].needs == TIMESTAMP_INTERVAL && (req->config[0] & OLD_TIMESTAMP))
			continue;
		return refuse_option(no, -EINVAL, beside[i].option, beside[i].why);
	}
	if (sync && (sync < SYNC_LEAST || sync > SYNC_MOST))
		return refuse_option(no, -EINVAL, SYNC_PERIOD, "8 to 20 are possible");
	if (value_of(req, STROBE_WINDOW) == 1 || value_of(req, STROBE_PERIOD) == 1)
		return refuse_option(no, -EINVAL, STROBE_WINDOW, "window and period: 2 at least");
	if (value_of(req, INPUT) && !value_of(req, INPUT_EVENT) && trigger != V9_ETE_TRIGGER_INPUT)
		return refuse_option(no, -EINVAL, INPUT, "nothing without input_event, trigger=2");
	if (value_of(req, PE_INPUT) && !value_of(req, INPUT_EVENT) &&
	    trigger != V9_ETE_TRIGGER_INPUT)
		return refuse_option(no, -EINVAL, PE_INPUT,
				     "nothing without input_event, trigger=2");
	if (value_of(req, PE_INPUT) && value_of(req, INPUT))
		return refuse_option(no, -EINVAL, PE_INPUT, "it stands in the place of input");
	err = check_address(req, no);
	err = err ? err : check_q(unit, req, no);
	if (err)
		return err;
	if ((trigger == V9_ETE_TRIGGER_POINT || trigger == V9_ETE_TRIGGER_ADDRESS) &&
	    !(unit->features & V9_TRACE_HAS_POINT))
		return refuse_option(no, -EOPNOTSUPP, TRIGGER,
				     "this unit has no single-shot control");
	if ((trigger == V9_ETE_TRIGGER_INPUT || value_of(req, INPUT_EVENT)) &&
	    !value_of(req, PE_INPUT) && !(unit->features & V9_TRACE_HAS_INPUT))
		return refuse_option(no, -EOPNOTSUPP,
				     trigger == V9_ETE_TRIGGER_INPUT ? TRIGGER : INPUT_EVENT,
				     "this unit has no external input");
	return 0;
}

/* A list of requests that is being built */
struct list {
	struct v9_res_request request[V9_ETE_REQUESTS];
	unsigned int n;
};

/* Append a request. Returns its index, to which later ones can refer. */
static unsigned int add_request(struct list *l, unsigned int option, unsigned int type,
				unsigned int on, uint64_t value)
{
	l->request[l->n] = (struct v9_res_request){
		.type = type, .on = on, .value = value, .name = options[option].name,
	};
	return l->n++;
}

/*
 * Request timestamps in addition to those of synchronization. The unit generates one when an event
 * is active: always, or each time that a counter of cycles reaches 0. A unit without selectors has
 * no such event.
 */
static void want_stamps(struct list *l, const struct v9_ete_unit *unit, uint64_t *reg,
			unsigned int n)
{
	unsigned int on = V9_ON_ALWAYS;

	if (!n)
		return;
	reg[V9_ETE_REG_TRCCONFIGR] |= V9_TRCCONFIGR_TS;
	if (n == TIMESTAMP_SYNC_ONLY || (n == 1 && !unit->counts.has[V9_RESOURCE_SELECTORS]))
		return;
	if (n > 1)
		on = add_request(l, TIMESTAMP, V9_REQUEST_COUNTER, on, V9_BIT(n - 1));
	add_request(l, TIMESTAMP, V9_REQUEST_STAMP, on, 0);
}

/*
 * Strobing: trace the first of each strobe_period windows. One counter counts cycles, one windows.
 */
static void want_strobe(struct list *l, const struct v9_ete_request *req)
{
	unsigned int window, period, between;

	if (!value_of(req, STROBE_WINDOW))
		return;
	window = add_request(l, STROBE_WINDOW, V9_REQUEST_COUNTER, V9_ON_ALWAYS,
			     value_of(req, STROBE_WINDOW));
	period = add_request(l, STROBE_PERIOD, V9_REQUEST_COUNTER, window,
			     value_of(req, STROBE_PERIOD));
	between = add_request(l, STROBE_WINDOW, V9_REQUEST_BETWEEN, period, 0);
	l->request[between].off = window;
	add_request(l, STROBE_WINDOW, V9_REQUEST_VIEW, between, 0);
}

static void want_thread(struct list *l, const struct v9_ete_unit *unit,
			const struct v9_ete_request *req)
{
	bool at_el2 = unit->features & V9_TRACE_AT_EL2;
	unsigned int thread;

	if (!value_of(req, MATCH))
		return;
	thread = add_request(l, MATCH, at_el2 ? V9_REQUEST_VMID : V9_REQUEST_CONTEXT, V9_ON_ALWAYS,
			     value_of(req, MATCH));
	l->request[thread].mask = value_of(req, MATCH_MASK);
	add_request(l, MATCH, V9_REQUEST_VIEW, thread, 0);
}

/* Request the trigger and the input event. Each puts an Event packet into the trace. */
static void want_events(struct list *l, const struct v9_ete_request *req)
{
	uint64_t trigger = value_of(req, TRIGGER), count = value_of(req, TRIGGER_COUNT);
	uint64_t of_pe = value_of(req, PE_INPUT);
	unsigned int input = V9_ON_ALWAYS, on;

	if (of_pe)
		input = add_request(l, PE_INPUT, V9_REQUEST_PE_INPUT, V9_ON_ALWAYS, of_pe);
	else if (value_of(req, INPUT_EVENT) || trigger == V9_ETE_TRIGGER_INPUT)
		input = add_request(l, INPUT, V9_REQUEST_INPUT, V9_ON_ALWAYS, value_of(req, INPUT));
	if (trigger) {
		on = input;
		if (trigger != V9_ETE_TRIGGER_INPUT)
			on = add_request(l, TRIGGER, V9_REQUEST_POINT, V9_ON_ALWAYS, 0);
		if (count > 1)
			on = add_request(l, TRIGGER_COUNT, V9_REQUEST_COUNTER, on, count);
		l->request[add_request(l, TRIGGER, V9_REQUEST_EVENT, on, 1)].mask = 1;
	}
	if (value_of(req, INPUT_EVENT))
		l->request[add_request(l, INPUT_EVENT, V9_REQUEST_EVENT, input, 0)].mask = 1;
}

static int encode_resources(const struct v9_ete_unit *unit, const struct v9_ete_request *req,
			    struct v9_ete_reg_values *values, struct v9_refusal *no)
{
	unsigned int stamps = value_of(req, TIMESTAMP_INTERVAL);
	uint64_t *reg = values->reg;
	struct v9_shortage shortage;
	struct list l = { .n = 0 };
	int err;

	if (!stamps && (req->config[0] & OLD_TIMESTAMP))
		stamps = 1;
	want_stamps(&l, unit, reg, stamps);
	want_strobe(&l, req);
	want_thread(&l, unit, req);
	want_events(&l, req);
	err = v9_ete_plan_resources(&unit->counts, l.request, l.n, &values->res, &shortage);
	if (err) {
		no->option = shortage.request;
		no->why = v9_shortage_text(&shortage);
		return err;
	}
	reg[V9_ETE_REG_TRCTSCTLR] = values->res.stamp;
	reg[V9_ETE_REG_TRCEVENTCTL0R] = values->res.eventctl0;
	reg[V9_ETE_REG_TRCEVENTCTL1R] = values->res.eventctl1;
	return 0;
}

/* Exclude every Exception level that is not requested, in addition to TRFCR_EL1. */
static uint64_t encode_levels(const struct v9_ete_unit *unit, const struct v9_ete_request *req)
{
	uint64_t out = V9_TRCVICTLR_EXLEVEL_S | V9_TRCVICTLR_EXLEVEL_NS;

	if (req->user)
		out &= ~V9_TRCVICTLR_EXLEVEL_NS_EL0;
	if (req->kernel)
		out &= unit->features & V9_TRACE_AT_EL2 ? ~V9_TRCVICTLR_EXLEVEL_NS_EL2 :
							~V9_TRCVICTLR_EXLEVEL_NS_EL1;
	/*
	 * Bits of levels that the PE does not implement are reserved. TRCIDR3 has the same layout.
	 */
	return out & unit->id.trcidr[3];
}

/*
 * For a kernel at EL2 the name TRFCR_EL1 accesses TRFCR_EL2. E0HTRE and E2TRE have the same bits
 * there as E0TRE and E1TRE. EE and KE are 0: events raise the interrupt, not a Profiling exception,
 * which the kernel does not handle.
 */
static uint64_t encode_trfcr(const struct v9_ete_unit *unit, const struct v9_ete_request *req,
			     uint64_t trcconfigr)
{
	uint64_t source = value_of(req, TS_SOURCE), trfcr;

	trfcr = V9_PUT(V9_TRFCR_EL1_TS, source ? source : v9_ete_time(unit));
	if (req->user)
		trfcr |= V9_TRFCR_EL1_E0TRE;
	if (req->kernel)
		trfcr |= V9_TRFCR_EL1_E1TRE;
	/* Without CX the VMID reads 0, in the trace and for comparators (ETE-R_JNXJT). */
	if (trcconfigr & V9_TRCCONFIGR_VMIDOPT)
		trfcr |= V9_TRFCR_EL2_CX;
	return trfcr;
}

/*
 * Instrumentation by programs, and by the kernel if that is traced. For a kernel at EL2 the name
 * TRCITECR_EL1 accesses TRCITECR_EL2. E0HE and E2E have the same bits there as E0E and E1E.
 */
static uint64_t encode_trcitecr(const struct v9_ete_request *req)
{
	if (!value_of(req, INSTRUMENTATION))
		return 0;
	return (req->user ? V9_TRCITECR_EL1_E0E : 0) | (req->kernel ? V9_TRCITECR_EL1_E1E : 0);
}

/* Options that set register fields */
static void encode_registers(const struct v9_ete_unit *unit, const struct v9_ete_request *req,
			     struct v9_ete_reg_values *values)
{
	uint64_t *reg = values->reg, cycles = value_of(req, CC_THRESHOLD);
	bool at_el2 = unit->features & V9_TRACE_AT_EL2;
	uint64_t sync = value_of(req, SYNC_PERIOD);
	unsigned int i;

	reg[V9_ETE_REG_TRCCONFIGR] |= V9_TRCCONFIGR_RES1;
	for (i = 0; i < V9_ARRAY_SIZE(options); i++) {
		const struct v9_option *o = &options[i];

		if (o->reg != V9_ETE_REG_NONE)
			reg[o->reg] |= V9_PUT(o->field, value_of(req, i));
	}
	/* With VMIDOPT the VMID in the trace is CONTEXTIDR_EL2 (ETE-R_PTVYD). */
	if ((reg[V9_ETE_REG_TRCCONFIGR] & V9_TRCCONFIGR_VMID) ||
	    (at_el2 && value_of(req, MATCH)))
		reg[V9_ETE_REG_TRCCONFIGR] |= V9_TRCCONFIGR_VMIDOPT;
	if (value_of(req, CYCACC)) {
		cycles = cycles ? cycles : CC_DEFAULT;
		reg[V9_ETE_REG_TRCCCCTLR] = cycles < unit->cc_min ? unit->cc_min : cycles;
	}
	if (value_of(req, STALL))
		reg[V9_ETE_REG_TRCSTALLCTLR] |= V9_TRCSTALLCTLR_ISTALL;
	reg[V9_ETE_REG_TRCSYNCPR] = sync ? sync : SYNC_DEFAULT;
	/* Trace an exception that occurs before the first instruction. */
	reg[V9_ETE_REG_TRCRSR] = V9_TRCRSR_TA;

	/* Tracing is started, unless filters have start points. */
	reg[V9_ETE_REG_TRCVICTLR] |= V9_TRCVICTLR_SSSTATUS | encode_levels(unit, req) |
				      values->res.view;
	reg[V9_ETE_REG_TRCITECR] = encode_trcitecr(req);
	reg[V9_ETE_REG_TRFCR] = encode_trfcr(unit, req, reg[V9_ETE_REG_TRCCONFIGR]);
}

int v9_ete_encode_regs(const struct v9_ete_unit *unit, const struct v9_ete_request *request,
		       struct v9_ete_reg_values *values, struct v9_refusal *no)
{
	struct v9_ete_request given = without_threads(request);
	const struct v9_ete_request *req = &given;
	uint64_t address = value_of(req, TRIGGER_ADDRESS) << ADDRESS_SHIFT;
	int err;

	memset(values, 0, sizeof(*values));
	*no = (struct v9_refusal){ "", NULL };
	values->features = unit->features;

	if (!req->user && !req->kernel)
		return refuse(&no->why, -EINVAL, "neither user nor kernel is to be traced");
	err = check_threads(req, no);
	err = err ? err : check_words(unit, req, no);
	err = err ? err : take_preset(&given, no);
	err = err ? err : check_meaning(unit, req, no);
	err = err ? err : encode_resources(unit, req, values, no);
	if (err)
		return err;
	encode_registers(unit, req, values);
	values->q = value_of(req, Q_RANGE);
	values->bb = value_of(req, values->q ? Q_RANGE : BB_RANGE);
	values->trigger = value_of(req, TRIGGER);
	values->after = value_of(req, TRIGGER_AFTER);
	if (value_of(req, TRIGGER_PANIC))
		address = req->panic;
	if (is_kernel(address))
		address |= ~UINT64_C(0) << ADDRESS_TOP;
	values->address = address;
	/* No filters yet. This sets the comparators that do not depend on them. */
	return v9_ete_encode_filters(unit, NULL, 0, values, &no->why);
}

void v9_ete_update_key(struct v9_ete_reg_values *values)
{
	const uint64_t *reg = values->reg;

	values->more = values->comparators || values->res.n;
	/* Ranges and points are not in the key, only whether there are any. */
	values->key[0] = reg[V9_ETE_REG_TRCVIIECTLR] | reg[V9_ETE_REG_TRCVISSCTLR] ?
			 V9_BIT(63) : 0;
	values->key[1] = 0;
	/* Without filters and resources each value fits in its field. */
#define KEY_FIELD_OF(name, need, word, bit) \
	((void)(need), values->key[word] |= reg[V9_ETE_REG_##name] << (bit))
	V9_ETE_HELD_REGS(KEY_FIELD_OF, ;);
}

bool v9_ete_shows_threads(const struct v9_ete_reg_values *values)
{
	return values->reg[V9_ETE_REG_TRCCONFIGR] & (V9_TRCCONFIGR_CID | V9_TRCCONFIGR_VMID) ||
	       v9_ete_res_find(&values->res, V9_RES_CIDCVR) >= 0 ||
	       v9_ete_res_find(&values->res, V9_RES_VMIDCVR) >= 0;
}

unsigned int v9_ete_time(const struct v9_ete_unit *unit)
{
	/*
	 * The trace unit subtracts CNTVOFF_EL2 from virtual time at each Exception level (D3.3).
	 * While the register holds a guest's offset, set by KVM, virtual time in the trace of the
	 * host is the guest's. A read of CNTVCT_EL0 in a host returns physical time.
	 */
	return unit->features & V9_TRACE_AT_EL2 ? V9_TRFCR_EL1_TS_PHYSICAL :
						  V9_TRFCR_EL1_TS_VIRTUAL;
}

bool v9_ete_needs_privilege(const struct v9_ete_unit *unit, const struct v9_ete_reg_values *values)
{
	return V9_GET(V9_TRFCR_EL1_TS, values->reg[V9_ETE_REG_TRFCR]) != v9_ete_time(unit);
}
