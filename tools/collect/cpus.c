// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "cpus.h"

#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../util.h"
#include "event.h"

#define PLACE	"@/devices/system/cpu/cpu"

static struct v9_cpu *find(struct v9_cpus *c, int cpu)
{
	for (int i = 0; i < c->n; i++)
		if (c->cpu[i].cpu == cpu)
			return &c->cpu[i];
	return NULL;
}

static struct v9_cpu *add(struct v9_cpus *c, int cpu, bool recorded, uint64_t now)
{
	c->cpu = v9_realloc(c->cpu, (size_t)(c->n + 1) * sizeof(*c->cpu));
	c->cpu[c->n] = (struct v9_cpu){ .cpu = cpu, .recorded = recorded, .since = now };
	return &c->cpu[c->n++];
}

void v9_cpus_begin(struct v9_cpus *c, const int *cpu, int n, uint64_t now)
{
	*c = (struct v9_cpus){ .began = now };
	for (int i = 0; i < n; i++)
		add(c, cpu[i], true, now);
}

void v9_cpus_free(struct v9_cpus *c)
{
	free(c->cpu);
	*c = (struct v9_cpus){ 0 };
}

/* CPU of a uevent "online@/devices/system/cpu/cpu12", zero-terminated; -1 for other uevents. */
static int cpu_of(const char *message, size_t size, const char *action)
{
	const size_t len = strlen(action), place = strlen(PLACE);
	int cpu = 0;

	if (size <= len + place || strncmp(message, action, len) ||
	    strncmp(message + len, PLACE, place))
		return -1;
	message += len + place;
	size -= len + place;
	for (size_t i = 0; i < size && message[i]; i++) {
		if (message[i] < '0' || message[i] > '9' || i >= 6)
			return -1;
		cpu = cpu * 10 + message[i] - '0';
	}
	return *message ? cpu : -1;
}

static enum v9_cpu_step came(struct v9_cpus *c, struct v9_cpu *it, uint64_t now, int *cpu,
			     uint64_t *missed)
{
	*cpu = it->cpu;
	*missed = now - it->since;
	it->away = false;
	it->since = now;
	if (it->recorded)
		return V9_CPU_BACK;
	*missed = now - c->began;
	return V9_CPU_NEW;
}

enum v9_cpu_step v9_cpus_message(struct v9_cpus *c, const char *message, size_t size, uint64_t now,
				 int *cpu, uint64_t *missed)
{
	struct v9_cpu *it;
	int nr;

	nr = cpu_of(message, size, "offline");
	if (nr >= 0) {
		it = find(c, nr);
		if (it && !it->away) {
			it->away = true;
			it->since = now;
		}
		return V9_CPU_NOTHING;
	}
	nr = cpu_of(message, size, "online");
	if (nr < 0)
		return V9_CPU_NOTHING;
	it = find(c, nr);
	/* Report a CPU that is not recorded only once. */
	if (it && !it->recorded)
		return V9_CPU_NOTHING;
	return came(c, it ? it : add(c, nr, false, now), now, cpu, missed);
}

enum v9_cpu_step v9_cpus_unsure(struct v9_cpus *c, const char *online, uint64_t now, int *i,
				int *cpu, uint64_t *missed)
{
	while (*i < c->n) {
		struct v9_cpu *it = &c->cpu[(*i)++];

		if (!it->recorded)
			continue;
		if (v9_ev_cpu_in(online, (unsigned long)it->cpu))
			return came(c, it, now, cpu, missed);
		it->away = true;
	}
	return V9_CPU_NOTHING;
}

int v9_cpus_socket(void)
{
	const struct sockaddr_nl from_kernel = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (const struct sockaddr *)&from_kernel, sizeof(from_kernel))) {
		close(fd);
		fd = -1;
	}
	return fd;
}
