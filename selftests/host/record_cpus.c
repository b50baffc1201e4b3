// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that go offline while they are recorded: messages of the kernel, by which a CPU is away or comes back, and for
 * how long; what is asked when messages were lost. record_loop.c tests what the loop does then.
 */
#include "tap.h"

#include <fcntl.h>
#include <sys/socket.h>

#include "descriptors.h"

static bool no_bind;

static int bind_or_not(int fd, const struct sockaddr *to, socklen_t n)
{
	return no_bind ? -1 : bind(fd, to, n);
}

#define bind(fd, to, n) bind_or_not(fd, to, n)
#include "../../tools/collect/event.c"
#include "../../tools/collect/cpus.c"
#undef bind

/* A message of the kernel has zeros between its words. Its place begins behind the action. */
#define AT(action, number)	action "@/devices/system/cpu/cpu" number

static struct v9_cpus c;

/* CPU:recorded, away, time of the last change */
static void are(const char *name, const char *want)
{
	char got[256] = "";
	size_t n = 0;

	for (int i = 0; i < c.n; i++)
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%d:%s%s%llu ", c.cpu[i].cpu,
				      c.cpu[i].recorded ? "r" : "", c.cpu[i].away ? "a" : "",
				      (unsigned long long)c.cpu[i].since);
	if (!tap_ok(!strcmp(got, want), "%s", name))
		printf("# got  %s\n# want %s\n", got, want);
}

static void step(const char *name, const char *message, size_t size, uint64_t now, enum v9_cpu_step want, int cpu,
		 uint64_t missed)
{
	int got_cpu = -7;
	uint64_t got_missed = 77;

	tap_eq(v9_cpus_message(&c, message, size, now, &got_cpu, &got_missed), want, "%s", name);
	tap_ok(got_cpu == cpu && got_missed == missed, "%s_cpu", name);
}

#define MESSAGE(name, text, ...)	step(name, text, sizeof(text), __VA_ARGS__)
#define NOTHING				V9_CPU_NOTHING, -7, 77

static void messages(void)
{
	static const int recorded[] = { 0, 1, 12 };

	v9_cpus_begin(&c, recorded, 3, 100);
	tap_eq(c.began, 100, "began");
	are("begin", "0:r100 1:r100 12:r100 ");
	MESSAGE("other_place", "online@/devices/system/node/node1", 110, NOTHING);
	MESSAGE("other_action", AT("remove", "1"), 110, NOTHING);
	MESSAGE("no_number", AT("online", ""), 110, NOTHING);
	MESSAGE("no_digit", AT("online", "1x"), 110, NOTHING);
	MESSAGE("below_0", AT("online", "/"), 110, NOTHING);
	MESSAGE("above_9", AT("online", ":"), 110, NOTHING);
	MESSAGE("seven_digits", AT("online", "1000000"), 110, NOTHING);
	step("cut_before_the_number", AT("online", "1"), sizeof(AT("online", "")) - 1, 110, NOTHING);
	are("nothing", "0:r100 1:r100 12:r100 ");
	MESSAGE("offline", AT("offline", "12"), 120, NOTHING);
	MESSAGE("offline_twice", AT("offline", "12"), 130, NOTHING);
	MESSAGE("offline_0", AT("offline", "0\0ACTION=offline"), 125, NOTHING);
	MESSAGE("offline_unknown", AT("offline", "5"), 126, NOTHING);
	are("offline", "0:ra125 1:r100 12:ra120 ");
	MESSAGE("online", AT("online", "12\0ACTION=online"), 150, V9_CPU_BACK, 12, 30);
	MESSAGE("online_0", AT("online", "0"), 151, V9_CPU_BACK, 0, 26);
	are("online", "0:r151 1:r100 12:r150 ");
	/* The whole message is the number: its zero is not counted. */
	step("no_zero", AT("online", "12"), sizeof(AT("online", "1")) - 1, 160, V9_CPU_BACK, 1, 60);
	/* One that was not there at the start is told once. */
	MESSAGE("new", AT("online", "999999"), 170, V9_CPU_NEW, 999999, 70);
	MESSAGE("new_twice", AT("online", "999999"), 180, NOTHING);
	MESSAGE("new_is_away", AT("offline", "999999"), 190, NOTHING);
	are("all", "0:r151 1:r160 12:r150 999999:a190 ");
}

/* Each of those that are online may have been away since the last change. */
static void unsure(void)
{
	static const char online[] = "0,3,12\n";
	int i = 0, cpu = -7;
	uint64_t missed = 77;

	MESSAGE("one_more", AT("online", "3"), 195, V9_CPU_NEW, 3, 95);
	tap_eq(v9_cpus_unsure(&c, online, 200, &i, &cpu, &missed), V9_CPU_BACK, "first");
	tap_ok(cpu == 0 && missed == 49, "first");
	tap_eq(v9_cpus_unsure(&c, online, 200, &i, &cpu, &missed), V9_CPU_BACK, "second");
	tap_ok(cpu == 12 && missed == 50, "second");
	tap_eq(v9_cpus_unsure(&c, online, 200, &i, &cpu, &missed), V9_CPU_NOTHING, "no_more");
	tap_eq(i, 5, "each_is_looked_at");
	are("unsure", "0:r200 1:ra160 12:r200 999999:a190 3:195 ");
	v9_cpus_free(&c);
	tap_ok(!c.cpu && !c.n && !c.began, "free");
}

/* Messages of the kernel itself are those of group 1. */
static void messages_of_the_kernel(void)
{
	const int before = descriptors(), fd = v9_cpus_socket();
	struct sockaddr_nl at = { .nl_groups = 0 };
	socklen_t n = sizeof(at), size = sizeof(int);
	int type = 0, protocol = 0;

	if (fd < 0) {
		tap_skip("no messages of the kernel here", "socket");
	} else {
		tap_ok(!getsockname(fd, (struct sockaddr *)&at, &n) && at.nl_groups == 1, "group");
		tap_ok(!getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) && type == SOCK_DGRAM, "type");
		tap_ok(!getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) &&
		       protocol == NETLINK_KOBJECT_UEVENT, "protocol");
		tap_ok(fcntl(fd, F_GETFD) & FD_CLOEXEC && fcntl(fd, F_GETFL) & O_NONBLOCK, "flags");
		close(fd);
	}
	no_bind = true;
	tap_eq(v9_cpus_socket(), -1, "no_socket");
	tap_eq(descriptors(), before, "which_is_closed");
}

int main(void)
{
	messages_of_the_kernel();
	messages();
	unsure();
	return tap_done();
}
