// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Candidates of a sample are the blocks that have its instruction, within the time of the sample,
 * and agree with it about Exception level, context, branch and the branch before. The order of samples
 * narrows that: each is at or behind the first candidate of the one before, and at or before the last
 * candidate of the next one. Each step only removes what cannot be, so the sampled execution stays
 * among the candidates. A gap is a candidate, too, if instructions of the sample's level may have been
 * executed in it.
 */
#include "place.h"

#include <errno.h>
#include <stdlib.h>

#include "../util.h"

#define NS	1000000000u

__extension__ typedef __int128 wide;

const char *const v9_joint_class_name[V9_JOINT_CLASSES] = {
	[V9_JOINT_EXACT] = "exact",
	[V9_JOINT_PATH] = "path exact",
	[V9_JOINT_AMBIGUOUS] = "ambiguous",
	[V9_JOINT_NOT_EXECUTED] = "not executed",
	[V9_JOINT_OUTSIDE] = "outside of the trace",
	[V9_JOINT_IN_GAP] = "in a gap of the trace",
	[V9_JOINT_NOWHERE] = "not in the trace",
};

/* --- times of blocks ------------------------------------------------------------ */

/* The sum of the cycle counts at a place: least and most; UINT64_MAX: no limit */
struct count {
	uint64_t least, most;
};

static uint64_t add_count(uint64_t sum, int32_t n)
{
	return n < 0 && sum < (uint64_t)-(int64_t)n ? 0 : sum + (uint64_t)(int64_t)n;
}

/*
 * The sum is known where a count is. What is missing, as with a count that is not known or was lost, makes the sum
 * too small, so that less time seems to pass than did.
 */
static void read_counts(const struct v9_joint_block *block, size_t blocks, struct count *at)
{
	uint64_t sum = 0, most = UINT64_MAX;

	for (size_t i = 0; i < blocks; i++) {
		const struct v9_joint_block *b = &block[i];

		at[i] = (struct count){ sum, UINT64_MAX };
		if (b->has & V9_JOINT_CYCLES) {
			sum += b->cycles;
			at[i] = (struct count){ sum, sum };
		} else if (b->has & V9_JOINT_COUNT) {
			at[i] = (struct count){ add_count(sum, b->least_count), add_count(sum, b->most_count) };
		}
	}
	for (size_t i = blocks; i-- > 0; ) {
		/* A count that is not known adds nothing to the sum: that of a timestamp before it can be larger. */
		if (block[i].has & V9_JOINT_CYCLES)
			most = at[i].most;
		else if (at[i].most == UINT64_MAX)
			at[i].most = most;
		else if (at[i].most > most)
			most = at[i].most;
	}
}

/* Time that passes at least between two places */
static uint64_t passes(const struct count *from, const struct count *to, const struct v9_joint_clocks *c)
{
	uint64_t ns;

	if (!c->most_hz || to->least <= from->most)
		return 0;
	ns = (uint64_t)((wide)(to->least - from->most) * NS / c->most_hz);
	return ns > c->count_error ? ns - c->count_error : 0;
}

long v9_joint_times(struct v9_joint_block *block, size_t blocks, const struct v9_joint_clocks *c)
{
	uint64_t last = 0, bound;
	struct count *at;
	size_t anchor = 0;
	long ignored = 0;

	if (!blocks || block[0].n || block[blocks - 1].n)
		return -EINVAL;
	at = v9_alloc(blocks * sizeof(*at));
	read_counts(block, blocks, at);
	/* @least of the end of each block: that of the time before it, and what has passed since */
	for (size_t i = 0; i < blocks; i++) {
		struct v9_joint_block *b = &block[i];

		if (b->has & V9_JOINT_TIME && b->time < last) {
			b->has &= (uint8_t)~V9_JOINT_TIME;
			ignored++;
		}
		if (b->has & V9_JOINT_TIME) {
			last = b->time;
			anchor = i;
		}
		bound = last + passes(&at[anchor], &at[i], c);
		b->least = i && block[i - 1].least > bound ? block[i - 1].least : bound;
	}
	/* @most likewise, from the next time back */
	last = UINT64_MAX;
	for (size_t i = blocks; i-- > 0; ) {
		struct v9_joint_block *b = &block[i];
		uint64_t passed;

		if (b->has & V9_JOINT_TIME) {
			last = b->time + c->trace_step < b->time ? UINT64_MAX : b->time + c->trace_step;
			anchor = i;
		}
		passed = last == UINT64_MAX ? 0 : passes(&at[i], &at[anchor], c);
		b->most = last > passed ? last - passed : 0;
		if (i + 1 < blocks && block[i + 1].most < b->most)
			b->most = block[i + 1].most;
	}
	/* A block begins when the one before it ends. */
	for (size_t i = blocks - 1; i > 0; i--)
		block[i].least = block[i - 1].least;
	block[0].least = 0;
	free(at);
	return ignored;
}

/* --- what a sample and a block say ------------------------------------------------ */

/* Index of the sampled instruction in a block that it is not beyond */
static uint64_t index_in(const struct v9_joint_block *b, const struct v9_joint_sample *s)
{
	return (s->pc - b->pc) / 4;
}

static bool same_context(const struct v9_joint_block *b, const struct v9_joint_sample *s)
{
	const uint8_t has = b->has & s->has;

	return !(has & V9_JOINT_CTX1 && b->ctx[0] != s->ctx[0]) &&
	       !(has & V9_JOINT_CTX2 && b->ctx[1] != s->ctx[1]);
}

/* Only the last instruction of a block can be a branch that was taken. */
static bool same_branch(const struct v9_joint_block *b, const struct v9_joint_sample *s)
{
	const bool last = index_in(b, s) == b->n - 1;
	const bool taken = last && b->has & V9_JOINT_BRANCH && b->has & V9_JOINT_TAKEN;

	if (!(s->has & V9_JOINT_BRANCH))
		return true;
	if (taken != !!(s->has & V9_JOINT_TAKEN))
		return false;
	return !taken || !(b->has & s->has & V9_JOINT_TARGET) || b->target == s->target;
}

static bool agrees(const struct v9_joint_block *b, const struct v9_joint_sample *s)
{
	if (!b->n)
		return b->hides >> s->el & 1;
	return b->el == s->el && s->pc >= b->pc && !((s->pc - b->pc) % 4) && index_in(b, s) < b->n &&
	       same_context(b, s) && same_branch(b, s);
}

/*
 * Returns false if @before of the sample cannot be the target of the last branch that was taken before the
 * sampled instruction. Where flow does not go on, there was an exception or a gap: which target a unit
 * records then is not known. It may or may not take an ISB as a branch to the next instruction (SPE-CD30), so
 * that any address of the flow since the last branch can be its target.
 */
static bool same_before(const struct v9_joint_block *block, size_t at, const struct v9_joint_sample *s)
{
	uint64_t here = s->pc;

	for (;; at--) {
		const struct v9_joint_block *b = &block[at];

		if (s->before >= b->pc && s->before <= here)
			return true;
		here = b->pc;
		/* The block before it; timestamps are gaps that hide nothing */
		while (at && !block[at - 1].n && !block[at - 1].hides)
			at--;
		if (!at || !block[at - 1].n)
			return true;
		b = &block[at - 1];
		if (b->has & V9_JOINT_BRANCH && b->has & V9_JOINT_TAKEN) {
			if (!(b->has & V9_JOINT_TARGET) || b->target != here)
				return true;
			if (here != b->pc + 4 * (uint64_t)b->n)
				return false;
		} else if (here != b->pc + 4 * (uint64_t)b->n) {
			return true;
		}
	}
}

/* This is called for each block in the time of each sample. Most have other addresses. */
static inline bool is_candidate(const struct v9_joint_block *block, size_t at, const struct v9_joint_sample *sample,
				const struct v9_joint_place *place)
{
	const struct v9_joint_block *b = &block[at];

	if (b->n && sample->pc - b->pc >= 4 * (uint64_t)b->n)
		return false;
	if (!sample->retired || at < place->from || at >= place->to || !agrees(b, sample))
		return false;
	if (!b->n)
		return true;
	if (sample->has & V9_JOINT_BEFORE && !same_before(block, at, sample))
		return false;
	return !(at == place->from && index_in(b, sample) < place->from_insn) &&
	       !(at == place->to - 1 && index_in(b, sample) > place->to_insn);
}

bool v9_joint_candidate(const struct v9_joint_block *block, size_t at,
			const struct v9_joint_sample *sample, const struct v9_joint_place *place)
{
	return is_candidate(block, at, sample, place);
}

/* --- the time of a sample ------------------------------------------------------------ */

static wide latency_ns(const struct v9_joint_sample *s, const struct v9_joint_clocks *c)
{
	return ((wide)s->latency * NS + c->least_hz - 1) / c->least_hz;
}

static bool has_time(const struct v9_joint_sample *s, const struct v9_joint_clocks *c)
{
	return s->has & V9_JOINT_TIME && c->least_hz;
}

static uint64_t clamp(wide t)
{
	return t < 0 ? 0 : t > (wide)UINT64_MAX ? UINT64_MAX : (uint64_t)t;
}

bool v9_joint_span(const struct v9_joint_sample *s, const struct v9_joint_clocks *c, uint64_t *low,
		   uint64_t *high)
{
	if (!has_time(s, c))
		return false;
	*low = clamp((wide)s->time + c->offset_least - latency_ns(s, c));
	*high = clamp((wide)s->time + c->sample_step + c->offset_most + latency_ns(s, c));
	return true;
}

/* Blocks whose time meets that of the sample */
static void find_window(const struct v9_joint_block *block, size_t blocks,
			const struct v9_joint_sample *s, const struct v9_joint_clocks *c,
			struct v9_joint_place *p)
{
	uint64_t low, high;

	*p = (struct v9_joint_place){ .to = blocks, .to_insn = UINT64_MAX };
	if (!v9_joint_span(s, c, &low, &high))
		return;
	p->from = v9_first_entries(i, blocks, block[i].most < low);
	p->to = v9_first_entries(i, blocks, block[i].least <= high);
	if (p->to < p->from)
		p->to = p->from;
}

/* --- the offset between the clocks ----------------------------------------------------- */

/* An address that was sampled, and the last block that has it */
struct seen {
	uint64_t pc;
	size_t block;
	unsigned int times;	/* 0, 1; 2: more */
};

static int by_pc(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return V9_ORDER(x->pc, y->pc);
}

static size_t addresses(const struct v9_joint_sample *sample, size_t samples, struct seen *seen)
{
	size_t n = 0;

	for (size_t i = 0; i < samples; i++)
		seen[i] = (struct seen){ .pc = sample[i].pc };
	qsort(seen, samples, sizeof(*seen), by_pc);
	for (size_t i = 0; i < samples; i++)
		if (!n || seen[n - 1].pc != seen[i].pc)
			seen[n++] = seen[i];
	return n;
}

static void look_for(const struct v9_joint_block *block, size_t blocks, struct seen *seen, size_t n)
{
	for (size_t i = 0; i < blocks; i++) {
		const struct v9_joint_block *b = &block[i];
		size_t at = b->n ? v9_first_entries(k, n, seen[k].pc < b->pc) : n;

		for (; at < n && (seen[at].pc - b->pc) / 4 < b->n; at++) {
			seen[at].block = i;
			seen[at].times += seen[at].times < 2;
		}
	}
}

/* Exception levels that gaps may hide */
static unsigned int hidden(const struct v9_joint_block *block, size_t blocks, bool inside)
{
	unsigned int els = 0;

	for (size_t i = 0; i < blocks; i++)
		if (!block[i].n && !(inside && (i == 0 || i == blocks - 1)))
			els |= block[i].hides;
	return els;
}

/* Narrows bounds of the offset by a sample that is in block @b. */
static void narrow_offset(const struct v9_joint_block *b, const struct v9_joint_sample *s,
			  const struct v9_joint_clocks *c, wide *low, wide *high)
{
	const wide least = (wide)b->least - latency_ns(s, c) - s->time - c->sample_step;
	const wide most = (wide)b->most + latency_ns(s, c) - s->time;

	*low = least > *low ? least : *low;
	*high = most < *high ? most : *high;
}

long v9_joint_offset(const struct v9_joint_block *block, size_t blocks,
		     const struct v9_joint_sample *sample, size_t samples, bool inside,
		     struct v9_joint_clocks *c)
{
	const unsigned int els = hidden(block, blocks, inside);
	struct seen *seen = v9_alloc((samples + 1) * sizeof(*seen));
	const size_t n = addresses(sample, samples, seen);
	wide low = c->offset_least, high = c->offset_most;
	long used = 0;

	look_for(block, blocks, seen, n);
	for (size_t i = 0; i < samples; i++) {
		const struct v9_joint_sample *s = &sample[i];
		const struct seen *at = &seen[v9_first_entries(k, n, seen[k].pc < s->pc)];
		const struct v9_joint_block *b = &block[at->block];

		if (at->times != 1 || els >> s->el & 1 || !s->retired || !has_time(s, c) ||
		    !agrees(b, s))
			continue;
		used++;
		narrow_offset(b, s, c, &low, &high);
	}
	free(seen);
	if (low > high)
		return -ERANGE;
	/* They only became narrower, so they still fit. */
	c->offset_least = (int64_t)low;
	c->offset_most = (int64_t)high;
	return used;
}

/* --- places ------------------------------------------------------------------------------ */

static bool find_first(const struct v9_joint_block *block, const struct v9_joint_sample *s,
		       const struct v9_joint_place *p, size_t *at)
{
	for (*at = p->from; *at < p->to; ++*at)
		if (is_candidate(block, *at, s, p))
			return true;
	return false;
}

static bool find_last(const struct v9_joint_block *block, const struct v9_joint_sample *s,
		      const struct v9_joint_place *p, size_t *at)
{
	for (*at = p->to; (*at)-- > p->from; )
		if (is_candidate(block, *at, s, p))
			return true;
	return false;
}

/*
 * A sample without any candidate contradicts what the caller says, and narrows no other one. Nor does one
 * that was not executed.
 */
static void narrow_by_order(const struct v9_joint_block *block, size_t blocks,
			    const struct v9_joint_sample *sample, size_t samples,
			    struct v9_joint_place *place)
{
	uint64_t insn = 0;
	size_t bound = 0, at;

	for (size_t k = 0; k < samples; k++) {
		struct v9_joint_place *p = &place[k];

		if (bound > p->from || (bound == p->from && insn > p->from_insn)) {
			p->from = bound;
			p->from_insn = insn;
		}
		if (!find_first(block, &sample[k], p, &at))
			continue;
		insn = block[at].n ? index_in(&block[at], &sample[k]) : 0;
		bound = at;
	}
	bound = blocks;
	insn = UINT64_MAX;
	for (size_t k = samples; k-- > 0; ) {
		struct v9_joint_place *p = &place[k];

		if (bound < p->to || (bound == p->to && insn < p->to_insn)) {
			p->to = bound;
			p->to_insn = insn;
		}
		if (!find_last(block, &sample[k], p, &at))
			continue;
		insn = block[at].n ? index_in(&block[at], &sample[k]) : 0;
		bound = at + 1;
	}
}

static void classify(const struct v9_joint_block *block, size_t blocks,
		     const struct v9_joint_sample *s, struct v9_joint_place *p)
{
	bool one_path = true, inner = false;

	for (size_t i = p->from; i < p->to; i++) {
		if (!is_candidate(block, i, s, p))
			continue;
		if (!block[i].n) {
			p->gaps++;
			inner |= i && i < blocks - 1;
			continue;
		}
		if (!p->n++)
			p->first = i;
		p->last = i;
		one_path &= block[i].path == block[p->first].path;
	}
	if (!s->retired)
		p->class = V9_JOINT_NOT_EXECUTED;
	else if (!p->n)
		p->class = !p->gaps ? V9_JOINT_NOWHERE : inner ? V9_JOINT_IN_GAP : V9_JOINT_OUTSIDE;
	else if (p->gaps || !one_path)
		p->class = V9_JOINT_AMBIGUOUS;
	else
		p->class = p->n == 1 ? V9_JOINT_EXACT : V9_JOINT_PATH;
}

/* Number of the sampled instruction if it is in block @at, as the caller counts them */
static uint64_t number_in(const struct v9_joint_block *block, size_t at, const struct v9_joint_sample *s)
{
	return block[at].index + index_in(&block[at], s);
}

/* Returns the candidate that is the instruction with this number, or 0. */
static size_t candidate_at(const struct v9_joint_block *block, const struct v9_joint_sample *s,
			   const struct v9_joint_place *p, uint64_t number)
{
	for (size_t i = p->first; p->n && i <= p->last; i++)
		if (block[i].n && is_candidate(block, i, s, p) && number_in(block, i, s) == number)
			return i;
	return 0;
}

static void find_likely(const struct v9_joint_block *block, const struct v9_joint_sample *sample, size_t samples,
			uint64_t interval, struct v9_joint_place *place)
{
	uint64_t number, before = 0;
	size_t last = samples;

	for (size_t k = 0; k < samples; k++) {
		if (place[k].class != V9_JOINT_EXACT)
			continue;
		number = number_in(block, place[k].first, &sample[k]);
		if (last < k && number - before == (sample[k].number - sample[last].number) * interval)
			for (size_t i = last + 1; i < k; i++)
				place[i].likely = candidate_at(block, &sample[i], &place[i], before +
					(sample[i].number - sample[last].number) * interval);
		last = k;
		before = number;
	}
}

void v9_joint_place(const struct v9_joint_block *block, size_t blocks,
		    const struct v9_joint_sample *sample, size_t samples,
		    const struct v9_joint_clocks *c, struct v9_joint_place *place)
{
	for (size_t k = 0; k < samples; k++)
		find_window(block, blocks, &sample[k], c, &place[k]);
	if (c->ordered)
		narrow_by_order(block, blocks, sample, samples, place);
	for (size_t k = 0; k < samples; k++)
		classify(block, blocks, &sample[k], &place[k]);
	if (c->interval)
		find_likely(block, sample, samples, c->interval, place);
}

/* Returns the only candidate, or SIZE_MAX. Most instructions are executed again soon. */
static size_t only_candidate(const struct v9_joint_block *block, const struct v9_joint_sample *s,
			     const struct v9_joint_place *p)
{
	size_t found = SIZE_MAX;

	for (size_t i = p->from; i < p->to; i++) {
		if (!is_candidate(block, i, s, p))
			continue;
		if (found != SIZE_MAX || !block[i].n)
			return SIZE_MAX;
		found = i;
	}
	return found;
}

size_t v9_joint_offset_near(const struct v9_joint_block *block, size_t blocks,
			    const struct v9_joint_sample *sample, size_t samples,
			    const struct v9_joint_clocks *wide_c, struct v9_joint_clocks *c)
{
	wide low = c->offset_least, high = c->offset_most;
	size_t used = 0;

	for (size_t i = 0; i < samples; i++) {
		struct v9_joint_place p;
		size_t at;

		find_window(block, blocks, &sample[i], wide_c, &p);
		at = has_time(&sample[i], c) ? only_candidate(block, &sample[i], &p) : SIZE_MAX;
		if (at == SIZE_MAX)
			continue;
		used++;
		narrow_offset(&block[at], &sample[i], c, &low, &high);
	}
	/* They only became narrower, or crossed by less than the range of times. */
	c->offset_least = low > INT64_MAX ? INT64_MAX : (int64_t)low;
	c->offset_most = high < INT64_MIN ? INT64_MIN : (int64_t)high;
	return used;
}
