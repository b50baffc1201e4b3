// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "self.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../util.h"

int v9_run_self(const char *command, const char *const *words, char *const *given, int n, int out)
{
	const char **argv;
	int k = 0, status;
	pid_t pid;

	while (words[k])
		k++;
	argv = v9_alloc((size_t)(k + n + 3) * sizeof(*argv));
	k = 0;
	argv[k++] = "v9trace";
	argv[k++] = command;
	while (*words)
		argv[k++] = *words++;
	for (int i = 0; i < n; i++)
		argv[k++] = given[i];
	pid = fork();
	if (!pid) {
		if (out >= 0) {
			dup2(out, STDOUT_FILENO);
			dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		}
		execv("/proc/self/exe", (char *const *)argv);
		_exit(127);
	}
	free(argv);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}
