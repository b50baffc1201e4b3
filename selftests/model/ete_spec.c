// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Speculation that the trace unit sees. The PE of the model executes in order, so the P0 elements of
 * wrong paths are made up. They are traced when the real path is known, and cancelled before the next
 * real P0 element.
 *
 * A wrong path does not go beyond a context synchronization event (ETE-R_QHQLY): it has no ISB and no
 * exception return, an Exception element is its last one, and none begins at a context
 * synchronization event. It stays in the page and the context of the branch (ETE-R_KYGRF). Nothing is traced of a wrong
 * path that leaves a prohibited region (ETE-R_YGSGJ).
 */
#include <v9trace/gen/ete_pkt.h>

#include "private.h"

#define USUAL	8	/* most P0 elements of nearly all wrong paths */

static bool exact(const struct v9_model *m)
{
	return m->cfg.spec_wrong >= 0;
}

/* As v9_maybe(), and never if a setting decides what happens. */
static bool maybe(struct v9_model *m, unsigned int n)
{
	return !exact(m) && v9_maybe(m, n);
}

/* Chooses one bit of @set, a set of V9_SPEC_*. Returns 0 if nothing is predicted wrongly. */
static unsigned int choose(struct v9_model *m, unsigned int set)
{
	unsigned int what;

	set &= m->cfg.spec_what;
	if (!m->cfg.maxspec || !set || v9_random(m) % m->cfg.spec_rate)
		return 0;
	do
		what = 1u << v9_random(m) % 5;
	while (!(set & what));
	return what;
}

/* Number of P0 elements of a wrong path, at most @limit */
static unsigned int length(struct v9_model *m, unsigned int limit)
{
	unsigned int n = m->cfg.spec_wrong;

	if (!exact(m))
		n = v9_random(m) % (maybe(m, 16) ? limit + 1 : USUAL + 1);
	return n < limit ? n : limit;
}

/* An instruction in the page of the block */
static uint64_t nearby(struct v9_model *m)
{
	return (m->ete.cur & ~UINT64_C(0xfff)) | (exact(m) ? 0 : v9_random(m) & 0xffc);
}

/* The address of a comparator in the page of the block, if the one that is chosen lies there */
static uint64_t compared(struct v9_model *m)
{
	uint64_t at = m->seen[V9_R_TRCACVR0 + v9_random(m) % 8];

	return (at ^ m->ete.cur) >> 12 ? nearby(m) : at;
}

/*
 * ETE-I_WDJPG, I_HDCJK, I_NPPCF: comparators match an instruction of a wrong path. Code at EL0 cannot
 * write the context ID registers, so a wrong path there does not change them.
 */
static void observe(struct v9_model *m)
{
	const uint64_t pc = maybe(m, 2) ? compared(m) : nearby(m);

	v9_ete_res_cancelled(m, pc, m->ete.here.r.el && maybe(m, 4));
}

/* The wrong path leaves what is traced and comes back (ETE-I_GPQZW). */
static void leave_and_return(struct v9_model *m)
{
	v9_ete_put_trace_on(m);
	v9_ete_put_address(m, v9_ete_at(&m->ete, nearby(m)), false);
}

static bool is_filtered(const struct v9_model *m)
{
	return m->seen[V9_R_TRCVIIECTLR] || (m->seen[V9_R_TRCVISSCTLR] & 0xff);
}

static void wrong_atom(struct v9_model *m, unsigned int *calls)
{
	const bool taken = exact(m) || (v9_random(m) & 1);

	v9_ete_atom(m, taken);
	if (taken && maybe(m, 4)) {
		v9_ete_push(m, nearby(m));
		++*calls;
	} else if (taken && maybe(m, 4)) {
		v9_ete_put_address(m, v9_ete_at(&m->ete, nearby(m)), false);	/* of an indirect branch */
	}
}

/*
 * Traces @n P0 elements of a wrong path, which may leave what is traced if @leaves. Returns the number of
 * branches with link among them.
 */
static unsigned int wrong_path(struct v9_model *m, unsigned int n, bool leaves)
{
	struct v9_ete_model *e = &m->ete;
	unsigned int calls = 0;

	while (n--) {
		const uint64_t syncs = m->trace.syncs;

		observe(m);
		if (!e->lost)
			v9_ete_synchronize(m);
		if (m->trace.syncs != syncs) {
			v9_ete_put_address(m, v9_ete_at(&m->ete, nearby(m)), true);
			calls = 0;
			leaves = false;	/* with this address a Trace On would look like a gap */
		}
		if (leaves && is_filtered(m) && maybe(m, 4)) {
			leave_and_return(m);
			calls = 0;
		}
		if (!n && maybe(m, 8))
			v9_ete_put_fault(m, nearby(m));
		else
			wrong_atom(m, &calls);
	}
	return calls;
}

/* ETE-R_FVRPZ: entries of cancelled branches leave the return stack. It may lose the others, too. */
static void unwind(struct v9_model *m, unsigned int calls)
{
	struct v9_ete_model *e = &m->ete;

	if (!calls)
		return;
	e->rs_n = e->rs_n > calls && !maybe(m, 4) ? e->rs_n - calls : 0;
}

/* How many of the atoms that wait fit into the packet that cancels @n P0 elements and corrects one */
static unsigned int atoms_in_packet(struct v9_model *m, unsigned int n)
{
	const struct v9_ete_model *e = &m->ete;
	const unsigned int last = e->natoms ? e->atoms >> (e->natoms - 1) & 1 : 0;
	unsigned int most = e->natoms ? 1 : 0;

	if (n > 5 || (n > 1 && !last))
		return 0;
	if (n < 2 && e->natoms > 1 && e->atoms >> (e->natoms - 2) == 3)
		most = 2;
	return exact(m) ? most : v9_random(m) % (most + 1);
}

/* Cancels the youngest @n P0 elements, and then corrects the last Atom if @mispredict. */
static void cancel(struct v9_model *m, unsigned int n, bool mispredict)
{
	unsigned int part = n > 1 && maybe(m, 8) ? 1 + v9_random(m) % (n - 1) : 0;

	/* ETE-I_KHYLN: Cancel elements may be merged, and need not be. */
	if (part)
		v9_ete_cancel(m, part, false, 0, V9_ETE_P_CANCEL_F1);
	n -= part;
	if (!mispredict && n)
		v9_ete_cancel(m, n, false, 0, V9_ETE_P_CANCEL_F1);
	else if (n && maybe(m, 4))
		v9_ete_cancel(m, n, true, 0, V9_ETE_P_CANCEL_F1_MISPREDICT);
	else if (mispredict)
		v9_ete_cancel(m, n, true, atoms_in_packet(m, n), V9_ETE_PKT_ANY);
}

/*
 * Outputs the first Atom of branch @b, which decides whether its return address is on the return stack
 * (ETE-R_FFXPW, R_NYHFH). Returns true if it is.
 */
static bool first_atom(struct v9_model *m, const struct v9_branch *b, bool taken, bool broadcast)
{
	const bool pushes = taken && (b->flags & V9_OP_CALL) && !broadcast;

	v9_ete_atom(m, taken);
	if (pushes)
		v9_ete_push(m, v9_branch_end(b));	/* ETE-R_SLDXR: before the pop */
	return pushes;
}

/*
 * Traces the address that must precede the wrong path of a branch that is traced as taken. Returns false
 * if there is none, because it would be the top of the return stack (ETE-R_GBHNP).
 */
static bool wrong_target(struct v9_model *m, const struct v9_branch *b, bool broadcast, bool stack)
{
	const bool indirect = b->flags & (V9_OP_IND | V9_OP_RET);

	if (indirect && stack && !broadcast && m->ete.rs_n && maybe(m, 2))
		return false;
	if (indirect || broadcast) {	/* ETE-R_MHYFV */
		struct v9_ete_address to = v9_ete_at(&m->ete, indirect ? nearby(m) : b->target);

		to.isa ^= b->exchanges;
		v9_ete_put_address(m, to, false);
	}
	return true;
}

bool v9_spec_branch(struct v9_model *m, const struct v9_branch *b, bool broadcast)
{
	const bool indirect = v9_branch_is_indirect(b);
	const bool synchronizes = v9_branch_synchronizes(b);
	unsigned int what = choose(m, V9_SPEC_DIRECTION | V9_SPEC_AGAIN |
				      (indirect ? 0 : V9_SPEC_AFTER) |
				      (indirect && !synchronizes ? V9_SPEC_TARGET : 0));
	const bool again = what == V9_SPEC_AGAIN;
	const bool late = m->cfg.spec_what & V9_SPEC_LATE;
	const bool taken = b->taken ^ (what == V9_SPEC_DIRECTION || (again && maybe(m, 2)));
	unsigned int n, calls;
	bool leaves = true;

	calls = first_atom(m, b, taken, broadcast) && again;
	if (!what)
		return false;
	n = m->cfg.maxspec - (again || (what == V9_SPEC_DIRECTION && !late));
	n = synchronizes ? 0 : length(m, n);	/* ETE-R_QHQLY */
	/* ETE-I_MDSCN: an Atom may be corrected after it was committed. */
	if (what == V9_SPEC_DIRECTION && late && maybe(m, 16))
		v9_ete_commit(m, m->ete.depth);
	if (taken && (n || what == V9_SPEC_TARGET))
		leaves = wrong_target(m, b, broadcast, n);
	/* Without an address nothing would tell a Trace On behind an indirect branch from a gap. */
	calls += wrong_path(m, n, leaves);
	cancel(m, n + again, what == V9_SPEC_DIRECTION);
	unwind(m, calls);
	if (again) {
		v9_ete_prefix(m);
		first_atom(m, b, b->taken, broadcast);
	}
	return what == V9_SPEC_TARGET;
}

void v9_spec_untraced(struct v9_model *m, bool synchronizes)
{
	unsigned int n;

	if (synchronizes || !choose(m, V9_SPEC_DIRECTION | V9_SPEC_AFTER))
		return;
	for (n = length(m, m->cfg.maxspec); n; n--)
		observe(m);
}

/* ETE-R_KDTVX: the Exception element that follows shows what was executed. */
void v9_spec_exception(struct v9_model *m)
{
	const unsigned int entries = m->ete.rs_n;
	unsigned int n;

	if (!choose(m, V9_SPEC_EXCEPTION))
		return;
	v9_ete_prefix(m);
	n = length(m, m->cfg.maxspec);
	/* A target that is on the return stack has no address, see v9_spec_branch(). */
	unwind(m, wrong_path(m, n, m->ete.rs_n == entries));
	cancel(m, n, false);
}

/* ETE-R_NSMJF */
void v9_spec_reset(struct v9_model *m)
{
	if (!m->ete.depth || !choose(m, V9_SPEC_EXCEPTION))
		return;
	v9_ete_prefix(m);
	wrong_path(m, length(m, m->cfg.maxspec), true);
	v9_ete_discard(m);
}

void v9_spec_settle(struct v9_model *m, bool synchronizes)
{
	struct v9_ete_model *e = &m->ete;

	if (synchronizes)
		e->resolve = true;	/* ETE-R_QHQLY */
	else if (e->depth > e->merged && (maybe(m, 4) || (exact(m) && m->cfg.spec_merge)))
		v9_ete_commit_soon(m, e->merged + 1 + (exact(m) ? 0 : v9_random(m) % (e->depth - e->merged)));
}
