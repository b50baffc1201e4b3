// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests to a recorder through its socket: which recorder is meant, what is passed on to its loop, which answers are
 * rejected. attach.c tests the sums, record_loop.c what the loop does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/ask.h"
#include "../../tools/listen.h"
#include "../../tools/util.h"

/* ---- the loop of a recorder: answers one request */

static struct v9_reply reply;
static struct v9_request got;
static size_t answered;			/* bytes of .reply that are sent */

static void *loop(void *listener)
{
	struct pollfd fd = { .fd = v9_listen_requests(listener), .events = POLLIN };

	poll(&fd, 1, 10000);
	if (read(fd.fd, &got, sizeof(got)) != sizeof(got))
		return NULL;
	if (send(got.fd, &reply, answered, MSG_NOSIGNAL) != (ssize_t)answered)
		perror("send");
	close(got.fd);
	return NULL;
}

static int ask(struct v9_socket *l, struct v9_ask *a, const char *request, struct v9_reply *to)
{
	pthread_t thread;
	int ret;

	memset(&got, 0, sizeof(got));
	pthread_create(&thread, NULL, loop, l);
	ret = v9_ask(a, request, 10, to);
	pthread_join(thread, NULL);
	return ret;
}

static void good(void)
{
	memset(&reply, 0, sizeof(reply));
	reply.form = V9_REPLY_FORM;
	reply.state = V9_STATE_WAITS;
	reply.paused_ns = 12;
	strcpy(reply.text, "who");
	answered = sizeof(reply);
}

static bool handled;

static bool answer(void *arg, struct v9_asker *r, const char *request)
{
	const struct v9_reply *of = arg;

	handled = !strcmp(request, "mine");
	return handled && v9_asker_put(r, of, sizeof(*of));
}

static int connect_to(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(to.sun_path, path);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){ .tv_sec = 10 }, sizeof(struct timeval));
	return connect(fd, (const struct sockaddr *)&to, sizeof(to)) ? -1 : fd;
}

static void requests(void)
{
	struct v9_ask a = { .proc = "/proc", .given = "out.data", .wanted = V9_RECORDER_ANY };
	struct v9_reply r;
	struct v9_socket *l = v9_listen("out.data.flight", answer, &reply);
	char *why;
	int fd;

	tap_ok(l, "listens");
	good();
	tap_eq(ask(l, &a, "pause", &r), 0, "answer");
	tap_ok(!strcmp(got.text, "pause"), "request");
	tap_ok(r.state == V9_STATE_WAITS && r.paused_ns == 12 && !strcmp(r.text, "who"), "what_was_answered");
	tap_eq(a.pid, getpid(), "pid");
	tap_ok(!strcmp(a.path, "out.data.flight"), "beside_what_it_writes");
	tap_eq(v9_ask(&a, "mine", 10, &r), 0, "answer_of_the_thread");
	tap_ok(handled, "not_passed_on");
	reply.form++;
	tap_eq(ask(l, &a, "pause", &r), -EPROTO, "other_form");
	good();
	reply.state = V9_STATE_WAITS + 1;
	tap_eq(ask(l, &a, "pause", &r), -EPROTO, "no_such_state");
	good();
	memset(reply.text, 'x', sizeof(reply.text));
	tap_eq(ask(l, &a, "pause", &r), -EPROTO, "endless_text");
	good();
	answered--;
	tap_eq(ask(l, &a, "pause", &r), -EPROTO, "cut");
	answered = 0;
	tap_eq(ask(l, &a, "pause", &r), -ECONNREFUSED, "ended_without_an_answer");
	why = v9_ask_why(&a);
	tap_ok(strstr(why, "has ended"), "ended_is_said");
	free(why);
	/* A request has at most 15 characters and ends with a newline. Anything else is refused. */
	good();
	tap_ok(!ask(l, &a, "012345678901234", &r) && !strcmp(got.text, "012345678901234"), "longest_request");
	tap_eq(v9_ask(&a, "0123456789012345", 10, &r), -ECONNREFUSED, "too_long_request");
	/* A request without a newline is refused. */
	fd = connect_to("out.data.flight");
	tap_ok(write(fd, "pau", 3) == 3 && !shutdown(fd, SHUT_WR) && !recv(fd, &r, 1, 0), "cut_request");
	tap_ok(read(v9_listen_requests(l), &got, sizeof(got)) < 0 && errno == EAGAIN, "cut_request_is_not_passed_on");
	close(fd);
	/* Those that wait when it ends get no answer. */
	fd = v9_ask_dial(&a, "pause", 10);
	usleep(300000);
	v9_listen_stop(l);
	tap_ok(fd >= 0 && !recv(fd, &r, 1, 0), "nobody_waits_for_ever");
	close(fd);
	tap_ok(access("out.data.flight", F_OK) && errno == ENOENT, "removed");
	tap_eq(v9_ask(&a, "pause", 1, &r), -ENOENT, "gone");
	v9_ask_free(&a);
}

/* A recorder that does not answer */
static void silent(void)
{
	struct v9_ask a = { .proc = "/proc", .given = "s.socket", .wanted = V9_RECORDER_SUMS };
	struct v9_socket *l = v9_listen("s.socket", NULL, NULL);
	struct v9_reply r;
	char *why;

	tap_eq(v9_ask(&a, "pause", 1, &r), -ETIMEDOUT, "no_answer");
	why = v9_ask_why(&a);
	tap_ok(strstr(why, "does not answer"), "no_answer_is_said");
	free(why);
	v9_listen_stop(l);
	v9_ask_free(&a);
}

/* A socket that cannot be: nothing else is closed. */
static void no_place(void)
{
	const int null = open("/dev/null", O_RDONLY);

	if (null > 0)
		dup2(null, 0);
	tap_ok(!v9_listen("none/s.socket", NULL, NULL), "no_directory");
	tap_ok(fcntl(0, F_GETFD) >= 0, "standard_input_stays_open");
	if (null > 0)
		close(null);
}

/* ---- which one */

static void process(const char *pid, const char *comm, const char *socket)
{
	char *here = getcwd(NULL, 0), *dir = v9_format("proc/%s/fd", pid), *to = v9_format("%s/%s", here, socket), *path;
	FILE *f;

	path = v9_format("proc/%s", pid);
	mkdir("proc", 0700);
	mkdir(path, 0700);
	free(path);
	mkdir(dir, 0700);
	path = v9_format("proc/%s/comm", pid);
	f = fopen(path, "w");
	fprintf(f, "%s\n", comm);
	fclose(f);
	free(path);
	path = v9_format("%s/3", dir);
	tap_eq(symlink(to, path), 0, "process");
	free(path);
	free(to);
	free(dir);
	free(here);
}

static int find(const char *given, unsigned int wanted, bool only, const char *where, char **why)
{
	struct v9_ask a = { .proc = "proc", .given = given, .wanted = wanted, .only = only };
	const int fd = v9_ask_dial(&a, "pause", 10);

	if (fd >= 0)
		close(fd);
	if (why)
		*why = v9_ask_why(&a);
	if (fd >= 0 && strcmp(a.path, where))
		tap_note("%s", a.path);
	if (fd >= 0)
		errno = strcmp(a.path, where) ? EBADMSG : 0;
	v9_ask_free(&a);
	return fd >= 0 ? -errno : fd;
}

static void which(void)
{
	struct v9_socket *sums = v9_listen("v9trace.socket", NULL, NULL), *flight = v9_listen("f.data.flight", NULL, NULL),
			   *other = v9_listen("o.data.control", NULL, NULL);
	char *why;

	process("7", "v9trace", "v9trace.socket");
	process("8", "v9trace", "f.data.flight");
	process("9", "v9trace", "o.data.control");
	process("10", "other", "o.data.control");
	tap_eq(find(NULL, V9_RECORDER_SUMS, true, "proc/7/fd/3", NULL), 0, "that_has_sums");
	tap_eq(find(NULL, V9_RECORDER_FLIGHT, true, "proc/8/fd/3", NULL), 0, "that_keeps_the_newest");
	tap_eq(find(NULL, V9_RECORDER_OTHER, true, "proc/9/fd/3", NULL), 0, "with_control");
	tap_eq(find(NULL, V9_RECORDER_ANY, true, "", &why), -ENOTUNIQ, "several");
	tap_ok(strstr(why, "several recorders run: give one of the PIDs ") && strstr(why, "7") && strstr(why, "8") &&
	       strstr(why, "9") && !strstr(why, "10"), "which_they_are");
	free(why);
	why = v9_ask_pids("proc", V9_RECORDER_FLIGHT);
	tap_ok(why && !strcmp(why, "8"), "pids");
	free(why);
	tap_ok(!v9_ask_pids("nowhere", V9_RECORDER_ANY), "no_pids");
	tap_eq(find("8", V9_RECORDER_ANY, true, "proc/8/fd/3", NULL), 0, "by_pid");
	tap_eq(find("8", V9_RECORDER_SUMS, true, "", &why), -ENOENT, "pid_of_another_kind");
	tap_ok(strstr(why, "PID 8 is no recorder") && strstr(why, "v9trace record --aggregate"), "which_kind_is_wanted");
	free(why);
	tap_eq(find("10", V9_RECORDER_ANY, true, "", NULL), -ENOENT, "pid_of_another_program");
	tap_eq(find("11", V9_RECORDER_ANY, true, "", NULL), -ENOENT, "pid_of_none");
	tap_eq(find("f.data", V9_RECORDER_ANY, true, "f.data.flight", NULL), 0, "by_file");
	tap_eq(find("o.data", V9_RECORDER_ANY, true, "o.data.control", NULL), 0, "by_another_file");
	tap_eq(find(".", V9_RECORDER_ANY, true, "./v9trace.socket", NULL), 0, "by_directory");
	tap_eq(find("o.data.control", V9_RECORDER_ANY, true, "o.data.control", NULL), 0, "by_socket");
	tap_eq(find("f.data", V9_RECORDER_SUMS, true, "", &why), -ENOENT, "file_of_another_kind");
	tap_ok(strstr(why, "f.data.socket: no recorder listens there"), "where_it_was_looked_for");
	free(why);
	tap_eq(find("none", V9_RECORDER_FLIGHT | V9_RECORDER_OTHER, true, "", &why), -ENOENT, "nothing_there");
	tap_ok(strstr(why, "none.flight: no recorder listens there: it is v9trace record --flight or --control socket,"),
	       "which_kinds_are_wanted");
	free(why);
	/* A file with a number as its name is a file. */
	v9_listen_stop(other);
	other = v9_listen("7.control", NULL, NULL);
	close(open("7", O_CREAT | O_WRONLY, 0600));
	tap_eq(find("7", V9_RECORDER_OTHER, true, "7.control", NULL), 0, "file_with_a_number");
	v9_listen_stop(sums);
	v9_listen_stop(flight);
	v9_listen_stop(other);
}

int main(void)
{
	char dir[] = "/tmp/v9-ask.XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 2;
	requests();
	silent();
	no_place();
	which();
	tap_remove(dir);
	return tap_done();
}
