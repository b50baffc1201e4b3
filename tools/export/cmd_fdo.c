// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace fdo: captures of a program in the format of a compiler or of BOLT. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../capture/twin.h"
#include "../commands.h"
#include "../report/kinds.h"
#include "object.h"

enum { OPT_FOR = V9_OPT_OWN, OPT_BINARY, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "for", required_argument, NULL, OPT_FOR },
	{ "binary", required_argument, NULL, OPT_BINARY },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace fdo --for WHICH --binary PROGRAM [-o FILE] [OPTIONS] [FILE]...\n"
	       "Writes how a program ran in all of these captures (default: " V9_DEFAULT_CAPTURE ")\n"
	       "for the compiler that optimizes it: traces of instructions, SPE records, branch stacks.\n"
	       "  --for WHICH       bolt: for perf2bolt -pa; llvm: for llvm-profgen; llvm-contexts:\n"
	       "                    the same by path of callers, of traces of instructions; gcc:\n"
	       "                    for gcc -fauto-profile\n"
	       "  --binary PROGRAM  the program or library\n"
	       "  -o, --output FILE write there; default: PROGRAM.WHICH in the current directory\n"
	       V9_COMMON_HELP);
}

/* Prints the command that comes next, with the names of the files. */
static void print_next(const struct v9_export *x)
{
	const struct { const char *word, *name; } words[] = {
		{ "FILE", x->path }, { "PROGRAM", x->binary },
	};

	fputs("next: ", stderr);
	for (const char *p = x->sink->next; *p; ) {
		size_t i = 0;

		while (i < V9_ARRAY_SIZE(words) && strncmp(p, words[i].word, strlen(words[i].word)))
			i++;
		if (i < V9_ARRAY_SIZE(words)) {
			fputs(words[i].name, stderr);
			p += strlen(words[i].word);
		} else {
			fputc(*p++, stderr);
		}
	}
	fputc('\n', stderr);
}

static int check(const struct v9_export *x)
{
	if (!x->sink)
		v9_error("fdo: for which compiler? --for bolt, llvm, llvm-contexts or gcc");
	else if (!x->binary)
		v9_error("fdo: of which program? --binary PROGRAM");
	else if (access(x->binary, R_OK))
		v9_error("--binary %s: %s", x->binary, strerror(errno));
	else
		return V9_EXIT_OK;
	return V9_EXIT_USAGE;
}

/* Returns V9_EXIT_OK, -1 after the help, or another status after an error message. */
static int parse(struct v9_export *x, int argc, char **argv)
{
	int opt, status = V9_EXIT_OK;

	memset(&x->r, 0, sizeof(x->r));
	x->r.reads_shards = true;
	v9_options_init(&x->r.o, argv, V9_TAKES_TABLES);
	x->r.o.format = &v9_export_losses;
	optind = 1;
	while (!status && (opt = getopt_long(argc, argv, V9_COMMON_SHORT "o:", longopts, NULL)) != -1) {
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return -1;
		} else if (opt == OPT_FOR) {
			x->sink = v9_export_sink("--for", optarg, true);
			status = x->sink ? V9_EXIT_OK : V9_EXIT_USAGE;
		} else if (opt == 'o') {
			x->path = optarg;
		} else if (opt == OPT_BINARY) {
			x->binary = optarg;
		} else {
			status = v9_options_take(&x->r.o, opt, optarg);
		}
	}
	return status;
}

static struct pd_half half_of(const char *path)
{
	struct pd_half half = { 0 };
	struct pd_file f;
	struct stat st;

	/* What comes through a pipe is read once. */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return half;
	if (!pd_open(&f, path))
		half = f.half;
	pd_close(&f);
	return half;
}

static bool same_directory(const char *a, const char *b)
{
	const size_t n = (size_t)(v9_base_name(a) - a);

	return n == (size_t)(v9_base_name(b) - b) && !memcmp(a, b, n);
}

/*
 * Sets half[@i], and returns the path before paths[@i] that is the other half of the same recording, or
 * NULL. With either half both are read, if they are in one directory.
 */
static const char *read_before(char *const *paths, struct pd_half *half, size_t i)
{
	half[i] = half_of(paths[i]);
	for (size_t k = 0; half[i].magic && k < i; k++)
		if (v9_twin_fits(&half[i], &half[k]) && same_directory(paths[i], paths[k]))
			return paths[k];
	return NULL;
}

/*
 * Reads the captures one after the other and adds up their branches of the program. If a capture
 * has none, the others are still read, and the status is V9_EXIT_FAILED.
 */
static int run(struct v9_export *x, int argc, char **argv)
{
	char *const standard[] = { (char *)V9_DEFAULT_CAPTURE }, *const named[] = { (char *)x->r.o.path };
	char *const *paths = x->r.o.named ? named : optind < argc ? argv + optind : standard;
	const size_t nr = paths == argv + optind ? (size_t)(argc - optind) : 1;
	const char *const path = x->path;
	struct pd_half *half = v9_alloc(nr * sizeof(*half));
	const struct v9_export_object *o;
	int status = V9_EXIT_OK;
	size_t good = 0, halves = 0;

	for (size_t i = 0; i < nr; i++) {
		const char *const before = read_before(paths, half, i);
		int one;

		if (before) {
			v9_warn("%s is the other half of %s and was read with it", paths[i], before);
			halves++;
			continue;
		}
		/* v9_report_run() has freed the options. */
		if (i) {
			parse(x, argc, argv);
			x->path = path;
		}
		x->r.o.path = paths[i];
		x->more = true;
		x->failed = false;
		x->kinds = 0;
		one = v9_report_run(&x->r, V9_SHOWS_TABLES, v9_export_feed);
		if (one || x->failed)
			status = one ? one : V9_EXIT_FAILED;
		good += x->kinds && !x->failed;
	}
	free(half);
	o = x->state;
	x->failed = !good || !o || !o->branches.used;
	if (!x->failed)
		x->sink->write(x, o);
	if (!v9_export_close(x))
		x->failed = true;
	if (!x->failed) {
		fprintf(stderr, "%s: %zu branches of %s, from %zu of %zu captures\n", x->path,
			o->branches.used, x->binary, good, nr - halves);
		print_next(x);
	}
	if (o)
		x->sink->free(x);
	return x->failed ? V9_EXIT_FAILED : status;
}

int cmd_fdo(int argc, char **argv)
{
	struct v9_export x = { .sink = NULL };
	char *path = NULL;
	int status;

	status = parse(&x, argc, argv);
	if (!status)
		status = check(&x);
	if (status)
		return status < 0 ? V9_EXIT_OK : status;
	if (!x.path)
		x.path = path = v9_format("%s.%s", v9_base_name(x.binary), x.sink->name);
	status = run(&x, argc, argv);
	free(path);
	return status;
}
