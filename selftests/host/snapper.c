// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recorder that asks a flight recorder for its trace: the loop of that one is in this test, and answers when the test
 * wants it to.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/ask.h"
#include "../../tools/listen.h"
#include "../../tools/util.h"

/* The time, which passes only when the test says so */
static uint64_t now_ns = 1000000000000;

static uint64_t simulated_clock(clockid_t clock)
{
	(void)clock;
	return now_ns;
}

/* What was printed: the number of warnings, and what is no warning */
static int warnings;
static char said[512];

static void __attribute__((format(printf, 1, 2))) count_warning(const char *fmt, ...)
{
	(void)fmt;
	warnings++;
}

static void __attribute__((format(printf, 2, 3))) say(FILE *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
	(void)f;
}

static int thread_error;

static int simulated_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *), void *data)
{
	return thread_error ? thread_error : pthread_create(thread, attr, fn, data);
}

#define pthread_create	simulated_create
#define v9_clock_ns	simulated_clock
#define v9_warn		count_warning
#define fprintf		say
#include "../../tools/collect/snapper.c"
#undef pthread_create
#undef v9_clock_ns
#undef v9_warn
#undef fprintf

static struct v9_socket *listener;

/* Takes the request, and answers it. */
static bool answer(const char *text, bool failed)
{
	struct pollfd fd = { .fd = v9_listen_requests(listener), .events = POLLIN };
	struct v9_reply r = { .form = V9_REPLY_FORM, .failed = failed };
	struct v9_request got;
	bool whole;

	strcpy(r.text, text);
	if (poll(&fd, 1, 20000) != 1 || read(fd.fd, &got, sizeof(got)) != sizeof(got))
		return false;
	whole = send(got.fd, &r, sizeof(r), MSG_NOSIGNAL) == sizeof(r);
	close(got.fd);
	return whole && !strcmp(got.text, "now");
}

/* Looks until there is an answer. */
static bool look(struct v9_snapper *a)
{
	for (int i = 0; a->now && i < 2000; i++) {
		usleep(10000);
		v9_snapper_look(a, true);
	}
	return !a->now;
}

#define MS	UINT64_C(1000000)

/* A failure that lasts is printed once, and asked about less and less often. */
static void test_failures(void)
{
	struct v9_snapper a = { .recorder = "nobody.flight" };
	uint64_t wait = 1000 * MS;
	bool due = true, news = false;

	warnings = 0;
	tap_ok(v9_snapper_ask(&a, 1) && look(&a) && a.failed == 1 && warnings == 1, "first_failure");
	tap_ok(!v9_snapper_taken(&a), "a_failure_is_no_snapshot");
	for (int i = 0; i < 8; i++) {
		now_ns += wait - 1;
		news |= v9_snapper_ask(&a, 2);
		due &= !a.now;
		now_ns++;
		news |= v9_snapper_ask(&a, 3);
		due &= !!a.now && look(&a);
		wait = wait * 2 > 60000 * MS ? 60000 * MS : wait * 2;
	}
	tap_ok(due && wait == 60000 * MS, "twice_as_long_up_to_a_minute");
	tap_ok(!news && warnings == 1, "the_same_reason_once");
	tap_ok(a.failed == 17 && !a.missed, "all_are_counted");
	v9_snapper_end(&a, true);
	v9_snapper_free(&a);

	a = (struct v9_snapper){ .recorder = "nobody.flight" };
	thread_error = EAGAIN;
	tap_ok(!v9_snapper_ask(&a, 1) && !a.now && a.failed == 1 && warnings == 2 &&
	       !strcmp(a.reason, strerror(EAGAIN)), "no_thread");
	thread_error = 0;
	v9_snapper_free(&a);
}

int main(void)
{
	char dir[] = "/tmp/snapper.XXXXXX";
	struct v9_snapper a = { .recorder = "out.data.flight" };

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	tap_ok(v9_snapper_ask(&a, 1) && look(&a) && a.failed == 1 && !a.written, "nobody_there");
	now_ns += 1000 * MS;
	listener = v9_listen("out.data.flight", NULL, NULL);
	tap_ok(!v9_snapper_ask(&a, 2) && a.now && v9_snapper_taken(&a) == 1, "asks");
	v9_snapper_look(&a, true);
	tap_ok(a.now && !v9_snapper_ask(&a, 3) && !v9_snapper_ask(&a, 4) && a.missed == 2, "one_at_a_time");
	tap_ok(answer("/x/out.data.2026112416373489", false) && look(&a), "answered");
	tap_ok(a.written == 1 && a.failed == 1 && !strcmp(a.last, "/x/out.data.2026112416373489"), "its_name");
	tap_ok(v9_snapper_ask(&a, 5) && answer("no room\33[2J", true) && look(&a), "answered_again");
	tap_ok(a.written == 1 && a.failed == 2 && strstr(a.last, "3489") && v9_snapper_taken(&a) == 1,
	       "failed");
	now_ns += 1000 * MS;
	tap_ok(!v9_snapper_ask(&a, 6) && answer("second\33[2J", false) && look(&a) && !strcmp(a.last, "second?[2J"),
	       "no_commands_to_the_terminal");
	tap_ok(!*said, "quiet");
	/* Without -q it says where the trace is, but not of a failure. */
	now_ns += 1000 * MS;
	v9_snapper_ask(&a, 8);
	tap_ok(answer("third", false), "third");
	while (a.now) {
		usleep(10000);
		v9_snapper_look(&a, false);
	}
	tap_ok(!strcmp(said, "v9trace: trigger 8: the trace before it is in third\n"), "says_where");
	*said = 0;
	v9_snapper_ask(&a, 9);
	tap_ok(answer("no", true), "fourth");
	while (a.now) {
		usleep(10000);
		v9_snapper_look(&a, false);
	}
	tap_ok(!*said && a.written == 3 && a.failed == 3, "says_nothing_of_a_failure");
	a.written--;
	a.failed--;
	now_ns += 1000 * MS;
	/* The end does not wait. */
	v9_snapper_ask(&a, 7);
	v9_snapper_end(&a, true);
	tap_ok(!a.now && a.written == 2 && a.failed == 3, "end");
	v9_snapper_free(&a);
	tap_ok(!a.last && !a.reason, "freed");
	tap_ok(answer("third", false), "the_other_recorder_goes_on");
	test_failures();
	usleep(200000);		/* The thread frees what it has, which a sanitizer looks for. */
	v9_listen_stop(listener);
	tap_remove(dir);
	return tap_done();
}
