// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace export: a capture in the format of another program. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../commands.h"
#include "../report/kinds.h"
#include "../report/shard_view.h"
#include "export.h"

/* To add a format, add to_<name>.c and a row here. */
static const struct v9_sink *const sinks[] = {
	&v9_sink_folded,
	&v9_sink_speedscope,
	&v9_sink_firefox,
	&v9_sink_pprof,
	&v9_sink_chrome,
	&v9_sink_svg,
	&v9_sink_csv,
	&v9_sink_json,
	&v9_sink_sqlite,
	&v9_sink_parquet,
	&v9_sink_bolt,
	&v9_sink_llvm,
	&v9_sink_llvm_contexts,
	&v9_sink_gcc,
	&v9_sink_perf,
};

/* The export that is made. Its unfinished file is removed if the program is interrupted. */
static struct v9_export *current;

static void interrupted(int sig)
{
	if (current->unfinished)
		unlink(current->unfinished);
	signal(sig, SIG_DFL);
	raise(sig);
}

static bool cannot_write(const char *path)
{
	v9_error("cannot write %s: %s", path, strerror(errno));
	return false;
}

bool v9_export_open(struct v9_export *x)
{
	if (!x->path) {
		x->f = stdout;
		return true;
	}
	if (x->sink->many)
		return !mkdir(x->path, 0777) || errno == EEXIST || cannot_write(x->path);
	if (v9_is_special(x->path)) {
		if (x->sink->opens) {
			v9_error("cannot write %s: --to %s needs an ordinary file", x->path, x->sink->name);
			return false;
		}
		x->f = fopen(x->path, "w");
		return x->f || cannot_write(x->path);
	}
	x->unfinished = v9_format("%s.unfinished", x->path);
	x->f = fopen(x->unfinished, "w");
	if (!x->f) {
		cannot_write(x->unfinished);
		free(x->unfinished);
		x->unfinished = NULL;
		return false;
	}
	current = x;
	signal(SIGINT, interrupted);
	signal(SIGTERM, interrupted);
	if (x->sink->opens) {
		fclose(x->f);
		x->f = NULL;
	}
	return true;
}

bool v9_export_close(struct v9_export *x)
{
	char *path = x->unfinished;
	bool good = !x->failed;

	if (x->f && (fflush(x->f) || ferror(x->f)))
		good = cannot_write(x->path ? x->path : "the output");
	if (x->f && x->f != stdout && fclose(x->f))
		good = cannot_write(x->path);
	if (path && good && rename(path, x->path))
		good = cannot_write(x->path);
	if (path && !good)
		unlink(path);
	x->unfinished = NULL;
	free(path);
	return good;
}

/* ---- losses: the rows of these tables of report */

static struct v9_export *export_of(struct v9_out *o)
{
	return (struct v9_export *)((char *)o - offsetof(struct v9_export, r.out));
}

static const struct v9_cell *cell(const struct v9_table *t, size_t row, const char *name)
{
	for (size_t i = 0; i < t->nr_cols; i++)
		if (!strcmp(t->cols[i].name, name))
			return &t->cells[row * t->nr_cols + i];
	return NULL;
}

static void take_losses(struct v9_out *o, const struct v9_table *t)
{
	struct v9_export *x = export_of(o);

	for (size_t i = 0; i < t->nr_rows && t->shape == V9_LOSSES && x->sink->loss; i++) {
		const struct v9_loss l = {
			.n = cell(t, i, "count")->n, .kind = cell(t, i, "kind")->s,
			.what = cell(t, i, "what")->s, .meaning = cell(t, i, "meaning")->s,
		};

		if (l.n && !x->failed)
			x->sink->loss(x, &l);
	}
}

/* Objects of which something was not found: without symbols, without code */
static void take_objects(struct v9_out *o, const struct v9_table *t)
{
	struct v9_export *x = export_of(o);

	for (size_t i = 0; i < t->nr_rows && x->sink->loss; i++) {
		const struct v9_cell *samples = cell(t, i, "samples");
		const struct v9_loss l = {
			.n = samples ? samples->n : cell(t, i, "lookups")->n,
			.kind = samples ? "no_symbols" : "no_code",
			.what = cell(t, i, "dso")->s, .meaning = cell(t, i, "why")->s,
		};

		if (!x->failed)
			x->sink->loss(x, &l);
	}
}

static void take_table(struct v9_out *o, const struct v9_table *t)
{
	if (t->shape == V9_LOSSES)
		take_losses(o, t);
	else
		take_objects(o, t);
}

static void finish(struct v9_out *o)
{
	struct v9_export *x = export_of(o);

	if (x->kinds && !x->failed && x->sink->end)
		x->sink->end(x);
}

const struct v9_format v9_export_losses = {
	.name = "losses", .takes = V9_TAKES_TABLES, .table = take_table, .end = finish,
};

/* ---- reading */

/* Can the format take what there is of a kind of trace? A shard has sums only. */
static bool can_take(const struct v9_export *x, const struct v9_kind *k)
{
	const unsigned int takes = x->sink->takes[k - v9_kinds];

	return !x->r.shard ? takes : x->sink->shard ||
	       takes & v9_shard_gives(x->r.shard, (enum v9_kind_id)(k - v9_kinds));
}

/*
 * A format with one number for each stack takes one kind of trace: that of --weight, else the only
 * one. Returns false after an error message if that is not possible.
 */
static bool choose_weight(struct v9_export *x)
{
	enum v9_kind_id kind = v9_weights[x->weight].kind;
	unsigned int present = 0;

	v9_for_each_present(k, &x->r.s) {
		if (!can_take(x, k))
			continue;
		present++;
		if (!x->weighted)
			kind = (enum v9_kind_id)(k - v9_kinds);
	}
	if (!x->weighted && present > 1) {
		v9_error("%s has several kinds of trace, and --to %s holds one number for each "
			 "stack: which? --weight samples (SPE) or instructions (ETE), for example",
			 x->r.o.path, x->sink->name);
		return false;
	}
	if (!x->weighted)
		x->weight = kind == V9_KIND_ETE ? V9_W_INSTRUCTIONS : V9_W_SAMPLES;
	if (!v9_kinds[kind].absent(&x->r.s))
		return true;
	v9_error("--weight %s: %s has none; it is of %s", v9_weights[x->weight].name, x->r.o.path,
		 v9_kinds[kind].title);
	return false;
}

/*
 * A trace of instructions has each branch. Those that samples beside it have would count twice in a
 * format of branches. A shard keeps both, and may be of several captures.
 */
static bool in_the_trace(const struct v9_export *x, const struct v9_kind *k)
{
	return !x->r.shard && !x->sink->shard && x->sink->takes[V9_KIND_ETE] & V9_SINK_BRANCHES &&
	       k != &v9_kinds[V9_KIND_ETE] &&
	       !v9_kinds[V9_KIND_ETE].absent(&x->r.s);
}

static bool takes(const struct v9_export *x, const struct v9_kind *k)
{
	return can_take(x, k) && !in_the_trace(x, k) &&
	       (!x->sink->weights || k == &v9_kinds[v9_weights[x->weight].kind]);
}

/* Reports data of a kind that the format does not take, as a loss. */
static void left_out(struct v9_export *x, const struct v9_kind *k)
{
	const bool taken = can_take(x, k);
	char what[96];
	const struct v9_loss l = {
		.n = x->r.shard ? v9_shard_sums(x->r.shard, (enum v9_kind_id)(k - v9_kinds)) :
		     k->auxtrace ? x->r.s.aux[k - v9_kinds].bytes : x->r.s.nr_branches,
		.kind = k->auxtrace ? "other_kind" : "branch_stacks", .what = what,
		.meaning = !taken ? "the format does not take them" : in_the_trace(x, k) ?
			   "the trace of instructions has each branch, which counts once" :
			   "not of the kind of trace that --weight counts",
	};

	snprintf(what, sizeof(what), x->r.shard ? "sums of %s" : k->auxtrace ?
		 "bytes of a trace of %s" : "branches of the stacks of samples", k->title);
	v9_warn("--to %s leaves out %" PRIu64 " %s: %s", x->sink->name, l.n, what, l.meaning);
	if (x->sink->loss)
		x->sink->loss(x, &l);
}

/* Returns false after an error message if the capture has nothing that the format takes. */
static bool takes_any(const struct v9_export *x)
{
	const struct v9_kind *other = NULL;

	v9_for_each_present(k, &x->r.s) {
		if (can_take(x, k))
			return true;
		other = k;
	}
	if (x->r.shard)
		v9_error("--to %s: %s is a shard and has no sums of that form%s", x->sink->name,
			 x->r.o.path, other ? "" : "; it is empty");
	else
		v9_error("--to %s does not take %s, and %s holds nothing else", x->sink->name,
			 other->title, x->r.o.path);
	return false;
}

bool v9_export_feed(struct v9_report *r)
{
	struct v9_export *x = (struct v9_export *)((char *)r - offsetof(struct v9_export, r));
	bool any = false;

	if (!takes_any(x) || (x->sink->weights && !choose_weight(x)) ||
	    (!x->f && !v9_export_open(x)) ||
	    (x->sink->begin && !x->sink->begin(x))) {
		x->failed = true;
		return false;
	}
	if (r->shard && x->sink->shard)
		x->sink->shard(x, r->shard);
	v9_for_each_present(k, &r->s) {
		if (!takes(x, k))
			continue;
		x->kinds++;
		if (r->shard ? v9_shard_feed(x, k) : k->feed(x))
			any = true;
		else if (!r->refused)
			v9_kind_empty(k, &r->s, r->o.path);
	}
	if (r->shard)
		v9_shard_losses(r);
	v9_for_each_present(k, &r->s)
		if (!x->failed && !takes(x, k))
			left_out(x, k);
	if (any && !x->failed && r->o.filter.used && !r->selected) {
		v9_filter_nothing(&r->o.filter, &r->s, r->o.path);
		x->failed = true;
	}
	return any && !x->failed;
}

/* ---- the command line */

const struct v9_sink *v9_export_sink(const char *option, const char *name, bool of_object)
{
	const char *names[V9_ARRAY_SIZE(sinks)];
	char these[256];
	size_t n = 0;

	for (size_t i = 0; i < V9_ARRAY_SIZE(sinks); i++) {
		if (of_object && !sinks[i]->write)
			continue;
		names[n++] = sinks[i]->name;
		if (!strcmp(sinks[i]->name, name))
			return sinks[i];
	}
	v9_error("%s %s: %s", option, name, v9_one_of(these, sizeof(these), names, n));
	return NULL;
}

static bool find_weight(struct v9_export *x, const char *name)
{
	const char *names[V9_WEIGHTS];
	char these[256];

	for (size_t i = 0; i < V9_WEIGHTS; i++) {
		names[i] = v9_weights[i].name;
		if (strcmp(names[i], name))
			continue;
		x->weight = i;
		x->weighted = true;
		return true;
	}
	v9_error("--weight %s: %s", name, v9_one_of(these, sizeof(these), names, V9_WEIGHTS));
	return false;
}

enum { OPT_TO = V9_OPT_OWN, OPT_WEIGHT, OPT_BINARY, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "to", required_argument, NULL, OPT_TO },
	{ "output", required_argument, NULL, 'o' },
	{ "binary", required_argument, NULL, OPT_BINARY },
	{ "weight", required_argument, NULL, OPT_WEIGHT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace export --to FORMAT [-o FILE] [OPTIONS] [FILE]\n"
	       "Writes what a capture (default: " V9_DEFAULT_CAPTURE ") holds for another "
	       "program.\n"
	       "  --to FORMAT       one of these:\n");
	for (size_t i = 0; i < V9_ARRAY_SIZE(sinks); i++)
		printf("                      %-11s %s\n", sinks[i]->name, sinks[i]->help);
	printf("  -o, --output FILE write there; default: standard output\n"
	       "  --binary PROGRAM  of this program or library, in a format that is of one (bolt,\n"
	       "                    llvm, llvm-contexts, gcc); default: the one with most branches\n"
	       "  --weight W        what a stack weighs, in a format with one number for each:\n"
	       "                    of SPE records");
	for (size_t i = 0; i < V9_WEIGHTS; i++)
		printf("%s%s", i == V9_W_INSTRUCTIONS ? ";\n                    of a trace of "
		       "instructions " : i == V9_W_LLC_MISSES ? ",\n                    " :
		       i ? ", " : " ", v9_weights[i].name);
	printf("\n" V9_COMMON_HELP);
}

static int run(struct v9_export *x)
{
	int status;

	if (!x->sink) {
		v9_error("export: in which format? --to FORMAT (v9trace export --help lists them)");
		return v9_options_refuse(&x->r.o);
	}
	if (x->weighted && !(x->sink->weights >> x->weight & 1)) {
		v9_error(x->sink->weights ? "--weight %s: --to %s does not have it" :
			 "--weight %s: --to %s holds all numbers", v9_weights[x->weight].name,
			 x->sink->name);
		return v9_options_refuse(&x->r.o);
	}
	if (x->binary && (!x->sink->write || access(x->binary, R_OK))) {
		v9_error("--binary %s: %s", x->binary, x->sink->write ? strerror(errno) :
			 "only in a format that is of one object: bolt, llvm, llvm-contexts, gcc");
		return v9_options_refuse(&x->r.o);
	}
	if (!x->path && (x->sink->many || x->sink->opens ||
			 (x->sink->binary && isatty(STDOUT_FILENO)))) {
		v9_error("--to %s: -o %s", x->sink->name,
			 x->sink->many ? "DIRECTORY: it has several files" :
			 x->sink->opens ? "FILE: it is not written in one go" :
			 "FILE: it is not for a terminal");
		return v9_options_refuse(&x->r.o);
	}
	status = v9_report_run(&x->r, V9_SHOWS_TABLES, v9_export_feed);
	if (x->sink->free && x->state)
		x->sink->free(x);
	if (!v9_export_close(x))
		status = V9_EXIT_FAILED;
	return status;
}

int cmd_export(int argc, char **argv)
{
	struct v9_export x = { .r.reads_shards = true };
	int opt, status;

	v9_options_init(&x.r.o, argv, V9_TAKES_TABLES);
	x.r.o.format = &v9_export_losses;
	while ((opt = getopt_long(argc, argv, V9_COMMON_SHORT "o:", longopts, NULL)) != -1) {
		status = 0;
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return V9_EXIT_OK;
		} else if (opt == OPT_TO) {
			x.sink = v9_export_sink("--to", optarg, false);
			status = x.sink ? 0 : V9_EXIT_USAGE;
		} else if (opt == 'o') {
			x.path = strcmp(optarg, "-") ? optarg : NULL;
		} else if (opt == OPT_BINARY) {
			x.binary = optarg;
		} else if (opt == OPT_WEIGHT) {
			status = find_weight(&x, optarg) ? 0 : V9_EXIT_USAGE;
		} else {
			status = v9_options_take(&x.r.o, opt, optarg);
		}
		if (status)
			return status;
	}
	status = v9_options_file(&x.r.o, argc, argv);
	return status ? status : run(&x);
}
