// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../util.h"

const char *v9_twin_unit(uint32_t unit)
{
	return unit == PD_AUXTRACE_CS_ETM ? "ETE" : "SPE";
}

bool v9_twin_fits(const struct pd_half *a, const struct pd_half *b)
{
	return a->magic == PD_HALF_MAGIC && b->magic == PD_HALF_MAGIC && a->unit != b->unit &&
	       !memcmp(a->session, b->session, sizeof(a->session));
}

/* The recorded name, in the directory of @path. The caller frees it. */
static char *name_as_recorded(const struct pd_half *half, const char *path)
{
	return v9_format("%.*s%s", (int)(v9_base_name(path) - path), path, v9_base_name(half->twin));
}

/* The name of the other file if both were renamed. The caller frees it. */
static char *name_by_rule(const struct pd_half *half, const char *path)
{
	const size_t n = strlen(path), suffix = strlen(PD_TWIN_SUFFIX);

	if (half->unit == PD_AUXTRACE_CS_ETM)
		return v9_format("%s" PD_TWIN_SUFFIX, path);
	if (n > suffix && !strcmp(path + n - suffix, PD_TWIN_SUFFIX))
		return v9_format("%.*s", (int)(n - suffix), path);
	return name_as_recorded(half, path);
}

/* Opens what was joined to @f. Returns NULL, or why it cannot be read. */
static char *open_joined(struct pd_file *twin, const struct pd_file *f)
{
	if (pd_open_inner(twin, f, PD_TWIN))
		return v9_format("what was joined to it %s", twin->err);
	return v9_twin_fits(&twin->half, &f->half) ? NULL :
	       v9_strdup("what was joined to it is of another recording");
}

/* Opens the file @path. Returns NULL, or why it cannot be read. */
static char *open_beside(struct pd_file *twin, const struct pd_file *f, const char *path)
{
	struct stat st;
	char *why;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return v9_format("%s is not here", path);
	if (pd_open(twin, path))
		why = v9_format("%s %s", path, twin->err);
	else if (v9_twin_fits(&twin->half, &f->half))
		return NULL;
	else
		why = v9_format("%s is of another recording", path);
	pd_close(twin);
	return why;
}

char *v9_twin_open(struct pd_file *twin, const struct pd_file *f, const char *path, char **why)
{
	char *name, *recorded, *too;

	memset(twin, 0, sizeof(*twin));
	if (f->sections[PD_TWIN].size) {
		*why = open_joined(twin, f);
		return *why ? NULL : v9_strdup(path);
	}
	if (!strcmp(path, "-")) {
		*why = v9_strdup("the other half is not on standard input");
		return NULL;
	}
	name = name_by_rule(&f->half, path);
	*why = open_beside(twin, f, name);
	if (!*why)
		return name;
	recorded = name_as_recorded(&f->half, path);
	too = open_beside(twin, f, recorded);
	free(name);
	if (!too) {
		free(*why);
		*why = NULL;
		return recorded;
	}
	free(too);
	free(recorded);
	return NULL;
}
