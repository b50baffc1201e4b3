// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace doctor: which units of this machine can be used, and why not */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../commands.h"
#include "../report/json.h"
#include "../util.h"
#include "checks.h"

static const char usage[] =
	"usage: v9trace doctor [OPTION]... [UNIT]...\n"
	"\n"
	"Says of each unit, or of those named (spe, ete, brbe), whether it can be used here, why not,\n"
	"and what to do. As root it sees more.\n"
	"\n"
	"  --json              one object per line: a unit, then each of its causes\n"
	"  --record DIR        also copy what was looked at to the new directory DIR\n"
	"  --root DIR          look at such a copy, not at this machine\n"
	"  -h, --help\n"
	"\n"
	"Exit status: 0 if each unit that is named works, without a name if SPE or ETE works;\n"
	"1 if not; 3 if it cannot be seen; 2 for a wrong command line.\n";

/* Width of the lines of text */
#define WIDTH	90

static const char *const status_word[] = {
	[V9_DOC_WORKS] = "works",
	[V9_DOC_FAILS] = "does not work",
	[V9_DOC_UNSEEN] = "cannot be seen",
};
static const char *const status_id[] = {
	[V9_DOC_WORKS] = "works",
	[V9_DOC_FAILS] = "fails",
	[V9_DOC_UNSEEN] = "unseen",
};
static const char *const effect_id[] = {
	[V9_DOC_BLOCKS] = "blocks",
	[V9_DOC_HIDES] = "hides",
	[V9_DOC_LIMITS] = "limits",
};

/* Print words after a label, indented, in lines of at most WIDTH. */
static void print_words(const char *label, const char *text)
{
	size_t column = 8;

	printf("  %-6s", label);
	while (*text) {
		const size_t n = strcspn(text, " ");

		if (column + n > WIDTH && column > 8) {
			printf("\n        ");
			column = 8;
		}
		for (size_t i = 0; i < n; i++)
			putchar((unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
		column += n + 1;
		text += n;
		if (*text == ' ') {
			text++;
			if (*text && column + strcspn(text, " ") <= WIDTH)
				putchar(' ');
		}
	}
	putchar('\n');
}

static void print_text(const struct v9_doc_facts *f, enum v9_doc_unit unit,
		       const struct v9_doc_result *r)
{
	const struct v9_doc_facts_unit *u = &f->unit[unit];

	printf("%-13s %s", v9_doc_unit_name[unit], status_word[r->status]);
	if (u->pmu)
		printf(": PMU %s, driver %s", u->pmu, u->driver);
	putchar('\n');
	for (unsigned int i = 0; i < r->n; i++) {
		print_words(r->cause[i].effect == V9_DOC_LIMITS ? "but" : i ? "also" : "why",
			    r->cause[i].why);
		print_words("do", r->cause[i].todo);
		if (r->cause[i].in_use) {
			char *who = v9_holders_text(&f->holders, f->root);

			print_words("who", who);
			free(who);
		}
	}
}

static void print_json_holders(struct v9_json *j, const struct v9_holders *h)
{
	v9_json_open(j, "holders");
	for (unsigned int i = 0; i < h->n; i++) {
		v9_json_element(j);
		v9_json_number(j, "pid", (uint64_t)h->of[i].pid);
		v9_json_text(j, "name", h->of[i].name);
		v9_json_number(j, "events", h->of[i].events);
		v9_json_object_end(j);
	}
	v9_json_close(j);
	v9_json_number(j, "more_holders", h->more);
	v9_json_number(j, "unread_processes", h->unread);
}

static void print_json(const struct v9_doc_facts *f, enum v9_doc_unit unit,
		       const struct v9_doc_result *r)
{
	const struct v9_doc_facts_unit *u = &f->unit[unit];
	struct v9_put put;
	struct v9_json j = { .put = &put };

	v9_put_begin(&put, stdout);
	v9_json_begin(&j);
	v9_json_text(&j, "unit", v9_doc_unit_id[unit]);
	v9_json_text(&j, "status", status_id[r->status]);
	if (u->pmu) {
		v9_json_text(&j, "pmu", u->pmu);
		v9_json_text(&j, "driver", u->driver);
	}
	v9_json_end(&j);
	for (unsigned int i = 0; i < r->n; i++) {
		v9_json_begin(&j);
		v9_json_text(&j, "unit", v9_doc_unit_id[unit]);
		v9_json_text(&j, "cause", r->cause[i].id);
		v9_json_text(&j, "effect", effect_id[r->cause[i].effect]);
		v9_json_text(&j, "why", r->cause[i].why);
		v9_json_text(&j, "do", r->cause[i].todo);
		if (r->cause[i].in_use)
			print_json_holders(&j, &f->holders);
		v9_json_end(&j);
	}
	v9_put_flush(&put);
}

/* The machine, in one line */
static void print_machine(const struct v9_doc_facts *f)
{
	printf("Linux %s, %s%s%s, %u CPUs%s%s%s\n\n", f->release ? f->release : "?",
	       f->machine ? f->machine : "?", f->core ? ", " : "", f->core ? f->core : "", f->cpus,
	       f->acpi ? ", ACPI" : "", f->secure_boot ? ", Secure Boot" : "",
	       f->vm ? ", a virtual machine" : "");
}

static int status_of(const enum v9_doc_status *status, unsigned int wanted)
{
	const bool named = wanted;
	bool any = false, all = true, unseen = false;

	for (int u = 0; u < V9_DOC_UNITS; u++) {
		if (named ? !(wanted >> u & 1) : u == V9_DOC_BRBE)
			continue;
		any |= status[u] == V9_DOC_WORKS;
		all &= status[u] == V9_DOC_WORKS;
		unseen |= status[u] == V9_DOC_UNSEEN;
	}
	return (named ? all : any) ? V9_EXIT_OK : unseen ? V9_EXIT_UNSEEN : V9_EXIT_FAILED;
}

static int diagnose(struct v9_doc_source *s, unsigned int wanted, bool json)
{
	enum v9_doc_status status[V9_DOC_UNITS];
	struct v9_doc_facts f;
	int exit_status;

	v9_doc_read(s, &f);
	if (!json)
		print_machine(&f);
	for (int u = 0; u < V9_DOC_UNITS; u++) {
		struct v9_doc_result r;

		v9_doc_check(&f, u, &r);
		status[u] = r.status;
		if (!wanted || wanted >> u & 1)
			(json ? print_json : print_text)(&f, u, &r);
		v9_doc_result_free(&r);
	}
	v9_doc_free(&f);
	exit_status = status_of(status, wanted);
	if (v9_source_close(s) || fflush(stdout) || ferror(stdout))
		return V9_EXIT_FAILED;
	return exit_status;
}

static bool take_unit(const char *arg, unsigned int *wanted)
{
	for (int u = 0; u < V9_DOC_UNITS; u++) {
		if (!strcmp(arg, v9_doc_unit_id[u])) {
			*wanted |= 1u << u;
			return true;
		}
	}
	v9_error("'%s' is no unit: spe, ete or brbe", arg);
	return false;
}

/* A tree is recorded into a new directory, so that nothing of another machine stays in it. */
static bool open_places(struct v9_doc_source *s)
{
	bool recorded;
	char *path;

	if (s->record && mkdir(s->record, 0777)) {
		v9_error("%s: %s", s->record, errno == EEXIST ?
			 "it exists; --record wants a new directory" : strerror(errno));
		return false;
	}
	if (!s->root)
		return true;
	path = v9_format("%s/pseudo", s->root);
	recorded = !access(path, F_OK);
	free(path);
	if (!recorded) {
		v9_error("%s is no tree that 'v9trace doctor --record' has made", s->root);
		return false;
	}
	path = v9_format("%s/denied", s->root);
	s->denied = v9_read_file(path, NULL);
	free(path);
	return true;
}

int cmd_doctor(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "record", required_argument, NULL, 'r' },
		{ "root", required_argument, NULL, 'R' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	static char self[] = "v9trace";
	struct v9_doc_source s = { 0 };
	unsigned int wanted = 0;
	bool json = false;
	int opt;

	argv[0] = self;		/* prefix of getopt's messages, as of those of v9_error() */
	while ((opt = getopt_long(argc, argv, "h", longs, NULL)) >= 0) {
		switch (opt) {
		case 'j':
			json = true;
			break;
		case 'r':
			s.record = optarg;
			break;
		case 'R':
			s.root = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return V9_EXIT_OK;
		default:		/* getopt has printed an error */
			return V9_EXIT_USAGE;
		}
	}
	for (int i = optind; i < argc; i++)
		if (!take_unit(argv[i], &wanted))
			return V9_EXIT_USAGE;
	if (s.record && s.root) {
		v9_error("--record copies from this machine; --root looks at a copy");
		return V9_EXIT_USAGE;
	}
	if (!open_places(&s))
		return V9_EXIT_FAILED;
	return diagnose(&s, wanted, json);
}
