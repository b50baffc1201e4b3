/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The socket of a recorder, through which other programs of its user ask for its sums or tell it what to do. A thread
 * takes the connections one by one. The other program sends a line, the request. Requests that the thread does not
 * answer itself are left to the loop of the recording, which answers them by v9_control_answer().
 */
#ifndef V9TRACE_LISTEN_H
#define V9TRACE_LISTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A connection whose request waits for an answer. Who takes it closes @fd. */
struct v9_request {
	int fd;
	char text[16];			/* with a zero at the end */
};

/* Where an answer goes. It is cut short after some seconds, or if the recorder ends. */
struct v9_asker;
/* Returns false if it was cut short. */
bool v9_asker_put(struct v9_asker *r, const void *data, size_t n);

/* Called in the thread. Returns false if it has no answer to that request. */
typedef bool (*v9_answer_fn)(void *arg, struct v9_asker *r, const char *request);

struct v9_socket;

/*
 * Listens on @path, which only the user of this process and root may open. @answer (NULL: none) is called with @arg
 * until v9_listen_stop(). Returns NULL with errno set: EADDRINUSE, another recorder listens there; ENAMETOOLONG; or
 * what the system says.
 */
struct v9_socket *v9_listen(const char *path, v9_answer_fn answer, void *arg);

/* A descriptor from which each struct v9_request can be read, without blocking. NULL: -1 */
int v9_listen_requests(const struct v9_socket *l);

/* Removes the socket, and closes the connections that wait. NULL: nothing is done. */
void v9_listen_stop(struct v9_socket *l);

#endif
