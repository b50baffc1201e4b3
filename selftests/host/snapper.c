// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recorder that asks a flight recorder for its trace: the loop of that one is in this test, and answers when the test
 * wants it to.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/ask.h"
#include "../../tools/listen.h"
#include "../../tools/util.h"
#include "../../tools/collect/snapper.c"

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

int main(void)
{
	char dir[] = "/tmp/snapper.XXXXXX";
	struct v9_snapper a = { .recorder = "out.data.flight" };

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	tap_ok(v9_snapper_ask(&a, 1) && look(&a) && a.failed == 1 && !a.written, "nobody_there");
	listener = v9_listen("out.data.flight", NULL, NULL);
	tap_ok(v9_snapper_ask(&a, 2), "asks");
	v9_snapper_look(&a, true);
	tap_ok(a.now && !v9_snapper_ask(&a, 3) && !v9_snapper_ask(&a, 4) && a.missed == 2, "one_at_a_time");
	tap_ok(answer("/x/out.data.2026112416373489", false) && look(&a), "answered");
	tap_ok(a.written == 1 && a.failed == 1 && !strcmp(a.last, "/x/out.data.2026112416373489"), "its_name");
	tap_ok(v9_snapper_ask(&a, 5) && answer("no room\33[2J", true) && look(&a), "answered_again");
	tap_ok(a.written == 1 && a.failed == 2 && strstr(a.last, "3489"), "failed");
	tap_ok(v9_snapper_ask(&a, 6) && answer("second\33[2J", false) && look(&a) && !strcmp(a.last, "second?[2J"),
	       "no_commands_to_the_terminal");
	/* The end does not wait. */
	v9_snapper_ask(&a, 7);
	v9_snapper_end(&a, true);
	tap_ok(!a.now && !a.last && a.written == 2, "end");
	tap_ok(answer("third", false), "the_other_recorder_goes_on");
	usleep(200000);		/* The thread frees what it has, which a sanitizer looks for. */
	v9_listen_stop(listener);
	tap_remove(dir);
	return tap_done();
}
