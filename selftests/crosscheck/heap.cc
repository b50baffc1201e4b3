// SPDX-License-Identifier: GPL-2.0-only
/*
 * heap LOG: allocates in functions make_X() and accesses the blocks of each in use_X() alone, which accesses
 * nothing else. Memory is used again by others: after free(), in a child, by a second thread. Writes a line
 * for each block: the X, address, size. The child writes to LOG.child.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIMES	20
#define ROUNDS	60

static struct { const char *who; void *at; size_t size; } logged[2000];
static int nr_logged;

static void note(const char *who, void *at, size_t size)
{
	const int i = __atomic_fetch_add(&nr_logged, 1, __ATOMIC_RELAXED);

	if (!at || i >= (int)(sizeof(logged) / sizeof(logged[0])))
		abort();
	logged[i] = { who, at, size };
}

/* extern "C": the symbols have the names of the source. */
#define MAKER(x, size, expression) \
	extern "C" __attribute__((noinline)) void *make_##x(void *old) \
	{ \
		void *p = old; \
		\
		expression; \
		note(#x, p, size); \
		return p; \
	} \
	extern "C" __attribute__((noinline)) void use_##x(void *p) \
	{ \
		volatile unsigned long *word = (volatile unsigned long *)p; \
		\
		for (int k = 0; k < ROUNDS; k++) \
			for (size_t i = 0; i < (size) / sizeof(*word); i++) \
				word[i] = word[i] + 1; \
	}

MAKER(first, 48, p = malloc(48))
MAKER(second, 40, p = malloc(40))
MAKER(zeroed, 4000, p = calloc(100, 40))
MAKER(moved, 6000, p = realloc(old, 6000))
MAKER(aligned, 512, p = aligned_alloc(256, 512))
MAKER(variable, 200, if (posix_memalign(&p, 64, 200)) abort())
MAKER(object, 128, p = new unsigned long[16])
MAKER(kept, 320, p = malloc(320))
MAKER(child, 320, p = malloc(320))
MAKER(thread, 96, p = malloc(96))
MAKER(large, 300000, p = malloc(300000))

static void *other_thread(void *arg)
{
	for (int i = 0; i < TIMES; i++) {
		void *p = make_thread(NULL);

		use_thread(p);
		free(p);
	}
	return arg;
}

static int write_log(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return 1;
	for (int i = 0; i < nr_logged; i++)
		fprintf(f, "%s %p %zu\n", logged[i].who, logged[i].at, logged[i].size);
	return fclose(f);
}

static int in_child(void *kept, const char *log)
{
	char path[256];
	void *p;

	nr_logged = 0;
	use_kept(kept);
	free(kept);
	for (int i = 0; i < TIMES; i++) {
		p = make_child(NULL);	/* most likely at the address of @kept */
		use_child(p);
		free(p);
	}
	snprintf(path, sizeof(path), "%s.child", log);
	return write_log(path);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int status = 0;
	void *p, *kept;

	if (argc < 2)
		return 2;
	kept = make_kept(NULL);
	pthread_create(&thread, NULL, other_thread, NULL);
	for (int i = 0; i < TIMES; i++) {
		p = make_first(NULL);
		use_first(p);
		free(p);
		p = make_second(NULL);
		use_second(p);
		p = make_moved(p);
		use_moved(p);
		free(p);
		p = make_zeroed(NULL);
		use_zeroed(p);
		free(p);
		p = make_aligned(NULL);
		use_aligned(p);
		free(p);
		p = make_variable(NULL);
		use_variable(p);
		free(p);
		p = make_object(NULL);
		use_object(p);
		delete[] (unsigned long *)p;
	}
	p = make_large(NULL);
	use_large(p);
	free(p);
	pthread_join(thread, NULL);
	if (!fork())
		_exit(in_child(kept, argv[1]));
	for (int i = 0; i < TIMES; i++)
		use_kept(kept);
	wait(&status);
	return status || write_log(argv[1]);
}
