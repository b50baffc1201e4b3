// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* See el3.h. */
#include "v9trace/el3.h"

const char *v9_el3_spe_closed(const struct v9_el3 *el3)
{
	if (!el3->answered || el3->mdcr & V9_EL3_MDCR_SPE)
		return NULL;
	return "firmware traps registers of the profiling unit (MDCR_EL3.NSPB)";
}

const char *v9_el3_trace_closed(const struct v9_el3 *el3, bool listed)
{
	static const char unlisted[] =
		"firmware describes no trace unit; load with unlisted=1 if CPTR_EL3.TTA is 0";

	if (!el3->answered)
		return listed ? NULL : unlisted;
	if (!(el3->mdcr & V9_EL3_MDCR_TRBE))
		return "firmware traps registers of the trace buffer (MDCR_EL3.NSTB)";
	if (!(el3->cptr & V9_EL3_CPTR_TRACE))
		return "firmware traps registers of the trace unit (CPTR_EL3.TTA)";
	if (!(el3->mdcr & V9_EL3_MDCR_TRF))
		return "firmware traps the trace filter registers (MDCR_EL3.TTRF)";
	return NULL;
}

const char *v9_el3_brbe_closed(const struct v9_el3 *el3, bool present, bool consent)
{
	if (!present)
		return NULL;			/* nothing traps, and all is recorded: BRBE-BG3 */
	if (!el3->answered)
		return consent ? NULL : "load with sbrbe=1 if firmware sets MDCR_EL3.SBRBE";
	if (!(el3->mdcr & V9_EL3_MDCR_BRBE))
		return "firmware traps registers of branch records (MDCR_EL3.SBRBE)";
	return NULL;
}

bool v9_el3_permits_pmbmar(const struct v9_el3 *el3, bool at_el2, bool consent)
{
	if (el3->answered && !(el3->mdcr & V9_EL3_MDCR_PMBMAR))
		return false;
	return consent || (el3->answered && at_el2);
}
