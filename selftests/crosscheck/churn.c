// SPDX-License-Identifier: GPL-2.0-only
/*
 * churn LIBRARY...: maps and unmaps code until it is killed. Each turn does three things:
 * - it opens one of the libraries, calls its function run(), and closes it;
 * - it generates a function at an address that it has not used before, and calls it;
 * - it starts "churn exec", which ends at once.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE	4096
#define TIMES	2000	/* that a generated function is called */

/* ADD X0, X0, #n % 4096; RET */
static uint64_t generated(unsigned int n)
{
	const uint32_t code[] = { 0x91000000 | (n & 0xfff) << 10, 0xd65f03c0 };
	/* A hint: the address stays free, as nothing else is so far down. */
	void *const at = (void *)(UINT64_C(0x100000000) + (uint64_t)(n % 65536) * PAGE);
	uint32_t *p = mmap(at, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t sum = 0;

	if (p == MAP_FAILED)
		return 0;
	memcpy(p, code, sizeof(code));
	__builtin___clear_cache((char *)p, (char *)p + sizeof(code));
	if (!mprotect(p, PAGE, PROT_READ | PROT_EXEC))
		for (int i = 0; i < TIMES; i++)
			sum = ((uint64_t (*)(uint64_t))(uintptr_t)p)(sum);
	munmap(p, PAGE);
	return sum;
}

static uint64_t loaded(const char *name)
{
	void *library = dlopen(name, RTLD_NOW);
	uint64_t (*run)(void) = library ? (uint64_t (*)(void))(uintptr_t)dlsym(library, "run") : NULL;
	const uint64_t sum = run ? run() : 0;

	if (!run)
		fprintf(stderr, "churn: %s\n", dlerror());
	if (library)
		dlclose(library);
	return sum;
}

static void started(void)
{
	const pid_t pid = fork();

	if (!pid) {
		execl("/proc/self/exe", "churn", "exec", NULL);
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	volatile uint64_t sum = 0;

	if (argc == 2 && !strcmp(argv[1], "exec"))
		return 0;
	for (unsigned int n = 0; argc > 1; n++) {
		sum += loaded(argv[1 + n % (unsigned int)(argc - 1)]);
		sum += generated(n);
		started();
		usleep(50000);
	}
	return 2;
}
