// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"
#include "ring.h"

int set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return write_text(path, online ? "1" : "0");
}

bool module_loaded(const char *module)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", module);
	return !access(path, F_OK);
}

int module_unload(const char *module)
{
	return syscall(__NR_delete_module, module, O_NONBLOCK) ? -errno : 0;
}

int module_load(const char *module, const char *options)
{
	char path[256];
	int fd, err = 0;

	snprintf(path, sizeof(path), "%s/%s.ko", getenv("V9_MODULES"), module);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (syscall(__NR_finit_module, fd, options, 0))
		err = -errno;
	close(fd);
	return err;
}

/* modprobe reports success for built-in modules. */
int module_probe(const char *module)
{
	char command[128], name[40];
	size_t n = 0;

	snprintf(command, sizeof(command), "modprobe %s >/dev/null 2>&1", module);
	if (system(command))
		return -1;
	for (; module[n] && n < sizeof(name) - 1; n++)
		name[n] = module[n] == '-' ? '_' : module[n];
	name[n] = 0;
	return module_loaded(name) ? 0 : -1;
}

int let_sleep(int cpu, unsigned int times)
{
	char text[32];

	snprintf(text, sizeof(text), "%d %u 300", cpu, times);
	return write_text("/sys/module/v9_sleep/parameters/enter", text);
}

bool sleeps_deeply(int cpu)
{
	bool slept;

	if (getuid() || !getenv("V9_MODULES") ||
	    (!module_loaded("v9_sleep") && module_load("selftest/v9_sleep", "")))
		return false;
	slept = !let_sleep(cpu, 1);
	return !module_unload("v9_sleep") && slept;
}

/* Reads the next line of /dev/kmsg, without its prefix; NULL after the last one. */
static char *log_line(int fd, char *line, size_t size)
{
	char *text;
	ssize_t n;

	do
		n = read(fd, line, size - 1);
	while (n < 0 && errno == EPIPE);	/* some lines were overwritten */
	if (n <= 0)
		return NULL;
	line[n] = 0;
	text = strchr(line, ';');
	return text ? text + 1 : line;
}

int log_lines(int fd, const char *word)
{
	char line[8192], *text;
	int found = 0;

	while ((text = log_line(fd, line, sizeof(line)))) {
		if (!strstr(text, word))
			continue;
		fprintf(stderr, "# log: %s", text);
		found++;
	}
	return found;
}

static int debug(const char *module, char sign)
{
	int fd = open("/proc/dynamic_debug/control", O_WRONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = dprintf(fd, "module %s %cp", module, sign) < 0 ? -errno : 0;
	close(fd);
	return err;
}

int log_begins(const char *module)
{
	int err = debug(module, '+'), log = err ?: open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (log < 0)
		return err ?: -errno;
	lseek(log, 0, SEEK_END);
	return log;
}

void log_ends(int log, const char *module)
{
	if (log < 0)
		return;
	debug(module, '-');
	close(log);
}

int log_complaints(void)
{
	static const char *const bad[] = {
		"WARNING:", "BUG:", "Oops", "Call trace:", "possible recursive locking",
		"possible circular locking", "inconsistent lock state", "KASAN:", "UBSAN:",
		"sleeping function called", "rcu_sched self-detected", "soft lockup",
		"nobody cared", "unexpected IRQ trap",
	};
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC), found = 0;
	char line[8192], *text;

	if (log < 0)
		return -errno;
	while ((text = log_line(log, line, sizeof(line)))) {
		/*
		 * run_kselftest.sh writes this line when v9trace begins. The line of
		 * v9trace-disruptive, which runs after it, does not match.
		 */
		if (strstr(text, "kselftest: Running tests in v9trace\n"))
			found = 0;
		for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
			if (!strstr(text, bad[i]))
				continue;
			fprintf(stderr, "# log: %s", text);
			found++;
			break;
		}
	}
	close(log);
	return found;
}

int as_nobody(int (*what)(const struct perf_event_attr *), const struct perf_event_attr *attr)
{
	return as_nobody_at("2", what, attr);
}

int become_nobody(void)
{
	return setgroups(0, NULL) || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534) ? -errno : 0;
}

int as_nobody_at(const char *level, int (*what)(const struct perf_event_attr *),
		 const struct perf_event_attr *attr)
{
	static const char paranoid[] = "/proc/sys/kernel/perf_event_paranoid";
	char before[16];
	int status = 0;
	pid_t pid;

	if (read_text("/proc/sys/kernel", "perf_event_paranoid", before, sizeof(before)))
		return -ENODATA;
	write_text(paranoid, level);
	pid = fork();
	if (!pid) {
		if (become_nobody())
			_exit(255);
		_exit(-what(attr));
	}
	waitpid(pid, &status, 0);
	write_text(paranoid, before);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

int with_perfmon(int (*what)(const struct perf_event_attr *), const struct perf_event_attr *attr)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	int status = 0;
	pid_t pid;

	pid = fork();
	if (!pid) {
		data[1].effective = 1u << (CAP_PERFMON - 32);
		data[1].permitted = data[1].effective;
		if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setresuid(65534, 65534, 65534) ||
		    syscall(__NR_capset, &head, data))
			_exit(255);
		_exit(-what(attr));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}
