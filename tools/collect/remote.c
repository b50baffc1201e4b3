// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "remote.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../commands.h"
#include "../util.h"

static const char *const states[] = {
	[V9_STATE_RECORDS] = "records", [V9_STATE_PAUSED] = "paused", [V9_STATE_WAITS] = "waits",
};

/* Text of another program: control characters are no commands to the terminal. */
static void clean(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

static void print_json(const struct v9_remote *what, const struct v9_ask *a, const struct v9_reply *r)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "pid", json_object_new_int(a->pid));
	json_object_object_add(o, "state", json_object_new_string(states[r->state]));
	json_object_object_add(o, "paused_ns", json_object_new_int64((int64_t)r->paused_ns));
	if (*r->text)
		json_object_object_add(o, what->makes_file ? "file" : "why", json_object_new_string(r->text));
	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

static void print_text(const struct v9_remote *what, const struct v9_ask *a, const struct v9_reply *r)
{
	if (what->makes_file)
		puts(r->text);
	else if (r->state == V9_STATE_PAUSED)
		printf("PID %d is paused for %.1f s: its units are free until 'v9trace resume %d'\n", a->pid,
		       (double)r->paused_ns / 1e9, a->pid);
	else if (r->state == V9_STATE_WAITS)
		printf("PID %d tries again each second: %s\n", a->pid, r->text);
	else
		printf("PID %d records\n", a->pid);
}

/* Returns an exit status. */
static int ask(const struct v9_remote *what, struct v9_ask *a, bool json)
{
	struct v9_reply r;

	if (v9_ask(a, what->request, what->patience, &r)) {
		char *why = v9_ask_why(a);

		v9_error("%s", why);
		free(why);
		return V9_EXIT_FAILED;
	}
	clean(r.text);
	if (r.failed) {
		v9_error("PID %d: %s", a->pid, r.text);
		return V9_EXIT_FAILED;
	}
	if (json)
		print_json(what, a, &r);
	else
		print_text(what, a, &r);
	if (fflush(stdout) || ferror(stdout))
		return V9_EXIT_FAILED;
	return r.state == V9_STATE_WAITS && !what->makes_file ? V9_EXIT_WAITS : V9_EXIT_OK;
}

int v9_remote_run(const struct v9_remote *what, int argc, char **argv)
{
	struct v9_ask a = { .proc = "/proc", .wanted = what->wanted, .only = true };
	bool json = false, now = false;
	int opt, status;

	optind = 1;
	opterr = 0;
	while ((opt = getopt_long(argc, argv, "h", what->longs, NULL)) >= 0)
		switch (opt) {
		case V9_REMOTE_JSON:
			json = true;
			break;
		case V9_REMOTE_NOW:
			now = true;
			break;
		case 'h':
			fputs(what->usage, stdout);
			return V9_EXIT_OK;
		default:
			v9_error("%s: no such option (v9trace %s --help)", argv[optind - 1], argv[0]);
			return V9_EXIT_USAGE;
		}
	if (argc - optind > 1) {
		v9_error("%s: one recorder is wanted (v9trace %s --help)", argv[optind + 1], argv[0]);
		return V9_EXIT_USAGE;
	}
	if (what->makes_file && !now) {
		v9_error("when? Give --now (v9trace flight --help)");
		return V9_EXIT_USAGE;
	}
	a.given = argv[optind];
	status = ask(what, &a, json);
	v9_ask_free(&a);
	return status;
}
