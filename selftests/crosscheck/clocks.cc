// SPDX-License-Identifier: GPL-2.0-only
/*
 * Seven programs in one file, for recordings with both units. argv[0] selects the program. The exit status is 0 if
 * its result is right.
 *
 *	loops		nested loops, branches that depend on data
 *	recursion	functions that call themselves and each other
 *	threads		four threads that take turns
 *	exec [N]	executes itself anew N times
 *	signals		handlers of signals, one inside another
 *	exceptions	exceptions through frames with destructors
 *	server		answers requests of its parent by three functions
 */
#include <csignal>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#define KEEP __attribute__((noinline, noclone))

static volatile uint64_t seed = 1;

static KEEP uint64_t rnd(uint64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % n;
}

// ---- loops

static KEEP uint64_t sort(std::vector<uint32_t> &v)
{
	uint64_t moves = 0;

	for (size_t i = 1; i < v.size(); i++)
		for (size_t k = i; k && v[k - 1] > v[k]; k--, moves++)
			std::swap(v[k - 1], v[k]);
	return moves;
}

static KEEP uint64_t multiply(const uint32_t (*a)[16], const uint32_t (*b)[16])
{
	uint64_t sum = 0;

	for (int i = 0; i < 16; i++)
		for (int k = 0; k < 16; k++)
			for (int j = 0; j < 16; j++)
				sum += (uint64_t)a[i][j] * b[j][k];
	return sum;
}

static int loops(int)
{
	uint32_t a[16][16], b[16][16];
	uint64_t sum = 0;

	for (int pass = 0; pass < 4; pass++) {
		std::vector<uint32_t> v;

		for (int i = 0; i < 120; i++)
			v.push_back((uint32_t)rnd(1000));
		sum += sort(v);
		for (int i = 0; i < 256; i++) {
			a[i / 16][i % 16] = (uint32_t)rnd(7);
			b[i / 16][i % 16] = v[i % v.size()];
		}
		sum += multiply(a, b);
	}
	return !sum;
}

// ---- recursion

static KEEP uint64_t fibonacci(uint64_t n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static KEEP bool is_odd(uint64_t n);

static KEEP bool is_even(uint64_t n)
{
	return n ? !!(is_odd(n - 1) & 1) : true;
}

static KEEP bool is_odd(uint64_t n)
{
	return n ? !!(is_even(n - 1) & 1) : false;
}

static int recursion(int)
{
	unsigned int even = 0;

	for (uint64_t i = 0; i < 100; i++)
		even += is_even(rnd(200));
	return fibonacci(17) != 1597 || !even;
}

// ---- threads

static int threads(int)
{
	std::condition_variable changed;
	std::vector<std::thread> all;
	std::mutex lock;
	uint64_t turn = 0, sum[4] = { 0 };

	for (uint64_t me = 0; me < 4; me++)
		all.emplace_back([&, me] {
			for (int i = 0; i < 20; i++) {
				std::unique_lock<std::mutex> held(lock);

				changed.wait(held, [&] { return turn % 4 == me; });
				sum[me] += fibonacci(6 + rnd(4));
				turn++;
				changed.notify_all();
			}
		});
	for (auto &t : all)
		t.join();
	return turn != 80;
}

// ---- exec

static const char *self;

static int exec_again(int n)
{
	char left[16];

	if (fibonacci(12) != 144)
		return 1;
	if (!n)
		return 0;
	snprintf(left, sizeof(left), "%d", n - 1);
	execl(self, self, left, nullptr);
	return 1;
}

// ---- signals

static volatile sig_atomic_t handled, depth;

static KEEP void on_signal(int)
{
	handled = handled + 1;
	depth = depth + 1;
	if (depth < 3)
		raise(SIGUSR2);
	if (fibonacci(5 + rnd(3)) < 5)
		abort();
	depth = depth - 1;
}

static int signals(int)
{
	struct sigaction a = {};

	a.sa_handler = on_signal;
	a.sa_flags = SA_NODEFER;
	sigaction(SIGUSR1, &a, nullptr);
	sigaction(SIGUSR2, &a, nullptr);
	for (int i = 0; i < 40; i++) {
		raise(SIGUSR1);
		fibonacci(rnd(6));
	}
	return handled != 40 * 3;
}

// ---- exceptions

struct counted {
	static int alive;
	counted() { alive++; }
	~counted() { alive--; }
};
int counted::alive;

static KEEP int deep(unsigned int n)
{
	counted c;

	if (!n)
		throw std::string("enough");
	return deep(n - 1) + counted::alive;
}

static int exceptions(int)
{
	int caught = 0;

	for (int i = 0; i < 12; i++)
		try {
			deep((unsigned int)rnd(6));
		} catch (const std::string &s) {
			caught += s == "enough";
		}
	return caught != 12 || counted::alive;
}

// ---- server

static KEEP uint64_t request_add(uint64_t v) { return v + fibonacci(v % 8); }
static KEEP uint64_t request_count(uint64_t v) { uint64_t n = 0; for (; v; v &= v - 1) n++; return n; }
static KEEP uint64_t request_find(uint64_t v)
{
	static const char text[] = "the quick brown fox jumps over the lazy dog";
	uint64_t at = 0;

	for (const char *p = text; *p; p++)
		at += *p == (char)('a' + v % 26) ? (uint64_t)(p - text) : 0;
	return at;
}

static KEEP void serve(int fd)
{
	static uint64_t (*const what[])(uint64_t) = { request_add, request_count, request_find };
	uint64_t request[2];

	while (read(fd, request, sizeof(request)) == (ssize_t)sizeof(request)) {
		const uint64_t answer = what[request[0] % 3](request[1]);

		if (write(fd, &answer, sizeof(answer)) != (ssize_t)sizeof(answer))
			_exit(1);
	}
	_exit(0);
}

static int server(int)
{
	int fd[2], status = 1;
	uint64_t answer, sum = 0;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return 1;
	pid = fork();
	if (!pid) {
		close(fd[0]);
		serve(fd[1]);
	}
	close(fd[1]);
	for (int i = 0; i < 150; i++) {
		const uint64_t request[2] = { rnd(3), rnd(1000) };

		if (write(fd[0], request, sizeof(request)) != (ssize_t)sizeof(request) ||
		    read(fd[0], &answer, sizeof(answer)) != (ssize_t)sizeof(answer))
			return 1;
		sum += answer;
	}
	close(fd[0]);
	waitpid(pid, &status, 0);
	return status || !sum;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int n);
	} programs[] = {
		{ "loops", loops }, { "recursion", recursion }, { "threads", threads }, { "exec", exec_again },
		{ "signals", signals }, { "exceptions", exceptions }, { "server", server },
	};
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];

	self = argv[0];
	for (const auto &p : programs)
		if (!strcmp(p.name, name))
			return p.run(argc > 1 ? atoi(argv[1]) : 0);
	fprintf(stderr, "%s: no such program\n", name);
	return 2;
}
