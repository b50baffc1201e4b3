// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "spe_stream.h"

#include <stdlib.h>
#include <string.h>

#include "../capture/strtab.h"

void v9_spe_stream_data(struct v9_spe_stream *s, uint64_t offset, const uint8_t *a, size_t na, const uint8_t *b,
			size_t nb)
{
	if (!s->data.len)
		s->at = offset;
	v9_blob_put(&s->data, a, na);
	v9_blob_put(&s->data, b, nb);
}

void v9_spe_stream_cut(struct v9_spe_stream *s, uint64_t offset)
{
	*v9_vec_add(s->cuts, s->nr_cuts) = offset;
}

void v9_spe_stream_decode(struct v9_spe_stream *s, void (*take)(void *arg, const struct v9_spe_rec *rec), void *arg)
{
	const uint64_t end = s->at + s->data.len;
	struct v9_spe_rec rec;
	size_t done = 0, cut = 0;
	int ret;

	if (!s->data.len)
		return;
	if (!s->dec && !(s->dec = v9_spe_dec_new()))
		v9_out_of_memory();
	while (done < s->data.len) {
		size_t part = s->data.len - done;

		while (cut < s->nr_cuts && s->cuts[cut] <= s->at + done)
			cut++;
		if (cut < s->nr_cuts && s->cuts[cut] < end)
			part = s->cuts[cut] - s->at - done;
		v9_spe_dec_feed(s->dec, s->data.data + done, part, s->at + done);
		while ((ret = v9_spe_dec_next(s->dec, &rec)) > 0)
			take(arg, &rec);
		if (ret < 0)
			v9_out_of_memory();
		done += part;
		if (cut < s->nr_cuts && s->cuts[cut] == s->at + done)
			v9_spe_dec_end(s->dec, V9_SPE_SKIP_LOSS);
	}
	s->data.len = 0;
	/* One behind the end is of data that comes yet. */
	while (cut < s->nr_cuts && s->cuts[cut] <= end)
		cut++;
	s->nr_cuts -= cut;
	if (cut && s->nr_cuts)
		memmove(s->cuts, s->cuts + cut, s->nr_cuts * sizeof(*s->cuts));
}

void v9_spe_stream_free(struct v9_spe_stream *s)
{
	v9_spe_dec_delete(s->dec);
	v9_blob_free(&s->data);
	free(s->cuts);
	*s = (struct v9_spe_stream){ 0 };
}
