// SPDX-License-Identifier: GPL-2.0-only
/*
 * opencsd MODE SPEC: OpenCSD by its C interface. MODE is
 *   packets   the packet processor alone, without a callback, since that interface refuses one for
 *             ETE packets
 *   ranges    full decode, sum of the ranges in the callback
 *   hash      the same, and an FNV-1a over start and end of each range
 * Prints: seconds of CPU, bytes, elements, ranges, instructions, sum or hash.
 */
#include <stdbool.h>

#include <opencsd/c_api/opencsd_c_api.h>

#include "spec.h"

struct sums {
	uint64_t elements, ranges, insns, sum;
	bool hash;
};

static ocsd_datapath_resp_t element(const void *arg, const ocsd_trc_index_t at, const uint8_t id,
				    const ocsd_generic_trace_elem *e)
{
	struct sums *s = (struct sums *)arg;

	(void)at;
	(void)id;
	s->elements++;
	if (e->elem_type != OCSD_GEN_TRC_ELEM_INSTR_RANGE)
		return OCSD_RESP_CONT;
	s->ranges++;
	s->insns += e->num_instr_range;
	if (s->hash) {
		spec_hash(&s->sum, e->st_addr);
		spec_hash(&s->sum, e->en_addr);
	} else {
		s->sum += e->st_addr ^ e->en_addr << 1;
	}
	return OCSD_RESP_CONT;
}

static void configure(const struct spec *s, ocsd_ete_cfg *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->reg_idr0 = s->idr0;
	cfg->reg_idr1 = s->idr1;
	cfg->reg_idr2 = s->idr2;
	cfg->reg_idr8 = s->idr8;
	cfg->reg_devarch = s->devarch;
	cfg->reg_configr = s->configr;
	cfg->reg_traceidr = s->traceidr;
	cfg->arch_ver = ARCH_AA64;
	cfg->core_prof = profile_CortexA;
}

int main(int argc, char **argv)
{
	ocsd_datapath_resp_t r = OCSD_RESP_CONT;
	struct sums sum = { 0 };
	ocsd_ete_cfg cfg;
	dcd_tree_handle_t tree;
	uint32_t used;
	unsigned char id;
	struct spec s;
	double begin;
	bool packets;

	if (argc != 3)
		return 2;
	packets = !strcmp(argv[1], "packets");
	sum.hash = !strcmp(argv[1], "hash");
	sum.sum = sum.hash ? SPEC_HASH : 0;
	spec_load(&s, argv[2]);
	configure(&s, &cfg);
	tree = ocsd_create_dcd_tree(OCSD_TRC_SRC_SINGLE, 0);
	if (ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_ETE, packets ?
				   OCSD_CREATE_FLG_PACKET_PROC : OCSD_CREATE_FLG_FULL_DECODER, &cfg,
				   &id) != OCSD_OK)
		spec_die("no decoder", argv[2]);
	if (!packets) {
		for (unsigned int i = 0; i < s.nr_codes; i++)
			if (s.code[i].size &&
			    ocsd_dt_add_buffer_mem_acc(tree, s.code[i].addr, OCSD_MEM_SPACE_ANY,
						       s.code[i].bytes, (uint32_t)s.code[i].size) !=
			    OCSD_OK)
				spec_die("code not taken", argv[2]);
		ocsd_dt_set_gen_elem_outfn(tree, element, &sum);
	}
	begin = spec_seconds();
	for (size_t at = 0; at < s.size && !OCSD_DATA_RESP_IS_FATAL(r); at += used) {
		const size_t n = s.size - at < 1u << 20 ? s.size - at : 1u << 20;

		used = 0;
		if (OCSD_DATA_RESP_IS_WAIT(r))
			r = ocsd_dt_process_data(tree, OCSD_OP_FLUSH, 0, 0, NULL, NULL);
		else
			r = ocsd_dt_process_data(tree, OCSD_OP_DATA, at, (uint32_t)n, s.trace + at,
						 &used);
	}
	if (OCSD_DATA_RESP_IS_FATAL(r))
		spec_die("it gave up", argv[2]);
	ocsd_dt_process_data(tree, OCSD_OP_EOT, 0, 0, NULL, NULL);
	printf("%.6f %zu %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n",
	       spec_seconds() - begin, s.size, sum.elements, sum.ranges, sum.insns, sum.sum);
	ocsd_destroy_dcd_tree(tree);
	return 0;
}
