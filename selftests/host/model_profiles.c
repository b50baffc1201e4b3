// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles of real cores: ID registers, copied by hand from the sources that
 * selftests/model/profiles.c names. Without a source, the value is the default of the model.
 */
#include "tap.h"
#include "model_fake.h"
#include "profiles.h"
#include "v9trace/errata.h"

#define UNKNOWN	0xff
#define BIT(n)	(1U << (n))
#define BOTH	(BIT(V9_PROFILE_PMSVER) | BIT(V9_PROFILE_TRACEBUFFER))

/* ID_AA64DFR0_EL1 by the manuals: TraceBuffer [47:44], PMSVer [35:32], TraceVer [7:4] */
#define N2_DFR0		UINT64_C(0x000011f210305619)
#define A710_DFR0	UINT64_C(0x000011f010305619)

/*
 * @least: fields for which the sources have only a lower bound; @errata: errata of this revision in
 * the driver's table
 */
static const struct {
	const char *name, *tag;
	uint32_t midr;
	uint8_t pmsver, lds, tracever, tracebuffer, el0, least;
	uint64_t errata;
} cores[] = {
	{ "neoverse-n2", "n2", 0x410fd493, 2, 1, 1, 1, 2, 0,
	  V9_ERRATUM_2139208 | V9_ERRATUM_2253138 | V9_ERRATUM_2067961 },
	{ "neoverse-v2", "v2", 0x410fd4f1, 2, 1, 1, 1, 1, BOTH, 0 },
	{ "neoverse-v3", "v3", 0x410fd842, 3, UNKNOWN, 1, 1, UNKNOWN, BOTH, 0 },
	{ "cortex-a710", "a710", 0x412fd471, 0, UNKNOWN, 1, 1, 2, 0,
	  V9_ERRATUM_2119858 | V9_ERRATUM_2224489 | V9_ERRATUM_2054223 },
	{ "cortex-x2", "x2", 0x412fd481, UNKNOWN, UNKNOWN, 1, 1, UNKNOWN,
	  BIT(V9_PROFILE_TRACEBUFFER), 0 },
	{ "cortex-a720", "a720", 0x410fd811, 3, 1, 1, 1, UNKNOWN, BOTH, 0 },
	{ "cortex-x4", "x4", 0x410fd821, 3, UNKNOWN, 1, 1, UNKNOWN, BOTH, 0 },
};

static unsigned int known(const struct v9_profile *p, enum v9_profile_field field)
{
	const struct v9_profile_fact *f = v9_profile_fact(p, field);

	return f ? f->value : UNKNOWN;
}

static void facts(void)
{
	unsigned int i, field, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(cores); i++) {
		const struct v9_profile *p = v9_profile_find(cores[i].name);
		unsigned int least = 0;

		tap_ok(p && p == v9_profile_at(i), "%s_there", cores[i].tag);
		if (!p)
			continue;
		tap_eq(known(p, V9_PROFILE_MIDR), cores[i].midr, "%s_midr", cores[i].tag);
		tap_eq(known(p, V9_PROFILE_PMSVER), cores[i].pmsver, "%s_pmsver", cores[i].tag);
		tap_eq(known(p, V9_PROFILE_LDS), cores[i].lds, "%s_lds", cores[i].tag);
		tap_eq(known(p, V9_PROFILE_TRACEVER), cores[i].tracever, "%s_tracever", cores[i].tag);
		tap_eq(known(p, V9_PROFILE_TRACEBUFFER), cores[i].tracebuffer, "%s_tracebuffer",
		       cores[i].tag);
		tap_eq(known(p, V9_PROFILE_EL0), cores[i].el0, "%s_el0", cores[i].tag);
		tap_eq(v9_errata(cores[i].midr), cores[i].errata, "%s_errata", cores[i].tag);
		for (field = 0; field < V9_PROFILE_FIELDS; field++) {
			const struct v9_profile_fact *f = v9_profile_fact(p, field);

			bad += f && strlen(f->source) < 8;
			least |= f && f->least ? BIT(field) : 0;
		}
		tap_eq(least, cores[i].least, "%s_lower_bounds", cores[i].tag);
	}
	tap_eq(bad, 0, "each_value_has_a_source");
	tap_ok(!v9_profile_at(i), "no_more_of_them");
	tap_eq(N2_DFR0 >> 32 & 0xf, cores[0].pmsver, "n2_pmsver_in_dfr0");
	tap_eq(N2_DFR0 >> 44 & 0xf, cores[0].tracebuffer, "n2_tracebuffer_in_dfr0");
	tap_eq(N2_DFR0 >> 4 & 0xf, cores[0].tracever, "n2_tracever_in_dfr0");
	tap_eq(A710_DFR0 >> 32 & 0xf, cores[3].pmsver, "a710_pmsver_in_dfr0");
	tap_eq(A710_DFR0 >> 44 & 0xf, cores[3].tracebuffer, "a710_tracebuffer_in_dfr0");
}

static void names(void)
{
	tap_ok(!v9_profile_find("help"), "help_is_no_core");
	tap_ok(!v9_profile_find(""), "empty_name_refused");
	tap_ok(!v9_profile_find("neoverse-n"), "beginning_of_a_name_refused");
	tap_ok(!v9_profile_find("Neoverse-N2"), "other_case_refused");
}

/* The registers of the model with a profile */
static void registers(void)
{
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(cores); i++) {
		const struct v9_profile *p = v9_profile_find(cores[i].name);
		bool spe = cores[i].pmsver && cores[i].pmsver != UNKNOWN;
		struct fk *f = fk_new();

		f->cfg.spe_version = 0;
		f->cfg.trbe_exc = true;
		v9_profile_apply(p, &f->cfg);
		tap_eq(fk_init(f), 0, "%s_is_a_model", cores[i].tag);
		tap_eq(v9_reg_exists(f->m, fk_reg(V9_SYS_PMSIDR_EL1)), spe, "%s_has_spe", cores[i].tag);
		tap_eq(v9_reg_exists(f->m, fk_reg(V9_SYS_PMSNEVFR_EL1)),
		       spe && cores[i].pmsver >= 3, "%s_has_inverse_events", cores[i].tag);
		tap_ok(v9_reg_exists(f->m, fk_reg(V9_SYS_TRCIDR4)), "%s_has_ete", cores[i].tag);
		tap_ok(v9_reg_exists(f->m, fk_reg(V9_SYS_TRBIDR_EL1)), "%s_has_trbe", cores[i].tag);
		tap_eq(f->cfg.trbe_exc, false, "%s_has_no_trace_exceptions", cores[i].tag);
		if (spe) {
			tap_eq(MRS(f, PMSIDR_EL1), cores[i].pmsver >= 3 ? 0x2607f : 0x2603f,
			       "%s_pmsidr", cores[i].tag);
			tap_eq(MRS(f, PMBIDR_EL1), 0x26, "%s_pmbidr_default", cores[i].tag);
		}
		tap_eq(MRS(f, TRBIDR_EL1), 0x26, "%s_trbidr_default", cores[i].tag);
		fk_free(f);
	}
}

/* A profile does not change a value for which there is no source. */
static void unknown_stays(void)
{
	struct v9_config c;

	v9_config_default(&c);
	c.lds = false;
	c.max_size = 8;
	c.interval = 4;
	v9_profile_apply(v9_profile_find("cortex-x4"), &c);
	tap_eq(c.lds, false, "lds_unknown_stays");
	tap_eq(c.max_size, 8, "max_size_unknown_stays");
	tap_eq(c.interval, 4, "interval_unknown_stays");
	v9_profile_apply(v9_profile_find("cortex-a720"), &c);
	tap_eq(c.lds, true, "lds_known_replaced");
	c.spe_version = 6;
	v9_profile_apply(v9_profile_find("cortex-x2"), &c);
	tap_eq(c.spe_version, 6, "pmsver_unknown_stays");
}

/* Each fact alone sets its own field. */
static void applied(void)
{
	static const struct { enum v9_profile_field field; uint32_t value; } rows[] = {
		{ V9_PROFILE_PMSVER, 5 }, { V9_PROFILE_LDS, 1 }, { V9_PROFILE_LDS, 0 }, { V9_PROFILE_TRACEVER, 1 },
		{ V9_PROFILE_TRACEVER, 0 }, { V9_PROFILE_TRACEBUFFER, 1 }, { V9_PROFILE_TRACEBUFFER, 2 },
		{ V9_PROFILE_MIDR, 7 },
	};

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_config c = { .spe_version = 3, .lds = !rows[i].value, .ete = !rows[i].value,
				       .trbe_exc = rows[i].value < 2 }, want = c;
		struct v9_profile p = { 0 };

		p.fact[rows[i].field] = (struct v9_profile_fact){ .source = "test", .value = rows[i].value };
		switch (rows[i].field) {
		case V9_PROFILE_PMSVER:
			want.spe_version = 5;
			break;
		case V9_PROFILE_LDS:
			want.lds = rows[i].value;
			break;
		case V9_PROFILE_TRACEVER:
			want.ete = rows[i].value;
			break;
		case V9_PROFILE_TRACEBUFFER:
			want.trbe_exc = rows[i].value == 2;
			break;
		default:
			break;
		}
		v9_profile_apply(&p, &c);
		tap_ok(c.spe_version == want.spe_version && c.lds == want.lds && c.ete == want.ete &&
		       c.trbe_exc == want.trbe_exc, "applied_%u", i);
	}
}

int main(void)
{
	facts();
	names();
	registers();
	unknown_stays();
	applied();
	return tap_done();
}
