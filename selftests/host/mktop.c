// SPDX-License-Identifier: GPL-2.0-only
/*
 * mktop CAPTURE RATE ROUNDS [ARGUMENT]...: runs v9trace top with these arguments, without rings and drivers.
 * It passes the AUX data of the capture to the decoding thread RATE times a second, ROUNDS times in all; 0:
 * until a signal. On standard error it prints "recorder:" and the arguments that v9trace record would have
 * had. If V9_SERVE=PATH is set in the environment, mktop is a recorder instead: v9trace top can attach to the socket
 * PATH. V9_PERIOD is its sampling period. A new interval begins after each V9_ROUNDS rounds. mktop is linked with
 * the objects of v9trace.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../tools/collect/profiles.h"
#include "../../tools/live/serve.h"
#include "../../tools/live/worker.h"
#include "../../tools/top/top.h"
#include "../../tools/util.h"

#include "midr_section.h"

#define MEMORY	(16u << 20)

static struct v9_session session;
static const struct v9_profiles_watch *watch;
static double rate;
static unsigned long rounds;
static bool began;

static int last(void *arg, const struct v9_live *l)
{
	(void)arg;
	if (began)
		watch->last(watch->arg, l);
	return 0;
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Side-band once, then AUX data behind what was given before. */
static void give(struct v9_worker *w, unsigned long round)
{
	static uint64_t at[64];
	const uint8_t *p = session.file.map + session.file.head.data.offset;
	const uint8_t *end = p + session.file.head.data.size;
	struct pd_event_header h;
	struct pd_auxtrace a;

	for (; p < end; p += h.size) {
		memcpy(&h, p, sizeof(h));
		if (h.type != PD_REC_AUXTRACE) {
			if (!round)
				v9_worker_record(w, p, h.size);
			continue;
		}
		memcpy(&a, p, sizeof(a));
		a.offset = at[a.cpu % 64];
		at[a.cpu % 64] += a.size;
		v9_worker_aux(w, &a, p + h.size, a.size, NULL, 0);
		p += a.size;
	}
	v9_worker_round(w, false);
}

static int record(int argc, char **argv, const struct v9_profiles_watch *w)
{
	const struct timespec tick = { rate > 1 ? 0 : 1, rate > 1 ? (long)(1e9 / rate) : 0 };
	struct v9_worker_setup setup = {
		.live = { .memory = MEMORY, .classes = !getenv("V9_SERVE"), .begin = now() }, .most = MEMORY, .write = last,
	};
	const struct v9_aux_kind spe = { .prefix = "arm_spe_" };
	char label[] = "arm_spe_0//";
	struct v9_event_spec ev = { .label = label, .aux = &spe, .attr.a.sample_period = 1024 };
	const char *serve = getenv("V9_SERVE"), *period = getenv("V9_PERIOD"), *anew = getenv("V9_ROUNDS");
	struct v9_server server = { .event = label, .target = "sh -c work", .period = 1024 };
	struct v9_socket *listener = NULL;
	struct v9_worker_total total;
	struct v9_blob known = { 0 };
	struct v9_worker *worker;
	sigset_t set;

	fputs("recorder:", stderr);
	for (int i = 1; i < argc; i++) {
		fprintf(stderr, " %s", argv[i]);
		setup.live.lines |= !strcmp(argv[i], "--mem");
	}
	fputs("\n", stderr);
	watch = w;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigdelset(&set, SIGWINCH);
	sigdelset(&set, SIGTSTP);
	midr_section(&session, &known);
	setup.live.registers = known.data;
	setup.live.registers_size = known.len;
	worker = v9_worker_start(&setup);
	if (!worker || w->begin(w->arg, worker, &ev, 1))
		return 1;
	began = true;
	server.worker = worker;
	server.paused = getenv("V9_PAUSED");
	if (serve && !(listener = v9_listen(serve, v9_serve, &server))) {
		perror(serve);
		return 1;
	}
	for (uint32_t cpu = 0; period && cpu < 2; cpu++) {
		const struct v9_live_period told = {
			.header = { .type = V9_LIVE_PERIOD, .size = sizeof(told) }, .cpu = cpu,
			.period = strtoull(period, NULL, 10),
		};

		v9_worker_tell(worker, &told, sizeof(told));
	}
	for (unsigned long i = 0; !rounds || i < rounds; i++) {
		give(worker, i);
		if (anew && i % strtoul(anew, NULL, 10) == 0)
			v9_worker_interval(worker, now());
		if (i == 3)
			v9_warn("a warning of the recorder");
		if (sigtimedwait(&set, NULL, &tick) > 0)
			break;
	}
	v9_listen_stop(listener);
	v9_worker_stop(worker, now(), &total);
	w->end(w->arg);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 4 || v9_session_open(&session, argv[1], NULL))
		return 2;
	rate = atof(argv[2]);
	rounds = strtoul(argv[3], NULL, 10);
	argv[3] = "top";
	return v9_top_run(argc - 3, argv + 3, record);
}
