/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Asks a recorder that runs, through its socket (listen.h): for its sums, to pause or resume, for a snapshot. A unit
 * records one session at a time, so other programs of the user have to share it with that one. Both programs are of the
 * same build on the same machine, so structures are sent as they are in memory.
 */
#ifndef V9TRACE_ASK_H
#define V9TRACE_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which recorders are wanted; the ending of the name of the socket says it. */
enum v9_recorder {
	V9_RECORDER_SUMS = 1,		/* record --aggregate */
	V9_RECORDER_FLIGHT = 2,		/* record --flight */
	V9_RECORDER_OTHER = 4,		/* another one, with --control socket */
	V9_RECORDER_ANY = 7,
};

/* Returns the ending, such as ".socket"; @which is one of them. */
const char *v9_recorder_ending(enum v9_recorder which);

/* Requests, each one line: struct v9_answer of live/serve.h is the answer to the first, struct v9_reply to the others. */
#define V9_ASK_SUMS	"sums"
#define V9_ASK_PAUSE	"pause"
#define V9_ASK_RESUME	"resume"
#define V9_ASK_NOW	"now"

enum v9_recorder_state {
	V9_STATE_RECORDS,
	V9_STATE_PAUSED,
	V9_STATE_WAITS,			/* resumed, but another session has a unit: it is tried again each second */
};

#define V9_REPLY_FORM	(UINT64_C(0x3159504552000000) + sizeof(struct v9_reply))

struct v9_reply {
	uint64_t form;			/* V9_REPLY_FORM */
	uint32_t failed;		/* 1: it was not done, .text says why */
	uint32_t state;			/* enum v9_recorder_state */
	uint64_t paused_ns;		/* since it was paused; 0: it records */
	char text[4096];		/* else: the name of the snapshot; who has the unit; or nothing */
};

struct v9_ask {
	/* set by the caller */
	const char *proc;		/* "/proc" but for tests */
	const char *given;		/* a socket, the argument of record -o, or a PID; NULL: what .proc shows */
	unsigned int wanted;		/* enum v9_recorder */
	bool only;			/* several that may be meant are an error, -ENOTUNIQ */
	/* results */
	char *path;			/* the socket; NULL: none was found yet */
	int pid;			/* that answered last; 0: none did */
	int error;			/* of the last request: 0, or -errno as of v9_ask_dial() */
	char *several;			/* -ENOTUNIQ: the PIDs, as text */
};

/* Returns the PIDs of the recorders that may be asked, such as "7, 12"; NULL: there is none. The caller frees it. */
char *v9_ask_pids(const char *proc, unsigned int wanted);

/*
 * Connects to the recorder, which gets the line @request. Where none was given, it looks for one of this user or of
 * root. After an error it looks again. Answers are waited for during @patience seconds without a byte. Returns a descriptor,
 * which the caller closes; or -errno: -ENOENT no recorder was found, or nothing is at .path; -ECONNREFUSED nobody
 * listens there; -EACCES it is another user's; -ENOTUNIQ; -ETIMEDOUT it does not take the connection; or what the
 * system says.
 */
int v9_ask_dial(struct v9_ask *a, const char *request, unsigned int patience);

/* Reads @n bytes. Returns 0 or -errno; the end comes too early: -EPROTO; no byte in the time of patience: -ETIMEDOUT. */
int v9_ask_get(int fd, void *to, size_t n);

/* Asks for what has a struct v9_reply. Returns 0, or -errno as above; -EPROTO: no recorder of this version. */
int v9_ask(struct v9_ask *a, const char *request, unsigned int patience, struct v9_reply *to);

/* Returns true if the last request found no recorder; after other errors there may be an answer later. */
bool v9_ask_ended(const struct v9_ask *a);

/* Why the last request failed, as a sentence. The caller frees it. */
char *v9_ask_why(const struct v9_ask *a);

void v9_ask_free(struct v9_ask *a);

#endif
