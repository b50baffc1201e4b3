// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * latencies FILE: print the operation with the largest total latency in a file of raw SPE data.
 *
 *	cc latencies.c $(pkg-config --cflags --libs libv9spe)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <v9spe.h>

#define PART 4096

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	struct v9_spe_rec r, worst = { 0 };
	uint8_t part[PART];
	uint64_t at = 0;
	struct v9_spe_dec *dec;
	size_t n;

	if (!f)
		return 2;
	dec = v9_spe_dec_new();
	if (!dec)
		return 1;
	/* A record may be split between two parts. */
	while ((n = fread(part, 1, sizeof(part), f))) {
		v9_spe_dec_feed(dec, part, n, at);
		at += n;
		while (v9_spe_dec_next(dec, &r) > 0)
			if (r.has & V9_SPE_REC_LAT_TOTAL &&
			    r.lat[V9_SPE_LAT_TOTAL] > worst.lat[V9_SPE_LAT_TOTAL])
				worst = r;
	}
	v9_spe_dec_end(dec, V9_SPE_SKIP_CUT);
	printf("%" PRIu64 " records, %" PRIu64 " of %" PRIu64 " bytes accounted for\n",
	       v9_spe_dec_account(dec)->records, v9_spe_account_bytes(v9_spe_dec_account(dec)), at);
	printf("longest: %u cycles at %" PRIx64 "\n", worst.lat[V9_SPE_LAT_TOTAL], worst.pc.addr);
	v9_spe_dec_delete(dec);
	fclose(f);
	return 0;
}
