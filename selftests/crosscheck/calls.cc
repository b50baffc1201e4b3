// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls, and ways to leave functions without a return: exceptions of C++, longjmp, coroutines of
 * C++ and of swapcontext(), signal handlers, threads, tail calls, recursion. Compiled with
 * -finstrument-functions: the hooks write down each entry with its callers. For each stack of the
 * program they keep a list of the functions that were entered and not left.
 *
 *	calls FILE [ROUNDS]	FILE: a line per entry: addresses of functions, outermost first
 */
#include <coroutine>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

#define PLAIN	__attribute__((no_instrument_function))

/* ---- the log */

struct shadow {
	void *fn[200];
	int n;
};

static thread_local shadow own, *here;

struct entry {
	int n;
	void *fn[1];
};

static char *log_at, *log_end;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static const size_t log_size = 64 << 20;

extern "C" {

PLAIN void __cyg_profile_func_enter(void *fn, void *)
{
	if (!here)
		here = &own;
	if (!log_at || here->n == 200)
		abort();
	here->fn[here->n++] = fn;
	pthread_mutex_lock(&log_lock);
	if (log_at + (here->n + 1) * 8 > log_end)
		abort();
	*(int64_t *)log_at = here->n;
	memcpy(log_at + 8, here->fn, here->n * 8);
	log_at += (here->n + 1) * 8;
	pthread_mutex_unlock(&log_lock);
}

PLAIN void __cyg_profile_func_exit(void *fn, void *)
{
	if (!here->n || here->fn[here->n - 1] != fn)
		abort();
	here->n--;
}

PLAIN static int depth()
{
	return here->n;
}

PLAIN static void cut(int n)
{
	here->n = n;
}

/* ---- calls, tail calls, recursion */

static volatile unsigned long sum;

unsigned long add(unsigned long x) { return x + sum; }
unsigned long twice(unsigned long x) { return add(x) * 2; }
unsigned long (*const volatile table[])(unsigned long) = { add, twice };

/* Not instrumented, so that it may jump to the last function. */
PLAIN __attribute__((noinline)) unsigned long tail(unsigned long x) { return twice(x + 1); }
PLAIN __attribute__((noinline)) unsigned long tail_indirect(unsigned long x)
{
	return table[x & 1](x);
}

unsigned long deep(unsigned int n)
{
	return n ? deep(n - 1) + add(n) : tail(n);
}

int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

void plain()
{
	int v[] = { 5, 3, 9, 1 };

	sum += twice(1) + tail(2) + tail_indirect(3) + tail_indirect(4) + deep(12);
	qsort(v, 4, sizeof(v[0]), by_value);
}

/* ---- exceptions */

struct guard {
	PLAIN guard() { }
	~guard() { sum += add(7); }
};

void thrower(int n)
{
	guard g;

	if (n & 1)
		throw n;
	throw "text";
}

void between(int n)
{
	guard g;

	thrower(n);
}

void rethrows(int n)
{
	try {
		between(n);
	} catch (int x) {
		sum += add(x);
		throw;
	}
}

void catches(int n)
{
	try {
		rethrows(n);
	} catch (int x) {
		sum += twice(x);
	} catch (const char *) {
		sum += add(1);
	}
	sum += add(2);
}

/* The landing pads of one function, on several levels, up to the one that catches. */
void levels(int n)
{
	guard g;

	if (!n)
		throw 1;
	levels(n - 1);
}

void catches_levels()
{
	try {
		levels(5);
	} catch (int) {
		sum += add(3);
	}
	sum += add(4);
}

/* ---- longjmp */

static jmp_buf place;

void jumps(int n)
{
	sum += add(n);
	if (n)
		jumps(n - 1);
	if (!sum || !n)
		longjmp(place, 1);
}

void sets()
{
	const int n = depth();

	if (!setjmp(place)) {
		jumps(3);
	} else {
		cut(n);
		sum += twice(5);
	}
	sum += add(6);
}

/* ---- signals */

static sigjmp_buf signal_place;

void handler(int)
{
	sum += add(8);
}

void nested_handler(int)
{
	raise(SIGUSR1);
	sum += add(9);
}

void jumping_handler(int)
{
	sum += add(10);
	siglongjmp(signal_place, 1);
}

void skipping_handler(int, siginfo_t *, void *context)
{
	ucontext_t *c = (ucontext_t *)context;

	sum += add(11);
	c->uc_mcontext.pc += 4;
}

/* At any moment; it must not be seen in the log. */
PLAIN void tick(int)
{
	sum += 1;
}

PLAIN void on(int nr, void (*f)(int))
{
	struct sigaction a = { };

	a.sa_handler = f;
	sigaction(nr, &a, nullptr);
}

void faults()
{
	asm volatile("udf #1");
	sum += add(12);
}

void signals()
{
	const int n = depth();

	raise(SIGUSR1);
	raise(SIGUSR2);
	faults();
	if (!sigsetjmp(signal_place, 1)) {
		raise(SIGHUP);
	} else {
		cut(n);
		sum += twice(13);
	}
	sum += add(14);
}

/* ---- coroutines by swapcontext() */

static ucontext_t back, contexts[3];
static char stacks[3][65536];
static shadow shadows[3];
static volatile int alive;

PLAIN static void to(int i)
{
	shadow *before = here;

	/* A coroutine begins below its first caller. */
	if (!shadows[i].n)
		shadows[i] = *before;
	here = &shadows[i];
	swapcontext(&back, &contexts[i]);
	here = before;
}

PLAIN static void yield(int i)
{
	swapcontext(&contexts[i], &back);
}

void step(int i, int n)
{
	sum += add(n);
	yield(i);
	sum += twice(n);
}

void body_a() { for (int i = 0; i < 3; i++) step(0, i); alive = alive - 1; }
void body_b() { step(1, 10); sum += deep(2); step(1, 11); alive = alive - 1; }
void body_c() { sum += add(5); yield(2); sum += twice(6); alive = alive - 1; }

void resumes(int i)
{
	sum += add(i);
	to(i);
	sum += add(i);
}

void contexts_in_turn()
{
	void (*const bodies[])() = { body_a, body_b, body_c };

	for (int i = 0; i < 3; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = stacks[i];
		contexts[i].uc_stack.ss_size = sizeof(stacks[i]);
		contexts[i].uc_link = &back;
		shadows[i].n = 0;
		makecontext(&contexts[i], bodies[i], 0);
	}
	alive = 3;
	resumes(0);
	resumes(1);
	resumes(2);
	resumes(1);
	resumes(0);
	resumes(2);
	resumes(0);
	resumes(1);
	resumes(0);
	if (alive)
		abort();
}

} /* extern "C" */

/* ---- coroutines of C++ */

struct numbers {
	struct promise_type {
		int value;

		numbers get_return_object()
		{
			return { std::coroutine_handle<promise_type>::from_promise(*this) };
		}
		std::suspend_always initial_suspend() { return { }; }
		std::suspend_always final_suspend() noexcept { return { }; }
		std::suspend_always yield_value(int v) { value = v; return { }; }
		void return_void() { }
		void unhandled_exception() { abort(); }
	};
	std::coroutine_handle<promise_type> h;
};

numbers count(int n)
{
	for (int i = 0; i < n; i++) {
		sum += add(i);
		co_yield i;
	}
}

extern "C" void generators()
{
	numbers a = count(3), b = count(4);

	while (!b.h.done()) {
		b.h.resume();
		if (!a.h.done())
			a.h.resume();
		sum += twice(b.h.promise().value);
	}
	a.h.destroy();
	b.h.destroy();
}

/* ---- threads */

extern "C" void *worker(void *arg)
{
	for (long i = 0; i < (long)arg; i++) {
		plain();
		catches(i);
	}
	return nullptr;
}

extern "C" void threads()
{
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		if (pthread_create(&t[i], nullptr, worker, (void *)(i + 2)))
			abort();
	plain();
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], nullptr);
}

extern "C" int run(int rounds)
{
	for (int i = 0; i < rounds; i++) {
		plain();
		catches(i);
		catches_levels();
		sets();
		signals();
		contexts_in_turn();
		generators();
		threads();
	}
	return 0;
}

PLAIN int main(int argc, char **argv)
{
	const itimerval timer = { { 0, 3000 }, { 0, 3000 } };
	struct sigaction skip = { };
	char *log = (char *)malloc(log_size);
	FILE *f = argc > 1 ? fopen(argv[1], "w") : nullptr;

	if (!log || !f)
		return 2;
	log_at = log;
	log_end = log + log_size;
	skip.sa_sigaction = skipping_handler;
	skip.sa_flags = SA_SIGINFO;
	sigaction(SIGILL, &skip, nullptr);
	on(SIGUSR1, handler);
	on(SIGUSR2, nested_handler);
	on(SIGHUP, jumping_handler);
	on(SIGALRM, tick);
	setitimer(ITIMER_REAL, &timer, nullptr);
	run(argc > 2 ? atoi(argv[2]) : 3);
	for (char *at = log; at < log_at; ) {
		const int64_t n = *(int64_t *)at;

		for (int64_t i = 1; i <= n; i++)
			fprintf(f, "%lx%c", *(unsigned long *)(at + 8 * i), i < n ? ' ' : '\n');
		at += (n + 1) * 8;
	}
	return fclose(f) != 0;
}
