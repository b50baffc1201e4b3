// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of servers in DEBUGINFOD_URLS, by elfutils' libdebuginfod, from a small server of this test
 * on 127.0.0.1: the requests, and the message if no file is received. The server sends this
 * program. Each case is a process of its own, because after an error a process sends no request.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/capture/debuginfod.h"
#include "../../tools/capture/elf.h"
#include "../../tools/capture/sym.h"

#define NOT_HERE	"no such file here (--symfs, --debug-dir)"
#define NOT_THERE	NOT_HERE ", nor at DEBUGINFOD_URLS"

enum { THIS, OTHER, DSOS };	/* files of the recording; nobody has the second */

static char dir[] = "/tmp/v9trace-debuginfod.XXXXXX";
static uint8_t *program;
static size_t program_size;
static uint8_t id[DSOS][V9_BUILD_ID_MAX];
static unsigned int id_size;
/* The executable mapping of this program */
static struct { uint64_t start, size, pgoff; } text;

/* The function whose name is asked for */
int served_function(int x);
__attribute__((noinline)) int served_function(int x)
{
	return 7 * x + 3;
}

static char *path_of(const char *name)
{
	static char path[4][256];
	static unsigned int at;

	at = (at + 1) % 4;
	snprintf(path[at], sizeof(path[at]), "%s/%s", dir, name);
	return path[at];
}

/* Returns the content of a file of this test, valid until the next call. */
static char *content(const char *name)
{
	static char bytes[8192];
	FILE *f = fopen(path_of(name), "r");

	bytes[f ? fread(bytes, 1, sizeof(bytes) - 1, f) : 0] = '\0';
	if (f)
		fclose(f);
	return bytes;
}

static unsigned int count(const char *in, const char *what)
{
	unsigned int n = 0;

	for (; (in = strstr(in, what)); in += strlen(what))
		n++;
	return n;
}

/* ------------------------------------------------------------------------------ the server */

struct server {
	int port, fd;
	pid_t pid;
};

/* What it does with the debug information of THIS; it has nothing else. */
enum answer { SERVES, SERVES_EXECUTABLE, HAS_NOTHING, FAILS, SERVES_OTHER, CUTS };

static void put_all(int fd, const void *p, size_t n)
{
	for (ssize_t done; n; p = (const char *)p + done, n -= (size_t)done) {
		done = write(fd, p, n);
		if (done <= 0)
			return;
	}
}

/* One request. Its path is a line of the file "asked". */
static void serve(int fd, enum answer answer)
{
	const char *const kind = answer == SERVES_EXECUTABLE ? "/executable" : "/debuginfo";
	char head[8192], wanted[256] = "/buildid/", *path, *end;
	const uint8_t *has = id[answer == SERVES_OTHER ? OTHER : THIS];
	size_t n = 0, size = program_size;
	const uint8_t *body = program;
	FILE *log;

	while (n < sizeof(head) - 1) {
		const ssize_t more = read(fd, head + n, sizeof(head) - 1 - n);

		if (more <= 0)
			return;
		n += (size_t)more;
		head[n] = '\0';
		if (strstr(head, "\r\n\r\n"))
			break;
	}
	path = strchr(head, ' ');
	end = path ? strchr(path + 1, ' ') : NULL;
	if (!end)
		return;
	*end = '\0';
	log = fopen(path_of("asked"), "a");
	if (log) {
		fprintf(log, "%s\n", path + 1);
		fclose(log);
	}
	for (unsigned int i = 0; i < id_size; i++)
		snprintf(strchr(wanted, '\0'), 3, "%02x", has[i]);
	strcat(wanted, kind);
	if (answer == FAILS)
		n = (size_t)snprintf(head, sizeof(head), "HTTP/1.1 500 Internal Server Error\r\n");
	else if (answer == HAS_NOTHING || strcmp(path + 1, wanted))
		n = (size_t)snprintf(head, sizeof(head), "HTTP/1.1 404 Not Found\r\n");
	else
		n = (size_t)snprintf(head, sizeof(head), "HTTP/1.1 200 OK\r\n");
	if (memcmp(head + 9, "200", 3)) {
		body = (const uint8_t *)"nothing\n";
		size = 8;
	}
	n += (size_t)snprintf(head + n, sizeof(head) - n,
			      "Content-Length: %zu\r\nConnection: close\r\n\r\n", size);
	put_all(fd, head, n);
	put_all(fd, body, answer == CUTS ? size / 2 : size);
}

static void start(struct server *s, enum answer answer)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t n = sizeof(at);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	unlink(path_of("asked"));
	s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s->fd < 0 || bind(s->fd, (void *)&at, n) || listen(s->fd, 8) ||
	    getsockname(s->fd, (void *)&at, &n))
		abort();
	s->port = ntohs(at.sin_port);
	s->pid = fork();
	if (s->pid)
		return;
	signal(SIGPIPE, SIG_IGN);
	for (;;) {
		const int c = accept(s->fd, NULL, NULL);

		if (c < 0)
			_exit(1);
		serve(c, answer);
		close(c);
	}
}

static void stop(struct server *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
	close(s->fd);
}

/* ------------------------------------------------------------------------------ the program */

/* Writes to "got" the name of served_function() in each recorded file, or why it has none */
static int look_up(const char *debug_dir)
{
	const struct v9_syms_opts opts = { .symfs = dir, .debug_dir = debug_dir };
	static const char *const names[] = { "/gone/this", "/gone/other" };
	struct v9_strtab strtab = { 0 };
	struct v9_syms s;
	FILE *f = fopen(path_of("got"), "w");

	if (!f)
		abort();
	v9_syms_init(&s, &strtab, &opts);
	for (unsigned int i = 0; i < DSOS; i++)
		v9_syms_map(&s, 0, i + 1, text.start, text.size, text.pgoff, V9_MAP_EXEC, names[i],
			    strlen(names[i]) + 1, id[i], id_size);
	v9_syms_seal(&s);
	for (unsigned int i = 0; i < DSOS; i++) {
		struct v9_place place;

		v9_syms_find(&s, i + 1, 0, (uintptr_t)served_function, &place);
		fprintf(f, "%s\n", place.func ? place.func->name :
			place.dso && place.dso->why ? place.dso->why : "-");
	}
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
	return fclose(f);
}

struct run {
	const char *urls;	/* NULL: DEBUGINFOD_URLS is not set */
	/* Directories in that of this test: the library's cache, --debug-dir, LD_LIBRARY_PATH */
	const char *cache, *debug_dir, *libraries;
};

/*
 * Runs this program with other arguments. "got" has a line for each file of the recording, "said"
 * what was printed for the user.
 */
static void run(const struct run *r)
{
	int status;
	pid_t pid;

	fflush(stdout);
	unlink(path_of("got"));
	pid = fork();
	if (!pid) {
		const int err = open(path_of("said"), O_WRONLY | O_CREAT | O_TRUNC, 0666);

		if (err < 0 || dup2(err, STDERR_FILENO) < 0)
			_exit(1);
		setenv("HOME", dir, 1);
		setenv("DEBUGINFOD_CACHE_PATH", path_of(r->cache), 1);
		unsetenv("DEBUGINFOD_VERBOSE");
		unsetenv("DEBUGINFOD_PROGRESS");
		unsetenv("DEBUGINFOD_URLS");
		if (r->urls)
			setenv("DEBUGINFOD_URLS", r->urls, 1);
		if (r->libraries)
			setenv("LD_LIBRARY_PATH", path_of(r->libraries), 1);
		execl("/proc/self/exe", "look_up", dir,
		      r->debug_dir ? path_of(r->debug_dir) : NULL, NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	if (!tap_ok(!status, "ends_well"))
		printf("# status %#x: %s\n", (unsigned int)status, content("said"));
}

/* The lines of "got" are those; @said is the one line that is printed, or nothing is. */
static void expect(const char *name, const char *first, const char *second, const char *said)
{
	char want[512];
	const char *got;

	snprintf(want, sizeof(want), "%s\n%s\n", first, second);
	got = content("got");
	if (!tap_ok(!strcmp(got, want), "%s", name))
		printf("# got '%s'\n", got);
	got = content("said");
	snprintf(want, sizeof(want), said ? "v9trace: %s\n" : "", said);
	if (!tap_ok(!strcmp(got, want), "%s_is_told", name))
		printf("# said '%s'\n", got);
}

/* So many requests for these paths, and none else */
static void asked(const char *name, unsigned int debuginfo, unsigned int executable)
{
	const char *log = content("asked");

	tap_eq(count(log, "/debuginfo\n"), debuginfo, "%s_asks_for_debug_information", name);
	tap_eq(count(log, "/executable\n"), executable, "%s_asks_for_executables", name);
	tap_eq(count(log, "\n"), debuginfo + executable, "%s_asks_for_nothing_else", name);
	tap_eq(count(log, "/buildid/"), debuginfo + executable, "%s_asks_by_build_id", name);
}

static void with_server(const char *name, enum answer answer, const char *debug_dir,
			const char *first, const char *second, const char *said)
{
	struct server s;
	char url[64];
	const struct run r = { .urls = url, .cache = name, .debug_dir = debug_dir };

	start(&s, answer);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d", s.port);
	run(&r);
	stop(&s);
	expect(name, first, second, said);
}

static void without_server(const char *name, const char *urls, const char *cache,
			   const char *first, const char *second, const char *said)
{
	const struct run r = { .urls = urls, .cache = cache };

	run(&r);
	expect(name, first, second, said);
}

static void servers(void)
{
	struct server s;
	char url[64];
	const struct run r = { .urls = url, .cache = "no_library", .libraries = "empty" };

	with_server("served", SERVES, NULL, "served_function", NOT_THERE, NULL);
	asked("served", 2, 1);
	/* The library keeps what it got, and for a while what it did not get. */
	without_server("kept_by_the_library", "http://127.0.0.1:9", "served", "served_function",
		       NOT_THERE, NULL);
	with_server("executable", SERVES_EXECUTABLE, NULL, "served_function", NOT_THERE, NULL);
	asked("executable", 2, 2);
	with_server("not_found", HAS_NOTHING, NULL, NOT_THERE, NOT_THERE, NULL);
	asked("not_found", 2, 2);
	with_server("another_file", SERVES_OTHER, NULL, NOT_THERE,
		    "the file here has another build-id (--symfs, --debug-dir)", NULL);
	with_server("debug_dir_first", SERVES, "local", "served_function", NOT_THERE, NULL);
	asked("debug_dir_first", 1, 1);

	start(&s, SERVES);
	without_server("no_variable", NULL, "no_variable", NOT_HERE, NOT_HERE, NULL);
	without_server("blank_variable", "  ", "blank_variable", NOT_HERE, NOT_HERE, NULL);
	stop(&s);
	asked("no_variable", 0, 0);

	/* Nobody listens there any more. */
	snprintf(url, sizeof(url), "http://127.0.0.1:%d", s.port);
	without_server("no_server", url, "no_server", NOT_THERE, NOT_THERE,
		       "warning: DEBUGINFOD_URLS: Connection refused: no more files are asked for");
	with_server("server_fails", FAILS, NULL, NOT_THERE, NOT_THERE, NULL);
	with_server("cut", CUTS, NULL, NOT_THERE, NOT_THERE, NULL);
	run(&r);
	expect("no_library", NOT_HERE, NOT_HERE,
	       "warning: DEBUGINFOD_URLS is set, but libdebuginfod.so.1 is not here (Debian's package: libdebuginfod1t64)");
}

/* Reads this program. Returns false if it has no build-id. */
static bool know_this(void)
{
	FILE *f = fopen("/proc/self/exe", "r");
	unsigned long long begin, end, pgoff;
	char line[512];
	struct stat st;

	if (!f || fstat(fileno(f), &st))
		return false;
	program_size = (size_t)st.st_size;
	program = malloc(program_size);
	if (!program || fread(program, 1, program_size, f) != program_size)
		return false;
	fclose(f);
	id_size = v9_elf_id(program, program_size, id[THIS]);
	memcpy(id[OTHER], id[THIS], sizeof(id[OTHER]));
	id[OTHER][0] ^= 0xff;
	f = fopen("/proc/self/maps", "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx-%llx %*s %llx", &begin, &end, &pgoff) == 3 &&
		    (uintptr_t)served_function - begin < end - begin) {
			text.start = begin;
			text.size = end - begin;
			text.pgoff = pgoff;
		}
	}
	if (f)
		fclose(f);
	return id_size && text.size;
}

/* Writes a file of this test, and makes its directories. */
static void put_file(const char *name, const void *p, size_t n)
{
	tap_write(path_of(name), p, n);
}

/* --debug-dir of one case, and a library that cannot be loaded of another */
static void put_files(void)
{
	char name[128] = "local/.build-id/";

	for (unsigned int i = 0; i < id_size; i++)
		snprintf(strchr(name, '\0'), 4, i == 1 ? "/%02x" : "%02x", id[THIS][i]);
	strcat(name, ".debug");
	put_file(name, program, program_size);
	put_file("empty/libdebuginfod.so.1", "", 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int main(int argc, char **argv)
{
	void *so = dlopen("libdebuginfod.so.1", RTLD_NOW);

	if (argc > 1) {
		snprintf(dir, sizeof(dir), "%s", argv[1]);
		return !know_this() || look_up(argv[2]);
	}
	if (!mkdtemp(dir))
		abort();
	if (!so) {
		tap_skip("libdebuginfod.so.1 is not here", "served");
	} else if (tap_ok(know_this(), "this_program_has_a_build_id")) {
		put_files();
		servers();
	}
	free(program);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return tap_done();
}
