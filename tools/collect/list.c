// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace list: the events that -e accepts on this machine */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../commands.h"
#include "../util.h"
#include "spec.h"

static const char usage[] =
	"usage: v9trace list [WORD]\n"
	"\n"
	"Prints what -e of 'v9trace record' takes on this machine: PMUs with their options,\n"
	"software and hardware events, tracepoints. With WORD only names that contain it.\n"
	"\n"
	"  -h, --help\n"
	"\n"
	"Exit status: 0; 1 if nothing matches, or on an error.\n";

struct printer {
	const char *word;
	const char *title;	/* printed before the first match */
	int shown;
};

static bool matches(const struct printer *p, const char *name)
{
	return !p->word || strstr(name, p->word);
}

static void show(struct printer *p, const char *name, const char *what)
{
	if (p->title)
		printf("%s%s\n", p->shown ? "\n" : "", p->title);
	p->title = NULL;
	p->shown++;
	printf("  %s%s%s\n", name, *what ? "  " : "", what);
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Calls @fn for each name in a directory, sorted. */
static void each(const char *path, void (*fn)(struct printer *p, const char *dir, const char *name),
		 struct printer *p)
{
	struct dirent **entry;
	int n = scandir(path, &entry, visible, alphasort);

	for (int i = 0; i < n; i++) {
		fn(p, path, entry[i]->d_name);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
}

static void show_alias(struct printer *p, const char *dir, const char *name)
{
	const char *pmu = strrchr(dir, '/');
	char *full;

	/* "x.unit" and "x.scale" are attributes of the event x */
	if (strchr(name, '.'))
		return;
	while (pmu[-1] != '/')
		pmu--;
	full = v9_format("%.*s/%s/", (int)strcspn(pmu, "/"), pmu, name);
	if (matches(p, full))
		show(p, full, "");
	free(full);
}

static void show_pmu(struct printer *p, const char *root, const char *name)
{
	struct v9_blob b = { 0 };
	struct v9_perf_pmu pmu;
	char *dir;

	if (!v9_pmu_exists(name) || v9_pmu_open(name, &pmu))
		return;
	for (int i = 0; i < pmu.fields; i++) {
		char *s = v9_format("%s%s", i ? "," : "", pmu.field[i].name);

		v9_blob_put(&b, s, strlen(s));
		free(s);
	}
	v9_blob_zero(&b, 1);
	if (pmu.fields && matches(p, name)) {
		char *full = v9_format("%s/%s/", name, (char *)b.data);

		show(p, full, v9_aux_find(name) ? "(trace)" : "");
		free(full);
	}
	dir = v9_format("%s/%s/events", root, name);
	each(dir, show_alias, p);
	free(dir);
	v9_blob_free(&b);
	v9_pmu_close(&pmu);
}

static void show_plain(struct printer *p)
{
	for (const struct v9_plain *e = v9_plain; e->name; e++) {
		/* Not checked here: hardware events need a PMU of the CPU. The kernel checks it. */
		if (matches(p, e->name) || (e->alias && matches(p, e->alias)))
			show(p, e->name, e->alias ? e->alias : "");
	}
}

static void show_tracepoint(struct printer *p, const char *dir, const char *name)
{
	char *id = v9_format("%s/%s/id", dir, name), *text = v9_read_line(id), *full;

	free(id);
	if (!text)
		return;
	free(text);
	full = v9_format("%s:%s", strrchr(dir, '/') + 1, name);
	if (matches(p, full))
		show(p, full, "");
	free(full);
}

static void show_system(struct printer *p, const char *dir, const char *name)
{
	char *path = v9_format("%s/%s", dir, name);

	each(path, show_tracepoint, p);
	free(path);
}

int cmd_list(int argc, char **argv)
{
	struct printer p = { .word = argc > 1 ? argv[1] : NULL };
	const char *tracefs = v9_tracefs_root();

	if (p.word && (!strcmp(p.word, "--help") || !strcmp(p.word, "-h"))) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc > 2 || (p.word && *p.word == '-')) {
		v9_error("list takes one WORD (v9trace list --help)");
		return V9_EXIT_USAGE;
	}
	p.title = "PMUs with their options, -e PMU/OPTION=VALUE,.../";
	each(v9_pmu_root, show_pmu, &p);
	p.title = "Events of software and CPU, -e NAME (second column: also known as)";
	show_plain(&p);
	p.title = "Tracepoints, -e SYSTEM:NAME";
	if (tracefs) {
		char *dir = v9_format("%s/events", tracefs);

		each(dir, show_system, &p);
		free(dir);
	} else if (!p.word) {
		printf("\nTracepoints: tracefs is not mounted "
		       "(mount -t tracefs nodev /sys/kernel/tracing)\n");
	}
	if (p.word && !p.shown) {
		v9_error("nothing here contains '%s'", p.word);
		return 1;
	}
	return 0;
}
