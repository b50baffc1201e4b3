// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "budget.h"

void v9_budget_add(struct v9_budget_use *sum, const struct v9_budget_use *use)
{
	sum->cpu += use->cpu;
	sum->fixed += use->fixed;
	sum->interrupts += use->interrupts;
	sum->time += use->time;
	sum->bytes += use->bytes;
	sum->cpus = use->cpus;
}

unsigned int v9_budget_steps(uint64_t least, uint64_t most)
{
	unsigned int n = 0;

	while (n < 63 && least <= most >> (n + 1))
		n++;
	return n;
}

void v9_budget_init(struct v9_budget *b, uint32_t ppm, unsigned int last)
{
	*b = (struct v9_budget){ .ppm = ppm, .step = last, .last = last };
}

uint32_t v9_budget_cost(const struct v9_budget_use *use)
{
	const unsigned __int128 all = (unsigned __int128)use->time * use->cpus;
	const unsigned __int128 spent = (unsigned __int128)use->cpu + use->fixed + use->interrupts;
	const unsigned __int128 ppm = all ? spent * V9_BUDGET_PPM / all : 0;

	return ppm > UINT32_MAX ? UINT32_MAX : (uint32_t)ppm;
}

static uint32_t fixed_cost(const struct v9_budget_use *use)
{
	return v9_budget_cost(&(struct v9_budget_use){
		.fixed = use->fixed, .time = use->time, .cpus = use->cpus });
}

/* How many doublings bring the cost below the budget; at least one */
static unsigned int doublings(const struct v9_budget *b, uint32_t cost, uint32_t fixed)
{
	unsigned int n = 1;

	while (b->step + n < b->last && (uint64_t)((cost - fixed) >> n) + fixed > b->ppm)
		n++;
	return n;
}

bool v9_budget_take(struct v9_budget *b, const struct v9_budget_use *use)
{
	const uint32_t cost = v9_budget_cost(use), fixed = fixed_cost(use);

	if (!use->time || !use->cpus)
		return false;
	if (b->mixed || !use->bytes) {
		b->mixed = false;
		return false;
	}
	if (cost > b->ppm) {
		b->quiet = 0;
		if (b->step == b->last) {
			b->over++;
			return false;
		}
		b->step += doublings(b, cost, fixed);
		b->mixed = true;
		return true;
	}
	b->quiet = ((uint64_t)cost * 2 - fixed) * 5 <= (uint64_t)b->ppm * 4 ? b->quiet + 1 : 0;
	if (b->quiet < V9_BUDGET_QUIET || !b->step)
		return false;
	b->quiet = 0;
	b->step--;
	b->mixed = true;
	return true;
}
