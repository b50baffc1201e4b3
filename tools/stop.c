// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "stop.h"

#include <signal.h>
#include <stddef.h>

static int stopped;		/* set in a signal handler, read by threads */
static struct sigaction before;
static bool allowed, listens;

bool v9_stopped(void)
{
	return __atomic_load_n(&stopped, __ATOMIC_RELAXED);
}

static void on_interrupt(int sig)
{
	__atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
	sigaction(sig, &before, NULL);
}

void v9_stop_allow(void)
{
	allowed = true;
}

void v9_stop_begin(void)
{
	const struct sigaction ours = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };

	if (!allowed || v9_stopped() || sigaction(SIGINT, NULL, &before) || before.sa_handler == SIG_IGN)
		return;
	listens = !sigaction(SIGINT, &ours, NULL);
}

void v9_stop_end(void)
{
	if (listens && !v9_stopped())
		sigaction(SIGINT, &before, NULL);
	listens = false;
}
