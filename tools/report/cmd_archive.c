// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * v9trace archive: packs the files that a capture names, by their build-ids, so that it can be read on
 * another machine. The capture can be of any origin: a file goes into the archive only if it has the
 * recorded build-id, and under a name that leads out of no directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../commands.h"
#include "../capture/elf.h"
#include "../capture/find.h"
#include "../capture/tar.h"
#include "../util.h"
#include "options.h"

#define SUFFIX		".tar.zst"
#define NAME_MOST	1024	/* bytes of a directory's name in the archive */

struct archive {
	struct v9_options o;
	struct v9_session s;
	const char *output;
	char *own_output, *temporary;
	struct v9_tar_writer tar;
	struct v9_strtab packed;	/* build-ids that are in it */
	unsigned int files, modules;
	struct v9_missing {
		const char *name, *why;
		char *hex;
	} *missing;
	size_t nr_missing;
	bool quiet, json;
	int err;			/* of reading a file while it is packed */
};

/* Ctrl-C: the unfinished archive is removed, then the signal takes effect. */
static char *volatile unfinished;

static void on_signal(int sig)
{
	if (unfinished)
		unlink(unfinished);
	signal(sig, SIG_DFL);
	raise(sig);
}

static char *hex_of(const struct v9_dso *d)
{
	char hex[V9_BUILD_ID_TEXT];

	return v9_strdup(v9_build_id_text(hex, d->build_id, d->build_id_size));
}

static void miss(struct archive *a, const struct v9_dso *d, const char *why)
{
	*v9_vec_add(a->missing, a->nr_missing) = (struct v9_missing){ d->name, why, hex_of(d) };
}

/*
 * The name of the object's directory in the archive: that of its file, if it leads downwards only and
 * has no bytes that a terminal would obey.
 */
static const char *directory_of(const char *name)
{
	const char *p = name + strspn(name, "/");

	if (!*p || strlen(p) > NAME_MOST)
		return "[file]";
	for (const char *part = p; *part; part += strspn(part, "/")) {
		const size_t n = strcspn(part, "/");

		if (!strncmp(part, "..", n) || part[n + (part[n] == '/')] == '/')
			return "[file]";
		for (size_t i = 0; i < n; i++)
			if ((unsigned char)part[i] < ' ' || part[i] == 127)
				return "[file]";
		part += n;
	}
	return p;
}

/* The link below .build-id, as perf has it */
static void put_link(struct archive *a, const char *dir, const char *hex)
{
	char *link = v9_format(".build-id/%.2s/%s", hex, hex + 2);
	char *to = v9_format("../../%s/%s", dir, hex);

	v9_tar_link(&a->tar, link, to);
	free(link);
	free(to);
}

static void put_memory(struct archive *a, const char *dir, const char *hex, const char *file,
		       const void *p, size_t n)
{
	char *name = v9_format("%s/%s/%s", dir, hex, file);

	v9_tar_file(&a->tar, name, n, !strcmp(file, "kallsyms") ? 0600 : 0644);
	v9_tar_data(&a->tar, p, n);
	v9_tar_file_end(&a->tar, n);
	free(name);
}

/* The size of the file is in front of its content: less content than that is an error. */
static void put_file(struct archive *a, const char *dir, const char *hex, const char *file,
		     const char *path)
{
	char *name = v9_format("%s/%s/%s", dir, hex, file);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	static uint8_t part[1 << 16];
	uint64_t left;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		a->err = errno ? errno : EINVAL;
	} else {
		left = (uint64_t)st.st_size;
		v9_tar_file(&a->tar, name, left, 0644);
		while (left && !a->err && !a->tar.err) {
			const ssize_t n = read(fd, part, left < sizeof(part) ? left : sizeof(part));

			if (n <= 0) {
				a->err = n < 0 ? errno : ESTALE;
				break;
			}
			v9_tar_data(&a->tar, part, (size_t)n);
			left -= (uint64_t)n;
		}
		v9_tar_file_end(&a->tar, (uint64_t)st.st_size);
	}
	if (a->err)
		v9_error("%s: %s", path, a->err == ESTALE ? "it changes while it is read" :
							    strerror(a->err));
	if (fd >= 0)
		close(fd);
	free(name);
}

static bool has_exact_id(const struct v9_dso *d, const char *path, int *err)
{
	uint8_t id[V9_BUILD_ID_MAX];
	const int n = v9_elf_file_id(path, id);

	*err = n < 0 ? n : !n || !v9_dso_has_id(d, id, (size_t)n) ? -ESTALE : 0;
	return !*err;
}

/* Whether the file lacks symbols that a debug file may have */
static bool is_stripped(const struct v9_dso *d, const char *path)
{
	struct v9_dso probe = { .build_id_size = d->build_id_size };
	struct v9_strtab strtab = { 0 };

	memcpy(probe.build_id, d->build_id, sizeof(probe.build_id));
	v9_elf_load(&probe, path, &strtab);
	free(probe.funcs);
	v9_strtab_free(&strtab);
	return !probe.has_symtab;
}

/* The file at its name, else by its build-id. *@err: why there is none */
static bool find_code(struct archive *a, const struct v9_dso *d, char *path, size_t size, int *err)
{
	struct v9_find find = { .syms = &a->s.syms, .dso = d, .what = V9_FIND_CODE };
	const char *symfs = a->o.syms.symfs ? a->o.syms.symfs : "", *found;
	int other;

	snprintf(path, size, "%s%s", symfs, d->name);
	if (has_exact_id(d, path, err))
		return true;
	while ((found = v9_find_next(&find)))
		if (has_exact_id(d, found, &other)) {
			snprintf(path, size, "%s", found);
			return true;
		}
	return false;
}

/* Packs a file with symbols other than @code. Returns false if there is none. */
static bool put_debug(struct archive *a, const struct v9_dso *d, const char *dir, const char *hex,
		      const char *code)
{
	struct v9_find find = { .syms = &a->s.syms, .dso = d, .what = V9_FIND_SYMBOLS };
	const char *found;
	int err;

	while ((found = v9_find_next(&find)))
		if (strcmp(found, code) && has_exact_id(d, found, &err) && !is_stripped(d, found)) {
			put_file(a, dir, hex, "debug", found);
			return true;
		}
	return false;
}

static const char *why_missing(int err)
{
	return err == -ENOENT ? "no such file here" :
	       err == -ESTALE ? "the file here has another build-id" :
	       err == -ENOEXEC ? "not an ELF file" : strerror(-err);
}

static void pack_user(struct archive *a, struct v9_dso *d, const char *hex)
{
	const bool vdso = v9_is_vdso(d->name);
	const char *dir = vdso ? d->name : directory_of(d->name);
	const uint8_t *image;
	char path[8192];
	size_t size;
	int err = -ENOENT;

	image = v9_syms_image(&a->s.syms, d, &size);
	if (image) {
		put_link(a, dir, hex);
		put_memory(a, dir, hex, vdso ? "vdso" : "elf", image, size);
	} else if (find_code(a, d, path, sizeof(path), &err)) {
		put_link(a, dir, hex);
		put_file(a, dir, hex, "elf", path);
		if (is_stripped(d, path))
			put_debug(a, d, dir, hex, path);
	} else if (put_debug(a, d, dir, hex, "")) {
		put_link(a, dir, hex);
	} else {
		miss(a, d, why_missing(err));
		return;
	}
	a->files++;
}

static void pack_kernel(struct archive *a, struct v9_dso *d, const char *hex)
{
	struct v9_blob text = { 0 };
	const char *why = v9_syms_kernel_text(&a->s.syms, &text);

	if (why) {
		miss(a, d, why);
	} else {
		put_link(a, d->name, hex);
		put_memory(a, d->name, hex, "kallsyms", text.data, text.len);
		a->files++;
	}
	v9_blob_free(&text);
}

/* Mappings that are of no file */
static bool no_file(const char *name)
{
	static const char *const heads[] = { "//anon", "/dev/", "/memfd:", "/SYSV", "/anon_hugepage" };

	if (name[0] != '/')
		return !v9_is_vdso(name);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (!strncmp(name, heads[i], strlen(heads[i])))
			return true;
	return false;
}

/* A mapping without a build-id, where another one of that name has one, is the same file. */
static bool named_elsewhere(const struct archive *a, const struct v9_dso *d)
{
	for (size_t i = 0; i < a->s.syms.nr_dsos; i++)
		if (a->s.syms.dsos[i]->build_id_size && !strcmp(a->s.syms.dsos[i]->name, d->name))
			return true;
	return false;
}

static bool is_module(const struct archive *a, const struct v9_dso *d)
{
	for (size_t i = 0; i < a->s.syms.nr_spaces; i++) {
		const struct v9_space *sp = &a->s.syms.spaces[i];

		for (size_t k = 0; sp->pid == V9_KERNEL_PID && k < sp->nr_maps; k++)
			if (sp->maps[k].dso == d)
				return true;
	}
	return false;
}

static void pack(struct archive *a, size_t i)
{
	struct v9_dso *d = a->s.syms.dsos[i];
	char *hex = hex_of(d);
	size_t *seen;

	if (i && is_module(a, d)) {
		a->modules++;
	} else if (i && no_file(d->name)) {
		/* nothing to pack */
	} else if (!d->build_id_size) {
		if (i && d->name[0] == '/' && !named_elsewhere(a, d))
			miss(a, d, "the recording has no build-id of it");
	} else {
		seen = v9_strtab_value(&a->packed, hex);
		if (!*seen) {
			*seen = 1;
			if (i)
				pack_user(a, d, hex);
			else
				pack_kernel(a, d, hex);
		}
	}
	free(hex);
}

/* ------------------------------------------------------------------------------ summary */

/* Names come from the capture. */
static void print_name(const char *name)
{
	for (; *name; name++)
		fputc((unsigned char)*name < ' ' || *name == 127 ? '?' : *name, stderr);
}

static void summary_text(const struct archive *a)
{
	char before[16], after[16];

	v9_progress_end();
	if (a->nr_missing)
		fprintf(stderr, "v9trace: %zu of %zu files are missing:\n", a->nr_missing,
			a->nr_missing + a->files);
	for (size_t i = 0; i < a->nr_missing; i++) {
		fputs("  ", stderr);
		print_name(a->missing[i].name);
		fprintf(stderr, "%s%s: %s\n", *a->missing[i].hex ? " " : "", a->missing[i].hex,
			a->missing[i].why);
	}
	if (a->modules && !a->quiet)
		fprintf(stderr, "v9trace: %u kernel modules are left out: their symbols are in kallsyms\n",
			a->modules);
	if (!a->quiet)
		fprintf(stderr, "v9trace: %s: %u files, %s, packed %s\n"
			"  on another machine: v9trace report --debug-dir %s FILE\n"
			"  for perf:           tar xf %s -C ~/.debug\n", a->output, a->files,
			v9_bytes(before, a->tar.bytes), v9_bytes(after, a->tar.packed), a->output, a->output);
}

static void add_text(struct json_object *o, const char *name, const char *text)
{
	json_object_object_add(o, name, json_object_new_string(text));
}

static int summary_json(const struct archive *a)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	int n;

	add_text(o, "file", a->output);
	json_object_object_add(o, "files", json_object_new_int64(a->files));
	json_object_object_add(o, "modules", json_object_new_int64(a->modules));
	json_object_object_add(o, "bytes", json_object_new_int64((int64_t)a->tar.bytes));
	json_object_object_add(o, "packed_bytes", json_object_new_int64((int64_t)a->tar.packed));
	for (size_t i = 0; i < a->nr_missing; i++) {
		struct json_object *m = json_object_new_object();

		add_text(m, "name", a->missing[i].name);
		add_text(m, "build_id", a->missing[i].hex);
		add_text(m, "reason", a->missing[i].why);
		json_object_array_add(list, m);
	}
	json_object_object_add(o, "missing", list);
	n = printf("%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	return n < 0 || fflush(stdout) ? -EIO : 0;
}

/* ------------------------------------------------------------------------------ the file */

/* Returns a descriptor of a temporary file beside the output, or -errno after an error message. */
static int create(struct archive *a)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct stat st;
	int fd;

	if (!stat(a->output, &st) && !S_ISREG(st.st_mode)) {
		v9_error("-o %s: not an ordinary file", a->output);
		return -EINVAL;
	}
	a->temporary = v9_format("%s.XXXXXX", a->output);
	fd = mkostemp(a->temporary, O_CLOEXEC);
	if (fd < 0) {
		const int err = errno;

		v9_error("%s: %s", a->output, strerror(err));
		return -err;
	}
	unfinished = a->temporary;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		signal(ends[i], on_signal);
	signal(SIGXFSZ, SIG_IGN);	/* write() fails instead */
	return fd;
}

/* The archive gets its name when it is complete. */
static int write_archive(struct archive *a)
{
	const int fd = create(a);
	struct stat st;
	char done[16];
	int err;

	if (fd < 0)
		return fd;
	v9_tar_begin(&a->tar, fd, stat(a->o.path, &st) ? 0 : (uint64_t)st.st_mtime);
	for (size_t i = 0; i < a->s.syms.nr_dsos && !a->err && !a->tar.err; i++) {
		if (!a->quiet)
			v9_progress("%zu of %zu objects, %s", i, a->s.syms.nr_dsos,
				    v9_bytes(done, a->tar.bytes));
		pack(a, i);
	}
	err = v9_tar_end(&a->tar);
	if (close(fd) && !err)
		err = -errno;
	if (!err && !a->err && a->files && rename(a->temporary, a->output))
		err = -errno;
	if (err)
		v9_error("%s: %s: nothing was written", a->output, strerror(-err));
	if (err || a->err || !a->files)
		unlink(a->temporary);
	unfinished = NULL;
	return err ? err : -a->err;
}

static int run(struct archive *a)
{
	int status, ret;

	status = v9_capture_open(&a->s, &a->o, 0);
	if (status) {
		v9_session_close(&a->s);
		return status;
	}
	ret = write_archive(a);
	status = v9_capture_status(&a->s, a->o.path, true);
	if (ret) {
		status = V9_EXIT_FAILED;
	} else if (!a->files) {
		summary_text(&(struct archive){ .missing = a->missing, .nr_missing = a->nr_missing,
						.quiet = true });
		v9_error("%s names no file that is here: nothing was written", a->o.path);
		status = V9_EXIT_FAILED;
	} else {
		if (!a->json)
			summary_text(a);
		if ((a->json && summary_json(a)) || a->nr_missing)
			status = V9_EXIT_FAILED;
	}
	v9_session_close(&a->s);
	return status;
}

enum { OPT_QUIET = V9_OPT_OWN, OPT_HELP };

static const struct option longopts[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "symfs", required_argument, NULL, V9_OPT_SYMFS },
	{ "debug-dir", required_argument, NULL, V9_OPT_DEBUG_DIR },
	{ "json", no_argument, NULL, V9_OPT_JSON },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace archive [OPTIONS] [FILE]\n"
	       "Packs the programs, libraries and symbols that a capture names (default: "
	       V9_DEFAULT_CAPTURE "),\n"
	       "so that it can be read on another machine, by v9trace or perf.\n"
	       "  -o, --output FILE the archive (default: that of the capture with " SUFFIX ")\n"
	       "  --symfs DIR       look for the recorded files below DIR\n"
	       "  --debug-dir DIR   look for files by build-id in DIR/.build-id\n"
	       "  --json            the summary, with what is missing, as one line of JSON\n"
	       "  -q, --quiet       no progress; of the summary what is missing only\n"
	       "  -i FILE           that capture; - is standard input\n"
	       "  -h, --help        this help\n"
	       "Exit status: 0 all files are in it; 1 some are missing, or it failed; 2 usage.\n");
}

int cmd_archive(int argc, char **argv)
{
	struct archive a = { .output = NULL };
	int opt, status = 0;

	v9_options_init(&a.o, argv, V9_TAKES_TABLES);
	while (!status && (opt = getopt_long(argc, argv, "hi:o:q", longopts, NULL)) != -1) {
		if (opt == 'h') {
			usage();
			return V9_EXIT_OK;
		} else if (opt == 'o') {
			a.output = optarg;
		} else if (opt == 'q') {
			a.quiet = true;
		} else if (opt == V9_OPT_JSON) {
			a.json = true;
		} else {
			status = v9_options_take(&a.o, opt, optarg);
		}
	}
	if (!status)
		status = v9_options_file(&a.o, argc, argv);
	if (status)
		return status;
	if (!a.output && !strcmp(a.o.path, "-")) {
		v9_error("the capture has no name: give the archive one with -o");
		return V9_EXIT_USAGE;
	}
	if (!a.output)
		a.output = a.own_output = v9_format("%s" SUFFIX, a.o.path);
	status = run(&a);
	for (size_t i = 0; i < a.nr_missing; i++)
		free(a.missing[i].hex);
	free(a.missing);
	free(a.own_output);
	free(a.temporary);
	v9_strtab_free(&a.packed);
	return status;
}
