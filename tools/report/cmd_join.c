// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * v9trace join and split: the two files of a recording of SPE and ETE as one file, and that file, or one of
 * before there were two, as two files again. No file is replaced.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "../capture/apart.h"
#include "../capture/twin.h"
#include "../commands.h"
#include "../util.h"
#include "options.h"

#define PIECE	(UINT64_C(1) << 20)	/* bytes that are copied at once */
#define FILES	2

/* ------------------------------------------------- files: under another name until they are complete */

struct target {
	char *path, *temporary;
	FILE *f;
};

static char *volatile unfinished[FILES];

static void on_signal(int sig)
{
	for (int i = 0; i < FILES; i++)
		if (unfinished[i])
			unlink(unfinished[i]);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void watch_signals(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };

	for (size_t i = 0; i < V9_ARRAY_SIZE(ends); i++)
		signal(ends[i], on_signal);
	signal(SIGXFSZ, SIG_IGN);	/* fwrite() fails instead */
}

static bool exists(const char *path)
{
	if (access(path, F_OK))
		return false;
	v9_error("%s exists: give another -o", path);
	return true;
}

/* @path is freed by discard(). Returns false after an error message. */
static bool begin(struct target *t, char *path, int i)
{
	int fd;

	*t = (struct target){ .path = path, .temporary = v9_format("%s.XXXXXX", path) };
	if (exists(path))
		return false;
	fd = mkostemp(t->temporary, O_CLOEXEC);
	if (fd >= 0) {
		unfinished[i] = t->temporary;
		t->f = fdopen(fd, "w");
	}
	if (!t->f)
		v9_error("cannot write %s: %s", path, strerror(errno));
	if (fd >= 0 && !t->f)
		close(fd);
	return t->f;
}

/* Gives the file its name. Returns false after an error message. */
static bool keep(struct target *t)
{
	const bool whole = !fseek(t->f, 0, SEEK_END) && !ferror(t->f);
	const long size = ftell(t->f);
	int err = whole ? 0 : errno;
	char room[16];

	if (fclose(t->f) && !err)
		err = errno;
	t->f = NULL;
	if (!err)
		err = v9_move_new(t->temporary, t->path);
	if (err)
		v9_error("cannot write %s: %s", t->path, strerror(err));
	else
		fprintf(stderr, "v9trace: %s: %s\n", t->path, v9_bytes(room, (uint64_t)size));
	return !err;
}

static void discard(struct target *t, int i)
{
	if (t->f)
		fclose(t->f);
	if (unfinished[i])
		unlink(unfinished[i]);
	unfinished[i] = NULL;
	free(t->temporary);
	free(t->path);
}

static void copy(struct target *t, struct pd_file *f, uint64_t from, uint64_t to)
{
	while (from < to && !ferror(t->f)) {
		const uint64_t n = to - from < PIECE ? to - from : PIECE;

		fwrite(f->map + from, 1, n, t->f);
		pd_pass(f, n);
		from += n;
	}
}

/* ------------------------------------------------------------------------------ join */

/* Offset of the range of PD_TWIN in a half; 0: it has none */
static uint64_t place_of_range(const struct pd_file *f)
{
	uint64_t at = f->head.data.offset + f->head.data.size;

	if (f->unfinished || f->missing || !(f->head.features[PD_TWIN / 64] >> PD_TWIN % 64 & 1))
		return 0;
	for (unsigned int bit = 0; bit < PD_TWIN; bit++)
		at += f->head.features[bit / 64] >> bit % 64 & 1 ? sizeof(struct pd_range) : 0;
	return at < f->size && f->size - at >= sizeof(struct pd_range) ? at : 0;
}

static bool open_half(struct pd_file *f, const char *path)
{
	if (pd_open(f, path))
		v9_error("%s %s", path, f->err);
	else if (!f->half.magic)
		v9_error("%s is not one of the two files of a recording of SPE and ETE", path);
	else if (f->sections[PD_TWIN].size)
		v9_error("%s has both halves already", path);
	else
		return true;
	return false;
}

/* Opens the other half: @path, or if that is NULL where it is looked for. Returns false after an error message. */
static bool open_other(struct pd_file *other, const struct pd_file *f, const char *path_of_f, const char *path)
{
	char *why = NULL, *found;

	if (!path) {
		found = v9_twin_open(other, f, path_of_f, &why);
		if (!found)
			v9_error("%s has the %s half of a recording alone: %s", path_of_f,
				 v9_twin_unit(f->half.unit), why);
		free(found);
		free(why);
		return found;
	}
	if (!open_half(other, path))
		return false;
	if (v9_twin_fits(&f->half, &other->half))
		return true;
	v9_error("%s and %s are not of one recording", path_of_f, path);
	return false;
}

static bool write_joined(struct pd_file *outer, struct pd_file *inner, uint64_t at, const char *output)
{
	const struct pd_range range = { outer->size, inner->size };
	struct target t;
	bool done = begin(&t, v9_strdup(output), 0);

	if (done) {
		copy(&t, outer, 0, at);
		fwrite(&range, sizeof(range), 1, t.f);
		copy(&t, outer, at + sizeof(range), outer->size);
		copy(&t, inner, 0, inner->size);
		done = keep(&t);
	}
	discard(&t, 0);
	return done;
}

static int join(const char *path, const char *other, const char *output)
{
	struct pd_file f, twin = { .size = 0 }, *outer;
	bool done = open_half(&f, path) && open_other(&twin, &f, path, other);
	uint64_t at;

	if (done) {
		outer = f.half.unit == PD_AUXTRACE_CS_ETM ? &f : &twin;
		at = place_of_range(outer);
		done = at;
		if (!at)
			v9_error("the ETE half was not finished by its recorder, or was cut short: it has no place "
				 "for the other half, keep two files");
		else
			done = write_joined(outer, outer == &f ? &twin : &f, at, output);
	}
	pd_close(&twin);
	pd_close(&f);
	return done ? V9_EXIT_OK : V9_EXIT_FAILED;
}

/* ------------------------------------------------------------------------------ split */

/* Which of the two files has that unit: 0 is NAME, 1 the other one */
static int which(uint32_t unit)
{
	return unit != PD_AUXTRACE_CS_ETM;
}

/* Returns the exit status, or -1 after an error message if there are no files to keep. */
static int split_joined(struct pd_file *f, const char *path, struct target t[FILES])
{
	static const struct pd_range none;
	const struct pd_range r = f->sections[PD_TWIN];
	const uint64_t at = place_of_range(f);
	struct target *outer = &t[which(f->half.unit)], *inner = &t[!which(f->half.unit)];
	struct pd_file twin = { .size = 0 };
	const bool fits = at && r.offset >= at + sizeof(r) && !pd_open_inner(&twin, f, PD_TWIN) &&
			  v9_twin_fits(&f->half, &twin.half);

	pd_close(&twin);
	if (!fits) {
		v9_error("%s is corrupt: what was joined to it is no half of this recording", path);
		return -1;
	}
	copy(outer, f, 0, at);
	fwrite(&none, sizeof(none), 1, outer->f);
	copy(outer, f, at + sizeof(none), r.offset);
	copy(inner, f, r.offset, r.offset + r.size);
	return V9_EXIT_OK;
}

/* Takes both halves out of one data section. Returns as split_joined(). */
static int split_apart(struct pd_file *f, const char *path, struct target t[FILES])
{
	static const uint32_t units[FILES] = { PD_AUXTRACE_CS_ETM, PD_AUXTRACE_ARM_SPE };
	struct v9_session s = { .status = 0 };
	struct pd_half half = { .magic = PD_HALF_MAGIC };
	struct v9_apart apart;
	const char *why = NULL;

	v9_apart_open(&apart, f);
	if (!v9_apart_has_both(&apart))
		why = "has no data of both SPE and ETE: there is nothing to split";
	else if (f->piped)
		why = "has the layout of a pipe: record to a file";
	else if (getrandom(half.session, sizeof(half.session), 0) != sizeof(half.session))
		why = "gets no name: the kernel has no random numbers";
	for (int i = 0; !why && i < FILES; i++) {
		half.unit = units[i];
		snprintf(half.twin, sizeof(half.twin), "%s", v9_base_name(t[!i].path));
		s.status = v9_apart_write(&apart, &half, t[i].f);
	}
	v9_apart_close(&apart);
	if (why) {
		v9_error("%s %s", path, why);
		return -1;
	}
	s.file = *f;
	if (s.status)
		snprintf(s.broken, sizeof(s.broken), "%s", f->err);
	return v9_capture_status(&s, path, true);
}

static int split(const char *path, const char *output)
{
	struct target t[FILES] = { { .f = NULL } };
	struct pd_file f;
	int status = -1;

	if (pd_open(&f, path)) {
		v9_error("%s %s", path, f.err);
	} else if (f.half.magic && !f.sections[PD_TWIN].size) {
		v9_error("%s has the %s half of a recording: there is nothing to split", path,
			 v9_twin_unit(f.half.unit));
	} else if (begin(&t[0], v9_strdup(output), 0) &&
		   begin(&t[1], v9_format("%s" PD_TWIN_SUFFIX, output), 1)) {
		status = f.half.magic ? split_joined(&f, path, t) : split_apart(&f, path, t);
	}
	if (status >= 0 && !keep(&t[0])) {
		status = -1;
	} else if (status >= 0 && !keep(&t[1])) {
		unlink(t[0].path);
		status = -1;
	}
	for (int i = 0; i < FILES; i++)
		discard(&t[i], i);
	pd_close(&f);
	return status < 0 ? V9_EXIT_FAILED : status;
}

/* ------------------------------------------------------------------------- command lines */

static const struct option longopts[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

/*
 * Takes up to @most file names and -o. Returns -1, or the exit status if there is nothing more to do.
 */
static int parse(int argc, char **argv, const char *usage, int most, const char **output, const char **path)
{
	static char name[] = "v9trace";
	int opt;

	argv[0] = name;		/* the prefix of messages from getopt_long() */
	optind = 1;
	*output = NULL;
	while ((opt = getopt_long(argc, argv, "ho:", longopts, NULL)) != -1) {
		if (opt == 'h') {
			fputs(usage, stdout);
			return V9_EXIT_OK;
		}
		if (opt != 'o')
			return V9_EXIT_USAGE;
		*output = optarg;
	}
	for (int i = 0; i < most; i++)
		path[i] = optind < argc ? argv[optind++] : NULL;
	if (!path[0])
		path[0] = V9_DEFAULT_CAPTURE;
	if (optind < argc)
		v9_error("what is '%s'?", argv[optind]);
	else if (!*output || !**output)
		v9_error("-o FILE says what to write");
	else
		return -1;
	return V9_EXIT_USAGE;
}

int cmd_join(int argc, char **argv)
{
	static const char usage[] =
		"usage: v9trace join -o FILE [HALF [HALF]]\n"
		"Makes one file of the two of a recording of SPE and ETE, to hand it on; v9trace reads it, and\n"
		"perf reads the ETE half of it. HALF: one of the two (default: " V9_DEFAULT_CAPTURE
		"); the other one is\n"
		"found by its name. 'v9trace split' makes the same two files again.\n"
		"  -o, --output FILE what to write; no file is replaced\n"
		"  -h, --help        this help\n"
		"Exit status: 0; 1 it failed; 2 usage.\n";
	const char *output, *path[2];
	const int status = parse(argc, argv, usage, 2, &output, path);

	if (status >= 0)
		return status;
	watch_signals();
	return join(path[0], path[1], output);
}

int cmd_split(int argc, char **argv)
{
	static const char usage[] =
		"usage: v9trace split -o NAME [FILE]\n"
		"Takes a recording of SPE and ETE in one file apart (default: " V9_DEFAULT_CAPTURE
		"): one of 'v9trace join',\n"
		"or one of an older v9trace, which perf cannot read. perf reads each of the two files.\n"
		"  -o, --output NAME write NAME, with ETE, and NAME" PD_TWIN_SUFFIX
		"; no file is replaced\n"
		"  -h, --help        this help\n"
		"Exit status: 0; 1 it failed, or FILE was cut short; 2 usage.\n";
	const char *output, *path[1];
	const int status = parse(argc, argv, usage, 1, &output, path);

	if (status >= 0)
		return status;
	watch_signals();
	return split(path[0], output);
}
