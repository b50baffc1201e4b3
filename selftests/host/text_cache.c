// SPDX-License-Identifier: GPL-2.0-only
/* Texts that are kept (tools/report/text_cache.c), and the keys of fields: equal keys must have equal texts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "../../tools/report/fields.h"

#define MOST	1024	/* bytes of a text that is kept */

static struct v9_put put;
static char *bytes;
static size_t n_bytes;
static bool found;			/* the last keeps() has found a text, whichever */

static void begin(void)
{
	v9_put_begin(&put, open_memstream(&bytes, &n_bytes));
}

static void end(void)
{
	v9_put_flush(&put);
	fclose(put.f);
}

/* Prints @n bytes after @before others, and keeps them. Returns whether they are found and are those. */
static bool keeps(size_t before, size_t n)
{
	const struct v9_text_key key = { { before, n } };
	const struct v9_kept_text *kept;
	struct v9_text_cache c;
	struct v9_text_begin at;
	bool same;

	begin();
	v9_text_cache_init(&c, 4);
	for (size_t i = 0; i < before; i++)
		v9_put_char(&put, '.');
	at = v9_text_begin(&put);
	for (size_t i = 0; i < n; i++)
		v9_put_char(&put, (char)('a' + i % 26));
	v9_text_keep(&c, &key, &put, at);
	kept = v9_text_find(&c, &key);
	found = kept;
	same = kept && kept->n == n;
	for (size_t i = 0; same && i < n; i++)
		same = kept->text[i] == (char)('a' + i % 26);
	if (same) {
		v9_put_words(&put, kept->text, kept->n);
		v9_put_char(&put, '!');
	}
	end();
	same = same && n_bytes == before + 2 * n + 1 && bytes[n_bytes - 1] == '!' &&
	       !memcmp(bytes + before, bytes + before + n, n);
	v9_text_cache_free(&c);
	free(bytes);
	return same;
}

static void sizes(void)
{
	bool all = true;

	for (size_t n = 0; n <= MOST; n++)
		all = all && keeps(3, n);
	tap_ok(all, "each_size");
	tap_ok(!keeps(0, MOST + 1) && !found, "longer_is_not_kept");
	tap_ok(!keeps(0, V9_PUT_BYTES + 5) && !found, "longer_than_the_buffer_is_not_kept");
	for (size_t left = 0; left <= MOST + 40; left++)
		all = all && keeps(V9_PUT_BYTES - left, 40) && keeps(V9_PUT_BYTES - left, MOST);
	tap_ok(all, "at_the_end_of_the_buffer");
}

static void put_kept(struct v9_text_cache *c, const struct v9_text_key *key, const char *text)
{
	const struct v9_text_begin at = v9_text_begin(&put);

	v9_put_str(&put, text);
	v9_text_keep(c, key, &put, at);
}

static bool finds(const struct v9_text_cache *c, const struct v9_text_key *key, const char *text)
{
	const struct v9_kept_text *kept = v9_text_find(c, key);

	return kept && kept->n == strlen(text) && !memcmp(kept->text, text, kept->n);
}

/* With two entries every key shares one with others. */
static void keys(void)
{
	const struct v9_text_key key = { { 1, 2, 3, 4 } };
	struct v9_text_cache c;
	bool none = true;

	begin();
	v9_text_cache_init(&c, 1);
	tap_ok(!v9_text_find(&c, &(struct v9_text_key){ { 0 } }), "empty");
	put_kept(&c, &key, "a text");
	tap_ok(finds(&c, &key, "a text"), "kept");
	for (unsigned int word = 0; word < V9_TEXT_WORDS; word++)
		for (unsigned int bit = 0; bit < 64; bit++) {
			struct v9_text_key other = key;

			other.word[word] ^= UINT64_C(1) << bit;
			none = none && !v9_text_find(&c, &other);
		}
	tap_ok(none, "each_bit_counts");
	for (uint64_t i = 0; i < 20; i++) {
		const struct v9_text_key other = { { i, i } };
		char text[64];

		snprintf(text, sizeof(text), "%0*u", (int)(3 * i % 50) + 1, (unsigned int)i);
		put_kept(&c, &other, text);
		none = none && finds(&c, &other, text);
	}
	tap_ok(none && !v9_text_find(&c, &key), "a_new_text_replaces");
	end();
	v9_text_cache_free(&c);
	free(bytes);
}

/* ---- fields: records that differ in one thing each */

#define RECORDS	64

static struct v9_spe_rec recs[RECORDS];
static struct v9_sampled ats[RECORDS];
static struct v9_queue queues[RECORDS];
static struct v9_line lines[RECORDS];
static size_t nr;

/* Adds a copy of the first line, or that one. The caller changes it. */
static size_t line(void)
{
	recs[nr] = recs[0];
	ats[nr] = ats[0];
	queues[nr] = queues[0];
	lines[nr] = (struct v9_line){ .q = &queues[nr], .r = &recs[nr], .at = &ats[nr] };
	ats[nr].rec = &recs[nr];
	return nr++;
}

static void make_lines(void)
{
	recs[0] = (struct v9_spe_rec){ .has = V9_SPE_REC_OP | V9_SPE_REC_EVENTS | V9_SPE_REC_SOURCE, .op_class = 1,
				       .events = 2 };
	ats[0] = (struct v9_sampled){ .cpu = 1, .pid = 2, .tid = 3, .comm = "first" };
	line();
	ats[line()].cpu = 2;
	ats[line()].cpu = V9_NO_TASK;
	ats[line()].pid = 3;
	ats[line()].pid = V9_NO_TASK;
	ats[line()].tid = 2;
	ats[line()].tid = V9_NO_TASK;
	ats[line()].comm = "second";
	ats[line()].comm = NULL;
	for (unsigned int class = 0; class < 4; class++)
		for (unsigned int bit = 0; bit < 8; bit++) {
			const size_t i = line();

			recs[i].op_class = (uint8_t)class;
			recs[i].op = (uint8_t)(1u << bit);
		}
	recs[line()].has &= ~V9_SPE_REC_OP;
	recs[line()].events = 0;
	recs[line()].events = 3;
	recs[line()].events = UINT64_C(1) << 63;
	recs[line()].has &= ~V9_SPE_REC_EVENTS;
	recs[line()].source = 1;
	recs[line()].source = 8;
	recs[line()].source = 1u << 15;
	recs[line()].has &= ~V9_SPE_REC_SOURCE;
	for (unsigned int set = 0; set < 4; set++) {
		const size_t i = line();

		queues[i].sources = set;
		recs[i].source = 8;
	}
}

static char *text_of(const struct v9_field *f, const struct v9_line *l, bool json)
{
	struct v9_json j = { .put = &put };

	begin();
	if (json)
		f->json(&j, l);
	else
		f->text(&put, l);
	end();
	return bytes;
}

static struct v9_text_key key_of(const struct v9_field *f, const struct v9_line *l)
{
	struct v9_text_key k = { { 0 } };

	f->key(&k, l);
	return k;
}

static void fields(void)
{
	size_t keyed = 0;

	make_lines();
	for (size_t i = 0; i < v9_nr_fields; i++) {
		const struct v9_field *f = &v9_fields[i];
		char *text[RECORDS][2];
		bool apart = true, ours = true;
		size_t differ = 0;

		if (!f->key)
			continue;
		keyed++;
		for (size_t a = 0; a < nr; a++) {
			const struct v9_text_key k = key_of(f, &lines[a]);

			text[a][0] = text_of(f, &lines[a], false);
			text[a][1] = text_of(f, &lines[a], true);
			ours = ours && !(k.word[3] >> 56);
		}
		for (size_t a = 0; a < nr; a++)
			for (size_t b = 0; b < a; b++) {
				const struct v9_text_key ka = key_of(f, &lines[a]), kb = key_of(f, &lines[b]);

				if (!strcmp(text[a][0], text[b][0]) && !strcmp(text[a][1], text[b][1]))
					continue;
				differ++;
				apart = apart && memcmp(&ka, &kb, sizeof(ka));
			}
		tap_ok(differ && apart, "other_texts_have_other_keys_%s", f->name);
		tap_ok(ours, "last_byte_is_the_callers_%s", f->name);
		for (size_t a = 0; a < nr; a++) {
			free(text[a][0]);
			free(text[a][1]);
		}
	}
	tap_ok(keyed == 7, "fields_with_keys");
}

int main(void)
{
	sizes();
	keys();
	fields();
	return tap_done();
}
