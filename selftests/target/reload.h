/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by spe_module and ete_module: unloading a driver while it is in use. */
#ifndef V9_SELFTEST_RELOAD_H
#define V9_SELFTEST_RELOAD_H

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "harness.h"
#include "machine.h"
#include "ring.h"
#include "work.h"

/*
 * While a session runs the driver cannot be unloaded, nor unbound from its device. Returns with
 * the ring disabled.
 */
static inline void reload_in_vain(struct __test_metadata *_metadata, const char *module,
				  const struct perf_event_attr *attr, struct ring *ring)
{
	bool *stop = new_shared(sizeof(*stop));
	char dir[64], unbind[72];
	struct worker worker;

	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, worker_start(&worker, -1, spin_until_stop, stop));
	ASSERT_EQ(0, ring_open(ring, attr, worker.pid, -1, 1024, 0));
	ASSERT_EQ(0, ring_enable(ring));
	worker_go(&worker);
	for (int i = 0; i < 20; i++) {
		EXPECT_EQ(-EWOULDBLOCK, module_unload(module));
		EXPECT_EQ(-EWOULDBLOCK, module_unload("v9_core"));
		usleep(1000);
	}
	/* The driver has no sysfs directory and no unbind file. */
	snprintf(dir, sizeof(dir), "/sys/bus/platform/drivers/%s", module);
	snprintf(unbind, sizeof(unbind), "%s/unbind", dir);
	EXPECT_EQ(0, access(dir, F_OK));
	EXPECT_NE(0, access(unbind, F_OK));
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	ASSERT_EQ(0, ring_disable(ring));
}

struct recorder {
	struct busy busy;
	bool (*records)(void);
};

static inline void keep_recording(void *arg)
{
	struct recorder *r = arg;

	while (!r->busy.stop)
		r->busy.rounds += r->records();
}

/* Another process opens sessions all the time; each of them records or is refused. */
static inline void reload_under_load(struct __test_metadata *_metadata, const char *module,
				     bool (*records)(void))
{
	struct recorder *r = new_shared(sizeof(*r));
	struct worker worker;
	unsigned int refused = 0;

	ASSERT_NE(NULL, r);
	r->records = records;
	ASSERT_EQ(0, worker_start(&worker, -1, keep_recording, r));
	worker_go(&worker);
	for (int i = 0; i < 20; i++) {
		int err;

		wait_rounds(&r->busy, 1);
		while ((err = module_unload(module)) == -EWOULDBLOCK)
			refused++;
		ASSERT_EQ(0, err);
		ASSERT_EQ(0, module_load(module, ""));
	}
	r->busy.stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	TH_LOG("%" PRIu64 " sessions, refused %u times", r->busy.rounds, refused);
	EXPECT_TRUE(records());
}

#endif
