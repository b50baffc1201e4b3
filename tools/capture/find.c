// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "find.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <v9trace/base.h>

#include "debuginfod.h"

enum base { DEBUG_DIR, DEBUG_LIB, CACHE };

static const struct {
	enum base base;
	const char *tail;
	unsigned int what;
} places[] = {
	{ DEBUG_DIR, ".debug", V9_FIND_SYMBOLS },
	{ DEBUG_DIR, "/debug", V9_FIND_SYMBOLS },
	{ DEBUG_DIR, "", V9_FIND_SYMBOLS | V9_FIND_CODE },
	{ DEBUG_DIR, "/elf", V9_FIND_SYMBOLS | V9_FIND_CODE },
	{ DEBUG_DIR, "/vdso", V9_FIND_SYMBOLS | V9_FIND_CODE },
	{ DEBUG_DIR, "/kallsyms", V9_FIND_KALLSYMS },
	{ DEBUG_LIB, ".debug", V9_FIND_SYMBOLS },
	{ CACHE, "/debug", V9_FIND_SYMBOLS },
	{ CACHE, "/elf", V9_FIND_SYMBOLS | V9_FIND_CODE },
	{ CACHE, "/vdso", V9_FIND_SYMBOLS | V9_FIND_CODE },
	{ CACHE, "/kallsyms", V9_FIND_KALLSYMS },
};

/* An archive has no directory in its names: "./.build-id/..." */
static bool base_dir(const struct v9_syms *s, enum base base, char *dir, size_t size)
{
	static const char *const sub[] = { "", "/usr/lib/debug", "/.debug" };
	const char *const head[] = { s->archive.nr ? "." : s->opts.debug_dir,
				     s->opts.symfs ? s->opts.symfs : "", getenv("HOME") };
	int len;

	if (!head[base])
		return false;
	len = snprintf(dir, size, "%s%s", head[base], sub[base]);
	return len >= 0 && (size_t)len < size;
}

/* Debug information first, then the file itself, of which symbols are few. */
static bool ask_servers(struct v9_find *f)
{
	static const unsigned int what[] = { V9_FIND_SYMBOLS, V9_FIND_SYMBOLS | V9_FIND_CODE };

	for (unsigned int i = f->at - 2 * V9_ARRAY_SIZE(places); i < V9_ARRAY_SIZE(what); i++) {
		f->at++;
		if (what[i] & f->what &&
		    v9_debuginfod_find(f->dso, i ? V9_EXECUTABLE : V9_DEBUGINFO, f->path,
				       sizeof(f->path)))
			return true;
	}
	return false;
}

const char *v9_find_next(struct v9_find *f)
{
	char dir[4096], name[4096];
	struct stat st;

	/* Each place twice: with the id as recorded, and without its trailing zeros. */
	while (f->at < 2 * V9_ARRAY_SIZE(places)) {
		const unsigned int p = f->at / 2;
		const bool trim = f->at++ % 2;

		if (!(places[p].what & f->what) ||
		    !base_dir(f->syms, places[p].base, dir, sizeof(dir)) ||
		    !v9_dso_id_path(f->path, sizeof(f->path), f->dso, dir, places[p].tail, trim))
			continue;
		if (places[p].base == DEBUG_DIR && f->syms->archive.nr) {
			snprintf(name, sizeof(name), "%s", f->path + 2);
			if (v9_tar_find(&f->syms->archive, name, f->path, sizeof(f->path)))
				return f->path;
		} else if (!stat(f->path, &st) && S_ISREG(st.st_mode)) {
			return f->path;
		}
	}
	return ask_servers(f) ? f->path : NULL;
}
