// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util.h"

static bool asked;

bool v9_debuginfod_asked(void)
{
	return asked;
}

static bool has_servers(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && urls[strspn(urls, " ")];
}

#ifdef V9_STATIC

bool v9_debuginfod_find(const struct v9_dso *d, enum v9_debuginfod_what what, char *path, size_t size)
{
	static bool told;

	(void)d;
	(void)what;
	(void)path;
	(void)size;
	if (has_servers() && !told)
		v9_warn("DEBUGINFOD_URLS is set, but a statically linked v9trace cannot ask servers: "
			"build one for this machine (make -C tools)");
	told = told || has_servers();
	return false;
}

#else

#define LIBRARY	"libdebuginfod.so.1"

/* debuginfod_find_debuginfo(3). @path is allocated; the result is a descriptor, or -errno. */
struct client;
typedef int find_fn(struct client *c, const unsigned char *id, int id_size, char **path);
typedef int progress_fn(struct client *c, long a, long b);

static struct {
	bool tried, over;		/* over: nothing more is asked */
	struct client *client;
	find_fn *find[2];		/* enum v9_debuginfod_what */
} lib;

/* @a of @b bytes are there; 0 of 0 while a server is waited for. */
static int on_progress(struct client *c, long a, long b)
{
	char done[16];

	(void)c;
	if (a > 0 && b > 0)
		v9_progress("debuginfod: %s, %ld %%", v9_bytes(done, (uint64_t)a),
			    (long)(100.0 * (double)a / (double)b));
	else
		v9_progress("debuginfod: asking");
	return 0;
}

static void load(void)
{
	struct client *(*begin)(void);
	void (*set_progress)(struct client *c, progress_fn *fn);
	void *so = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	lib.tried = true;
	if (!so) {
		v9_warn("DEBUGINFOD_URLS is set, but " LIBRARY " is not here (Debian's package: "
			"libdebuginfod1t64)");
		return;
	}
	*(void **)&begin = dlsym(so, "debuginfod_begin");
	*(void **)&set_progress = dlsym(so, "debuginfod_set_progressfn");
	*(void **)&lib.find[V9_DEBUGINFO] = dlsym(so, "debuginfod_find_debuginfo");
	*(void **)&lib.find[V9_EXECUTABLE] = dlsym(so, "debuginfod_find_executable");
	if (begin && set_progress && lib.find[V9_DEBUGINFO] && lib.find[V9_EXECUTABLE])
		lib.client = begin();
	if (lib.client)
		set_progress(lib.client, on_progress);
	else
		v9_warn("DEBUGINFOD_URLS is set, but " LIBRARY " cannot be used here");
}

bool v9_debuginfod_find(const struct v9_dso *d, enum v9_debuginfod_what what, char *path, size_t size)
{
	char *found = NULL;
	bool ok = false;
	int fd;

	if (!has_servers() || !d->build_id_size)
		return false;
	if (!lib.tried)
		load();
	if (!lib.client || lib.over)
		return false;
	asked = true;
	fd = lib.find[what](lib.client, d->build_id, d->build_id_size, &found);
	v9_progress_end();
	if (fd >= 0) {
		ok = found && snprintf(path, size, "%s", found) < (int)size;
		close(fd);
	} else if (fd != -ENOENT) {
		v9_warn("DEBUGINFOD_URLS: %s: no more files are asked for", strerror(-fd));
		lib.over = true;
	}
	free(found);
	return ok;
}

#endif
