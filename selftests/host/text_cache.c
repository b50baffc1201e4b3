// SPDX-License-Identifier: GPL-2.0-only
/* Texts that are kept (tools/report/text_cache.c), and the keys of fields: equal keys must have equal texts. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tap.h"
#include "../../tools/report/fields.h"

#define MOST	V9_TEXT_MOST

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

/* Keys of one word that share an entry of the cache */
static void words(void)
{
	struct v9_text_cache c;
	bool all = true;

	begin();
	v9_text_cache_init(&c, 2);
	tap_ok(!v9_text_find_word(&c, 0), "no_word");
	for (uint64_t i = 0; i < 100; i++) {
		const struct v9_text_key key = { { i } };
		char text[16];

		snprintf(text, sizeof(text), "%u", (unsigned int)i);
		all = all && !v9_text_find_word(&c, i);
		put_kept(&c, &key, text);
		all = all && finds(&c, &key, text) && v9_text_find_word(&c, i) == v9_text_find(&c, &key);
	}
	tap_ok(all, "words");
	end();
	v9_text_cache_free(&c);
	free(bytes);
}

/* ---- fields: records that differ in one thing each */

#define RECORDS	96

static struct v9_spe_rec recs[RECORDS];
static struct v9_sampled ats[RECORDS];
static struct v9_queue queues[RECORDS];
static struct v9_line lines[RECORDS];
static size_t nr;
static struct v9_session session;
static struct v9_lookup lookup;
static struct v9_place_cache places;

#define CODE	0x10000u

static void map(uint64_t time, uint32_t pid, const char *name)
{
	v9_syms_map(&session.syms, time, pid, CODE, 0x1000, 0, PROT_READ | PROT_EXEC, name, strlen(name), NULL, 0);
}

enum { PID_ODD = 10, PID_TERMINAL, PID_UTF8, PID_LONG, PID_LONGER };

/* Process 2 executes another program at 100. */
static void open_session(void)
{
	static const struct v9_syms_opts none;
	char name[V9_PLACED_MOST];

	v9_syms_init(&session.syms, &session.strtab, &none);
	map(10, 2, "/first");
	map(10, 3, "/other");
	map(10, PID_ODD, "/qu\"ote");
	map(10, PID_TERMINAL, "/a long name with an escape\x1b");
	map(10, PID_UTF8, "/caf\xc3\xa9");
	memset(name, 'n', sizeof(name));
	name[0] = '/';
	name[V9_PLACED_MOST / 2] = '\0';
	map(10, PID_LONG, name);
	name[V9_PLACED_MOST / 2] = 'n';
	name[V9_PLACED_MOST / 2 + 1] = '\0';
	map(10, PID_LONGER, name);
	v9_syms_exec(&session.syms, 100, 2);
	map(100, 2, "/second");
	v9_syms_seal(&session.syms);
	v9_lookup_init(&lookup, &session);
	v9_place_cache_init(&places, &lookup, 4);
}

static void close_session(void)
{
	v9_place_cache_free(&places);
	v9_lookup_free(&lookup);
	v9_syms_free(&session.syms);
	v9_strtab_free(&session.strtab);
}

/* Adds a copy of the first line, or that one. The caller changes it. */
static size_t line(void)
{
	recs[nr] = recs[0];
	ats[nr] = ats[0];
	queues[nr] = queues[0];
	lines[nr] = (struct v9_line){ .s = &session, .places = &places, .targets = &places, .q = &queues[nr],
				      .r = &recs[nr], .at = &ats[nr] };
	ats[nr].rec = &recs[nr];
	return nr++;
}

static void make_lines(void)
{
	recs[0] = (struct v9_spe_rec){ .has = V9_SPE_REC_OP | V9_SPE_REC_EVENTS | V9_SPE_REC_SOURCE | V9_SPE_REC_PC |
					      V9_SPE_REC_TARGET | V9_SPE_REC_CTX_EL1 | V9_SPE_REC_CTX_EL2,
				       .op_class = 1, .events = 2, .pc = { .addr = CODE, .el = 1 },
				       .target = { .addr = CODE + 8, .el = 1 }, .ctx = { 5, 6 } };
	ats[0] = (struct v9_sampled){ .cpu = 1, .pid = 2, .tid = 3, .comm = "first", .has_time = true, .time = 50 };
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
	recs[line()].ctx[0] = 6;
	recs[line()].ctx[1] = 5;
	recs[line()].has &= ~V9_SPE_REC_CTX_EL1;
	recs[line()].has &= ~V9_SPE_REC_CTX_EL2;
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
	struct v9_json j = { .put = &put, .more = true };

	begin();
	if (f->brief)
		v9_put_brief(&put, json ? f->brief->json : f->brief->text, l);
	else if (json)
		f->json(&j, l);
	else
		f->text(&put, l);
	end();
	return bytes;
}

static struct v9_text_key key_of(const struct v9_field *f, const struct v9_line *l)
{
	struct v9_text_key k = { { 1, 2, 3, 4 } };

	if (f->key->word)
		return (struct v9_text_key){ { f->key->word(l) } };
	f->key->of(&k, l);
	return k;
}

static bool omitted(const struct v9_field *f, const struct v9_line *l)
{
	return f->has && !(f->has & l->r->has);
}

static void keyed_fields(void)
{
	size_t keyed = 0;

	make_lines();
	for (size_t i = 0; i < v9_nr_fields; i++) {
		const struct v9_field *f = &v9_fields[i];
		char *text[RECORDS][2];
		bool apart = true;
		size_t differ = 0;

		if (!f->key)
			continue;
		keyed++;
		for (size_t a = 0; a < nr; a++)
			for (unsigned int json = 0; json < 2; json++)
				text[a][json] = omitted(f, &lines[a]) ? NULL : text_of(f, &lines[a], json);
		for (size_t a = 0; a < nr; a++)
			for (size_t b = 0; b < a; b++) {
				struct v9_text_key ka, kb;

				if (!text[a][0] || !text[b][0] ||
				    (!strcmp(text[a][0], text[b][0]) && !strcmp(text[a][1], text[b][1])))
					continue;
				ka = key_of(f, &lines[a]);
				kb = key_of(f, &lines[b]);
				differ++;
				apart = apart && memcmp(&ka, &kb, sizeof(ka));
			}
		tap_ok(differ && apart, "other_texts_have_other_keys_%s", f->name);
		for (size_t a = 0; a < nr; a++) {
			free(text[a][0]);
			free(text[a][1]);
		}
	}
	tap_ok(keyed == 8, "fields_with_keys");
}

/* Places of processes whose programs have other names: the short way to write a field, and that for any names */
static void place_fields(void)
{
	static const struct { uint32_t pid; bool brief; } rows[] = { { 2, true }, { 3, true }, { PID_ODD, false },
		{ PID_TERMINAL, false }, { PID_UTF8, false }, { PID_LONG, true }, { PID_LONGER, false }, { 99, true } };
	static const char *const names[] = { "sym", "target" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (unsigned int json = 0; json < 4; json++) {
			const struct v9_field *f = v9_field_find(names[json / 2], strlen(names[json / 2]));
			struct v9_sampled at = { .pid = rows[i].pid, .rec = &recs[0] };
			const struct v9_line l = { .r = &recs[0], .at = &at, .places = &places, .targets = &places };
			struct v9_field full = *f;
			char text[V9_BRIEF_MOST], *want, *end = (json % 2 ? f->brief->json : f->brief->text)(text, &l);

			full.brief = NULL;
			want = text_of(&full, &l, json % 2);
			tap_ok(!end == !rows[i].brief && (!end || ((size_t)(end - text) == strlen(want) &&
								   !memcmp(text, want, strlen(want)))),
			       "%s_of_%u_%s", f->name, rows[i].pid, json % 2 ? "json" : "text");
			free(want);
		}
}

/* ---- fields that are written for each line, compared with printf() */

static const uint64_t numbers[] = { 0, 1, 9, 10, 99, 100, 101, 999, 1000, 12345, 99999999, 100000000, 999999999,
				    1000000000, 99999999999999, 999999999999999, 1000000000000000,
				    UINT64_C(0xfffffffffffffff), UINT64_MAX };

#define NUMBERS	(sizeof(numbers) / sizeof(numbers[0]))

/* Returns true if the text of a field, or its members of JSON, is what printf() makes of the others. */
__attribute__((format(printf, 4, 5)))
static bool is(const char *name, const struct v9_line *l, bool json, const char *format, ...)
{
	char *text = text_of(v9_field_find(name, strlen(name)), l, json), *want = NULL;
	va_list args;
	bool same;

	va_start(args, format);
	same = vasprintf(&want, format, args) >= 0 && !strcmp(text, want) && strlen(text) <= V9_BRIEF_MOST;
	va_end(args);
	if (!same)
		printf("# %s is not %s\n", text, want ?: "made");
	free(text);
	free(want);
	return same;
}

#define TEXT(name, ...) is(name, &l, false, __VA_ARGS__)
#define JSON(name, ...) is(name, &l, true, __VA_ARGS__)

static void brief_fields(void)
{
	struct v9_spe_rec r = { .has = UINT32_MAX };
	struct v9_sampled at = { .rec = &r };
	const struct v9_line l = { .r = &r, .at = &at };
	bool time = TEXT("time", "               -") && JSON("time", "%s", ""), others = true, lat = true;

	at.has_time = true;
	for (size_t i = 0; i < NUMBERS; i++) {
		const uint64_t n = numbers[i];
		char tag[32] = "";

		at.time = n;
		time = time && TEXT("time", "%6" PRIu64 ".%09" PRIu64, n / 1000000000, n % 1000000000) &&
		       JSON("time", ",\"time\":%" PRIu64, n);
		r.va = r.pa = r.ts = r.offset = r.prev_target.addr = r.pc.addr = n;
		r.va_tag = r.pa_top = (uint8_t)n;
		r.size = (uint32_t)n;
		if (v9_spe_tagged(&r))
			snprintf(tag, sizeof(tag), ",\"tag\":\"0x%x\"", r.va_tag);
		others = others && TEXT("va", "va=0x%" PRIx64, n) &&
			 JSON("va", ",\"va\":\"0x%" PRIx64 "\",\"va_top\":\"0x%x\"%s", n, r.va_tag, tag) &&
			 TEXT("pc", "%16" PRIx64, n) && JSON("pc", ",\"pc\":\"0x%" PRIx64 "\"", n) &&
			 TEXT("pa", "pa=0x%" PRIx64, n) &&
			 JSON("pa", ",\"pa\":\"0x%" PRIx64 "\",\"pa_attr\":\"0x%x\"", n, r.pa_top) &&
			 TEXT("ts", "ts=%" PRIu64, n) && JSON("ts", ",\"ts\":\"0x%" PRIx64 "\"", n) &&
			 TEXT("prev", "prev=0x%" PRIx64, n) &&
			 JSON("prev", ",\"prev_target\":\"0x%" PRIx64 "\"", n) &&
			 TEXT("offset", "@0x%" PRIx64, n) &&
			 JSON("offset", ",\"offset\":%" PRIu64 ",\"size\":%u", n, r.size);
		for (unsigned int k = 0; k < V9_SPE_LATENCIES; k++)
			r.lat[k] = (uint16_t)numbers[(i + k) % NUMBERS];
		r.lat_alt = (uint16_t)n;
		lat = lat && TEXT("lat", "lat=%u/%u/%u/%u", r.lat[0], r.lat[1], r.lat[2], r.lat_alt) &&
		      JSON("lat", ",\"lat_total\":%u,\"lat_issue\":%u,\"lat_translation\":%u,\"lat_alt_issue\":%u",
			   r.lat[0], r.lat[1], r.lat[2], r.lat_alt);
	}
	r.has = V9_SPE_REC_LAT_ISSUE;
	lat = lat && TEXT("lat", "lat=-/%u/-", r.lat[1]);
	tap_ok(time, "time");
	tap_ok(lat, "latencies");
	tap_ok(others, "numbers_of_a_record");
}

int main(void)
{
	sizes();
	keys();
	words();
	open_session();
	keyed_fields();
	place_fields();
	brief_fields();
	close_session();
	return tap_done();
}
