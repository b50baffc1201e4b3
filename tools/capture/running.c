// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf.h"
#include "kallsyms.h"

static char *read_root(const struct v9_syms *s, const char *path, size_t *len)
{
	char *whole = v9_format("%s%s", s->opts.root ? s->opts.root : "", path);
	char *text = v9_read_file(whole, len);

	free(whole);
	return text;
}

static bool same_id(const struct v9_syms *s, const struct v9_dso *d, const char *notes)
{
	uint8_t id[V9_BUILD_ID_MAX];
	unsigned int n = 0;
	size_t len;
	char *text = read_root(s, notes, &len);

	if (text)
		n = v9_elf_notes_id(text, len, id);
	free(text);
	return n && v9_dso_has_id(d, id, n);
}

/* Finds a module in the text of /proc/modules: "NAME SIZE COUNT USERS STATE ADDRESS". */
static bool find_module(const char *text, const char *name, uint64_t *addr, uint64_t *size)
{
	const size_t len = strlen(name);
	const char *line = text;

	while (line && *line) {
		unsigned long long n, at;

		if (!strncmp(line, name, len) && line[len] == ' ' &&
		    sscanf(line + len, " %llu %*s %*s %*s %llx", &n, &at) == 2) {
			*addr = at;
			*size = n;
			return true;
		}
		line = strchr(line, '\n');
		line += !!line;
	}
	return false;
}

/*
 * Sets where a module is now and how far from it it was. Since Linux 6.4 a module's code and data
 * lie apart, and /proc/modules has the address of the code: so only functions have names.
 */
static const char *move_module(const struct v9_syms *s, const struct v9_map *m, const char *name,
			       const char *modules, struct v9_ksym_move *move)
{
	char *notes = v9_format("/sys/module/%s/notes/.note.gnu.build-id", name);
	const char *why = NULL;
	uint64_t addr, size;

	if (!m->dso->build_id_size)
		why = "the capture has no build-id of this module";
	else if (!modules || !find_module(modules, name, &addr, &size))
		why = "this module is not loaded here";
	else if (!same_id(s, m->dso, notes))
		why = "the module that is loaded here has another build-id";
	else if (!addr || size > UINT64_MAX - addr)
		why = "this machine hides the addresses of its modules (kptr_restrict): be root";
	free(notes);
	if (!why)
		*move = (struct v9_ksym_move){ .start = addr, .end = addr + size,
					       .shift = m->start - addr, .functions = true };
	return why;
}

static void move_modules(struct v9_syms *s, struct v9_ksym_move **moves, size_t *nr)
{
	char *modules = read_root(s, "/proc/modules", NULL);

	for (size_t i = 0; i < s->nr_spaces; i++) {
		const struct v9_space *sp = &s->spaces[i];

		for (size_t k = 0; sp->pid == V9_KERNEL_PID && k < sp->nr_maps; k++) {
			struct v9_dso *d = sp->maps[k].dso;
			struct v9_ksym_move move;
			char *name, *owner;

			if (d == s->dsos[0])
				continue;
			name = v9_module_name(d->name);
			d->why = move_module(s, &sp->maps[k], name, modules, &move);
			if (!d->why) {
				owner = v9_format("[%s]", name);
				move.owner = v9_strtab_put(s->strtab, owner, strlen(owner));
				*v9_vec_add(*moves, *nr) = move;
				free(owner);
			}
			free(name);
		}
	}
	free(modules);
}

const char *v9_running_kallsyms(struct v9_syms *s, struct v9_blob *text)
{
	const struct v9_dso *kernel = s->dsos[0];
	struct v9_ksym_move *moves = NULL;
	size_t nr = 0, len;
	uint64_t ref = 0;
	char *all;

	if (!kernel->build_id_size)
		return "the capture has no kernel symbols (--kallsyms, --vmlinux)";
	if (!same_id(s, kernel, "/sys/kernel/notes"))
		return "the capture has no kernel symbols, and the kernel that runs here has another "
		       "build-id (--kallsyms, --vmlinux)";
	if (!s->kernel_ref)
		return "the capture does not say where its kernel was (--kallsyms)";
	all = read_root(s, "/proc/kallsyms", &len);
	if (all && v9_kallsyms_find(all, len, s->kernel_ref_name, &ref) && ref) {
		*v9_vec_add(moves, nr) = (struct v9_ksym_move){ .end = UINT64_MAX,
								.shift = s->kernel_ref - ref };
		move_modules(s, &moves, &nr);
		v9_kallsyms_move(text, all, len, moves, nr);
	}
	free(moves);
	free(all);
	if (text->len)
		return NULL;
	return "this machine runs the recorded kernel, but hides its addresses (kptr_restrict): be "
	       "root, or give a copy of /proc/kallsyms (--kallsyms)";
}
