// SPDX-License-Identifier: GPL-2.0-only
/*
 * The socket of a recorder and the program that reads it: the sums arrive as they were sent, other users are refused,
 * sockets of ended recorders are replaced, wrong answers are rejected, and procfs leads to the right recorder. top.sh
 * tests the command.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "tap.h"
#include "../../tools/listen.h"
#include "../../tools/live/worker.h"
#include "../../tools/top/attach.h"
#include "../../tools/util.h"


static void write_text(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	fputs(text, f);
	fclose(f);
}

/* ---- a recorder: three records at one address, one at another, of the object /bin/a */

static struct cap cap;

static int nothing(void *arg, const struct v9_live *l)
{
	(void)arg;
	(void)l;
	return 0;
}

static void give(struct v9_worker *w, uint64_t at, unsigned int n, uint64_t pc)
{
	uint8_t r[64];

	for (unsigned int i = 0; i < n; i++) {
		const uint64_t of = (pc + 4 * i * (pc >> 20)) | UINT64_C(1) << 63;

		memset(r, 0, sizeof(r));
		*r = 0xb0;
		memcpy(r + 1, &of, 8);
		r[9] = 0x01;		/* End */
		v9_worker_aux(w, &(struct pd_auxtrace){ .offset = at + 64 * i }, r, sizeof(r), NULL, 0);
	}
}

static struct v9_worker *recorder(bool lines)
{
	const struct v9_worker_setup setup = {
		.live = { .memory = 16 << 20, .lines = lines, .begin = 1234 }, .most = 16 << 20, .write = nothing,
	};
	const struct v9_live_period period = {
		.header = { .type = V9_LIVE_PERIOD, .size = sizeof(period) }, .period = 4096,
	};
	const struct v9_live_cost cost = {
		.header = { .type = V9_LIVE_COST, .size = sizeof(cost) }, .cost = 4200, .budget = 10000,
	};
	struct v9_worker *w = v9_worker_start(&setup);
	const uint8_t *p;

	cap_open(&cap, CAP_SAMPLE);
	cap_time_conv(&cap, 1000000);
	cap_comm(&cap, 10, 10, "a", 0);
	cap_mmap2(&cap, 10, 0x10000, 0x4000, 0, "/bin/a", (const uint8_t [20]){ 0xaa, 1 });
	cap_mmap2(&cap, UINT32_MAX, UINT64_C(0xffff800000000000), 0x4000, 0, "[kernel.kallsyms]_text", NULL);
	for (p = cap.b + cap.data; p < cap.b + cap.n; p += ((struct pd_event_header *)p)->size)
		v9_worker_record(w, p, ((struct pd_event_header *)p)->size);
	v9_worker_tell(w, &period, sizeof(period));
	v9_worker_tell(w, &cost, sizeof(cost));
	give(w, 0, 3, 0x10100);
	give(w, 192, 1, 0x10200);
	v9_worker_round(w, true);
	return w;
}

/* Until the thread has read it */
static int look(struct v9_attach *a, struct v9_live_copy *c, uint64_t records)
{
	int ret;

	for (int i = 0; i < 500; i++) {
		ret = v9_attach_look(a, c);
		if (ret || c->records >= records)
			break;
		usleep(10000);
	}
	return ret;
}

static void count(void *records, struct v9_live *l)
{
	v9_live_account(l);
	*(uint64_t *)records = l->profile.acc.records;
}

/* Waits until the decoding thread has read that many records. Uses no connection. */
static void read_by(struct v9_worker *w, uint64_t records)
{
	uint64_t n = 0;

	for (int i = 0; i < 1000 && n < records; i++) {
		v9_worker_look(w, count, &n);
		usleep(n < records ? 10000 : 0);
	}
}

/* A recorder has one. */
static struct v9_socket *serve(const char *path, struct v9_worker *w, const char *event, uint64_t period)
{
	static struct v9_server servers[32], *next = servers;

	*next = (struct v9_server){ .worker = w, .event = event, .target = "all CPUs", .period = period };
	return v9_listen(path, v9_serve, next++);
}

static unsigned int mode_of(const char *name)
{
	struct stat st;

	return lstat(name, &st) ? 0 : st.st_mode & 07777;
}

static void sums(void)
{
	struct v9_attach a = { .ask = { .proc = "/proc", .given = "r.socket", .wanted = V9_RECORDER_SUMS } };
	struct v9_live_copy c = { .records = 0 };
	struct v9_worker_total total;
	struct v9_worker *w = recorder(false);
	struct v9_socket *s;
	const mode_t mask = umask(0);

	s = serve("r.socket", w, "arm_spe_0//", 1024);
	umask(mask);
	tap_ok(s, "listens");
	tap_eq(mode_of("r.socket"), 0600, "mode");
	read_by(w, 4);
	tap_eq(v9_attach_look(&a, &c), 0, "answer");
	tap_eq(a.ask.pid, getpid(), "pid");
	tap_eq(c.records, 4, "records");
	tap_eq(c.trace_bytes, 256, "trace_bytes");
	tap_eq(c.nr_sums, 2, "sums");
	tap_ok(c.nr_sums == 2 && c.sums[0].value[V9_W_SAMPLES] == 3 && c.sums[0].addr == 0x10100 &&
	       c.sums[0].period == 4096, "a_sum");
	tap_eq(a.head.begin, 1234, "begin");
	tap_eq(a.head.period, 4096, "period_that_was_told");
	tap_eq(a.head.cost.cost, 4200, "cost");
	tap_eq(a.head.cost.budget, 10000, "budget");
	tap_eq(a.head.lines, 0, "no_lines");
	tap_ok(a.head.cpu > 0, "cpu_time");
	tap_ok(!strcmp(a.head.event, "arm_spe_0//"), "event");
	tap_ok(!strcmp(a.head.target, "all CPUs"), "target");
	tap_eq(a.head.paused, 0, "not_paused");
	tap_eq(c.nr_types, 1, "types");
	tap_ok(c.nr_objects == 2 && !strcmp(c.objects[0].name, "/bin/a") && c.objects[0].file &&
	       c.objects[0].id_size == 20 && c.objects[0].id[0] == 0xaa && c.objects[0].id[1] == 1, "object");
	tap_ok(c.nr_kernel == 1 && c.kernel[0].start == UINT64_C(0xffff800000000000), "kernel");
	/* The first look asks for classes: records from then on are in them. */
	tap_eq(c.nr_classes, 0, "no_classes_before_they_are_asked_for");
	give(w, 256, 1, 0x10200);
	v9_worker_round(w, true);
	tap_eq(look(&a, &c, 5), 0, "second_answer");
	tap_eq(c.nr_classes, 1, "classes");
	tap_eq(c.nr_sums, 2, "sums_of_the_second_answer");

	tap_ok(!serve("r.socket", w, "x", 0) && errno == EADDRINUSE, "another_recorder_has_it");
	tap_eq(v9_attach_look(&a, &c), 0, "still_answers");
	/* When the server stops, it removes its own socket only. This file belongs to somebody else. */
	unlink("r.socket");
	write_text("r.socket", "mine");
	v9_listen_stop(s);
	tap_eq(access("r.socket", F_OK), 0, "others_stay");
	tap_ok(!serve("r.socket", w, "x", 0) && errno == EADDRINUSE, "no_socket");
	tap_eq(access("r.socket", F_OK), 0, "files_stay");
	unlink("r.socket");
	s = serve("r.socket", w, "arm_spe_0//", 1024);
	v9_listen_stop(s);
	tap_ok(access("r.socket", F_OK) && errno == ENOENT, "removed");
	tap_eq(v9_attach_look(&a, &c), -ENOENT, "it_has_ended");
	tap_eq(c.records, 5, "what_there_was_stays");
	v9_listen_stop(NULL);
	v9_worker_stop(w, 1, &total);
	v9_live_copy_free(&c);
	v9_ask_free(&a.ask);
}

/* The socket of a recorder that was killed: the next one takes its place. */
static void left_over(void)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX, .sun_path = "dir/v9trace.socket" };
	struct v9_attach a = { .ask = { .proc = "/proc", .given = "dir", .wanted = V9_RECORDER_SUMS } };
	struct v9_live_copy c = { .records = 0 };
	struct v9_worker_total total;
	struct v9_worker *w = recorder(true);
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct v9_socket *s;
	char *why;

	mkdir("dir", 0700);
	tap_eq(bind(fd, (struct sockaddr *)&to, sizeof(to)), 0, "left_over");
	close(fd);
	tap_eq(v9_attach_look(&a, &c), -ECONNREFUSED, "nobody_listens");
	why = v9_ask_why(&a.ask);
	tap_ok(strstr(why, "dir/v9trace.socket: no recorder listens there"), "nobody_listens_is_said");
	free(why);
	s = serve("dir/v9trace.socket", w, "arm_spe_0//", 1024);
	tap_ok(s, "takes_its_place");
	tap_eq(look(&a, &c, 4), 0, "in_a_directory");
	tap_eq(a.head.lines, 1, "lines");
	v9_listen_stop(s);
	tap_eq(v9_attach_look(&a, &c), -ENOENT, "ended");
	why = v9_ask_why(&a.ask);
	tap_ok(strstr(why, "has ended"), "ended_is_said");
	free(why);
	v9_worker_stop(w, 1, &total);
	v9_live_copy_free(&c);
	v9_ask_free(&a.ask);
	tap_ok(!serve("not/there.socket", NULL, "x", 0) && errno == ENOENT, "no_directory");
	tap_ok(!serve("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"
			 "1234567890123456789", NULL, "x", 0) && errno == ENAMETOOLONG, "too_long");
}

/* An answer has the sums with the most samples; the others are added up. */
static void many(void)
{
	struct v9_attach a = { .ask = { .proc = "/proc", .given = "m.socket", .wanted = V9_RECORDER_SUMS } };
	struct v9_live_copy c = { .records = 0 };
	struct v9_worker_total total;
	struct v9_worker *w = recorder(false);
	struct v9_socket *s = serve("m.socket", w, "arm_spe_0//", 1024);
	uint64_t out = 0;

	give(w, 256, V9_ANSWER_SUMS + 8, 0x100000);
	v9_worker_round(w, true);
	tap_eq(look(&a, &c, V9_ANSWER_SUMS + 12), 0, "answer_of_many");
	tap_eq(c.nr_sums, V9_ANSWER_SUMS, "as_many_as_there_may_be");
	/* Of the two sums at first one has three samples. */
	tap_eq(c.evicted, 10, "left_out");
	tap_eq(c.sums[0].value[V9_W_SAMPLES], 3, "the_largest_stays");
	for (size_t i = 0; i < c.nr_types; i++)
		out += c.types[i].evicted[V9_W_SAMPLES];
	tap_eq(out, 10, "added_up");
	v9_listen_stop(s);
	v9_worker_stop(w, 1, &total);
	v9_live_copy_free(&c);
	v9_ask_free(&a.ask);
}

/*
 * There are more objects than fit into an answer. A kernel mapping is left out of the answer if its object does not
 * fit or has no name. Other kernel mappings stay.
 */
static void many_objects(void)
{
	struct v9_attach a = { .ask = { .proc = "/proc", .given = "o.socket", .wanted = V9_RECORDER_SUMS } };
	struct v9_live_copy c = { .records = 0 };
	struct v9_worker_total total;
	struct v9_worker *w = recorder(false);
	struct v9_socket *s = serve("o.socket", w, "arm_spe_0//", 1024);
	const uint64_t kernel = UINT64_C(0xffff900000000000);
	char name[32];

	cap_open(&cap, CAP_SAMPLE);
	/* /bin/a and the kernel are objects 0 and 1. */
	for (unsigned int i = 2; i < V9_ANSWER_OBJECTS - 2; i++) {
		snprintf(name, sizeof(name), "/lib/%u", i);
		cap_mmap2(&cap, 100 + i / 1000, 0x10000 + 0x1000 * i, 0x1000, 0, name, NULL);
	}
	cap_mmap2(&cap, UINT32_MAX, kernel, 0x1000, 0, "", NULL);
	cap_mmap2(&cap, UINT32_MAX, kernel + 0x1000, 0x1000, 0, "[last]", NULL);
	cap_mmap2(&cap, UINT32_MAX, kernel + 0x2000, 0x1000, 0, "[beyond]", NULL);
	for (const uint8_t *p = cap.b + cap.data; p < cap.b + cap.n; p += ((struct pd_event_header *)p)->size)
		v9_worker_record(w, p, ((struct pd_event_header *)p)->size);
	give(w, 256, 1, 0x10200);
	v9_worker_round(w, true);
	tap_eq(look(&a, &c, 5), 0, "answer_of_many_objects");
	tap_eq(c.nr_objects, V9_ANSWER_OBJECTS, "as_many_objects_as_there_may_be");
	tap_eq(c.nr_kernel, 2, "kernel_mappings_with_a_name");
	tap_ok(c.nr_kernel == 2 && c.kernel[1].start == kernel + 0x1000 &&
	       c.kernel[1].object == V9_ANSWER_OBJECTS - 1, "the_last_object_stays");
	tap_eq(c.lost[V9_LOSS_MAPS], 2, "dropped_mappings_are_counted");
	v9_listen_stop(s);
	v9_worker_stop(w, 1, &total);
	v9_live_copy_free(&c);
	v9_ask_free(&a.ask);
}

static int connect_to(const char *path, int flags)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM | flags, 0);

	strcpy(to.sun_path, path);
	if (!connect(fd, (struct sockaddr *)&to, sizeof(to)) && send(fd, "sums\n", 5, MSG_NOSIGNAL) == 5)
		return fd;
	close(fd);
	return -1;
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Reads 64 KiB of an answer of 7 MB every 0.3 s. Returns the seconds until it is cut off, at most 12. */
static double read_slowly(int fd)
{
	const double from = seconds();
	char part[65536];

	while (seconds() - from < 12 && recv(fd, part, sizeof(part), MSG_WAITALL) == sizeof(part))
		usleep(300000);
	return seconds() - from;
}

/* A slow reader is disconnected after four seconds. It does not delay the end of the recorder. */
static void slow_readers(void)
{
	struct v9_worker_total total;
	struct v9_worker *w = recorder(false);
	struct v9_socket *s = serve("s.socket", w, "arm_spe_0//", 1024);
	double past;
	int fd;

	give(w, 256, V9_ANSWER_SUMS, 0x100000);
	v9_worker_round(w, true);
	read_by(w, V9_ANSWER_SUMS + 4);
	fd = connect_to("s.socket", 0);
	past = read_slowly(fd);
	tap_ok(past > 3 && past < 9, "slow_reader_is_cut_off");
	close(fd);
	fd = connect_to("s.socket", 0);
	tap_eq(recv(fd, &(char){ 0 }, 1, 0), 1, "reader_that_stops");
	past = seconds();
	v9_listen_stop(s);
	tap_ok(seconds() - past < 1, "end_waits_for_no_reader");
	close(fd);
	v9_worker_stop(w, 1, &total);
}

/* A recorder that is stopped, with as many connections as may wait: the start of another one does not wait. */
static void full(void)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX, .sun_path = "full.socket" };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	int waiting[8], n = 0;

	tap_ok(!bind(fd, (struct sockaddr *)&to, sizeof(to)) && !listen(fd, 0), "stopped_recorder");
	while (n < 8 && (waiting[n] = connect_to("full.socket", SOCK_NONBLOCK)) >= 0)
		n++;
	tap_ok(n && n < 8, "no_more_may_wait");
	alarm(20);
	tap_ok(!serve("full.socket", NULL, "x", 0) && errno == EADDRINUSE, "a_stopped_one_has_it");
	alarm(0);
	while (n)
		close(waiting[--n]);
	close(fd);
}

static void *serve_at(void *path)
{
	return serve(path, NULL, "x", 0);
}

/* A recorder that starts waits for another one that does, but not for ever. */
static void at_once(void)
{
	struct v9_socket *s;
	pthread_t thread;
	int fd;

	mkdir("once", 0700);
	fd = open("once", O_RDONLY | O_DIRECTORY);
	tap_eq(flock(fd, LOCK_EX), 0, "another_one_starts");
	pthread_create(&thread, NULL, serve_at, (void *)"once/a.socket");
	usleep(300000);
	tap_ok(access("once/a.socket", F_OK), "waits_for_it");
	close(fd);
	pthread_join(thread, (void **)&s);
	tap_ok(s && !access("once/a.socket", F_OK), "listens_then");
	v9_listen_stop(s);
	fd = open("once", O_RDONLY | O_DIRECTORY);
	tap_eq(flock(fd, LOCK_EX), 0, "lock_that_stays");
	s = serve("once/a.socket", NULL, "x", 0);
	tap_ok(s, "listens_without_it");
	v9_listen_stop(s);
	close(fd);
}

/* ---- answers that are wrong */

struct sent {
	struct v9_answer head;
	struct v9_live_sum sum;
	struct v9_live_class class;
	struct v9_live_type type;
	struct v9_live_map kernel;
	struct v9_answer_object object;
	char name[5];
} __attribute__((packed));

static struct sent sent;
static size_t size;
static int listens;

static void *talk(void *arg)
{
	const int fd = accept(listens, NULL, NULL);
	char line[5];

	(void)arg;
	/* What is not read when a connection is closed is an error of the other end. */
	if (recv(fd, line, sizeof(line), MSG_WAITALL) != sizeof(line))
		perror("recv");
	if (send(fd, &sent, size, MSG_NOSIGNAL) < 0)
		perror("send");
	close(fd);
	return NULL;
}

static void good(void)
{
	sent = (struct sent){
		.head = { .form = V9_ANSWER_FORM, .nr_sums = 1, .nr_classes = 1, .nr_types = 1, .nr_kernel = 1,
			  .nr_objects = 1, .names = 5, .records = 7, .event = "e" },
		.sum = { .object = 1000 }, .class = { .what = V9_LIVE_LATENCY, .of = 16 },
		.object = { .id_size = 20, .name = 5 }, .name = { 'h', 'e', 'l', 'l', 'o' },
	};
	size = sizeof(sent);
}

static int ask(void)
{
	struct v9_attach a = { .ask = { .proc = "/proc", .given = "bad.socket", .wanted = V9_RECORDER_SUMS } };
	struct v9_live_copy c = { .records = 0 };
	pthread_t thread;
	int ret;

	pthread_create(&thread, NULL, talk, NULL);
	ret = v9_attach_look(&a, &c);
	pthread_join(thread, NULL);
	if (!ret)
		tap_ok(c.records == 7 && c.nr_objects == 1 && !strcmp(c.objects[0].name, "hello"), "read");
	else
		tap_ok(!c.records && !c.nr_sums && !c.objects, "nothing_of_it_is_kept");
	v9_live_copy_free(&c);
	v9_ask_free(&a.ask);
	return ret;
}

#define WRONG(name, ...) do { good(); __VA_ARGS__; tap_eq(ask(), -EPROTO, name); } while (0)

static void wrong(void)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX, .sun_path = "bad.socket" };

	listens = socket(AF_UNIX, SOCK_STREAM, 0);
	tap_ok(!bind(listens, (struct sockaddr *)&to, sizeof(to)) && !listen(listens, 1), "another_program");
	good();
	tap_eq(ask(), 0, "right");
	good();
	sent.class.of = V9_LIVE_NONE;
	tap_eq(ask(), 0, "class_of_none");
	good();
	sent.class = (struct v9_live_class){ .what = V9_LIVE_SOURCE, .of = UINT16_MAX };
	tap_eq(ask(), 0, "greatest_source");
	WRONG("other_form", sent.head.form++);
	WRONG("too_many_sums", sent.head.nr_sums = V9_ANSWER_SUMS + 1);
	WRONG("too_many_classes", sent.head.nr_classes = V9_ANSWER_CLASSES + 1);
	WRONG("too_many_types", sent.head.nr_types = V9_ANSWER_TYPES + 1);
	WRONG("too_many_objects", sent.head.nr_objects = V9_ANSWER_OBJECTS + 1);
	WRONG("too_much_of_the_kernel", sent.head.nr_kernel = V9_ANSWER_KERNEL + 1);
	WRONG("too_many_names", sent.head.names = V9_ANSWER_NAMES + 1);
	WRONG("endless_event", memset(sent.head.event, 'x', sizeof(sent.head.event)));
	WRONG("endless_target", memset(sent.head.target, 'x', sizeof(sent.head.target)));
	WRONG("latency_of_17_digits", sent.class.of = 17);
	WRONG("source_of_17_bits", sent.class.what = V9_LIVE_SOURCE; sent.class.of = UINT16_MAX + 1);
	WRONG("no_such_class", sent.class.what = 2);
	WRONG("kernel_of_no_object", sent.kernel.object = 1);
	WRONG("kernel_without_a_name", sent.object.name = 0);
	WRONG("long_build_id", sent.object.id_size = V9_LIVE_ID + 1);
	WRONG("name_beyond_the_names", sent.object.name = 6);
	for (size_t part = 0; part < sizeof(sent); part += 31)
		WRONG("cut", size = part);
	close(listens);
}

/* ---- which recorder is found */

static void found(void)
{
	struct v9_attach a = { .ask = { .proc = "proc", .wanted = V9_RECORDER_SUMS } };
	struct v9_live_copy c = { .records = 0 };
	struct v9_worker_total total;
	struct v9_worker *w = recorder(false);
	struct v9_socket *s = serve("f.socket", w, "arm_spe_0//", 1024);
	char *here = getcwd(NULL, 0), *to = v9_format("%s/f.socket", here), *why;

	tap_eq(v9_attach_look(&a, &c), -ENOENT, "no_processes");
	mkdir("proc", 0700);
	mkdir("proc/7", 0700);
	mkdir("proc/7/fd", 0700);
	mkdir("proc/self", 0700);
	write_text("proc/7/comm", "other\n");
	tap_ok(!symlink("socket:[12]", "proc/7/fd/3") && !symlink(to, "proc/7/fd/4"), "descriptors");
	tap_eq(v9_attach_look(&a, &c), -ENOENT, "another_program_is_none");
	why = v9_ask_why(&a.ask);
	tap_ok(strstr(why, "no recorder of this user was found"), "none_is_said");
	free(why);
	write_text("proc/7/comm", "v9trace\n");
	tap_eq(look(&a, &c, 4), 0, "recorder_is_found");
	tap_ok(a.ask.path && !strcmp(a.ask.path, "proc/7/fd/4"), "its_descriptor");
	/* It ends; another one is found. */
	rename("proc/7", "proc/self/8");
	tap_eq(v9_attach_look(&a, &c), -ENOENT, "it_is_gone");
	rename("proc/self/8", "proc/8");
	tap_eq(v9_attach_look(&a, &c), 0, "another_one");
	unlink("proc/8/fd/4");
	write_text("x.socket", "");
	free(to);
	to = v9_format("%s/x.socket", here);
	tap_ok(!symlink(to, "proc/8/fd/4"), "file");
	a.ask.error = -ENOENT;
	tap_eq(v9_attach_look(&a, &c), -ENOENT, "a_file_is_none");
	v9_listen_stop(s);
	v9_worker_stop(w, 1, &total);
	v9_live_copy_free(&c);
	v9_ask_free(&a.ask);
	free(here);
	free(to);
}

/* The first directory of proc, as readdir() has them */
static const char *first_of(const char *one, const char *other)
{
	DIR *d = opendir("proc");
	const struct dirent *entry;
	const char *first = NULL;

	while (!first && (entry = readdir(d)))
		first = !strcmp(entry->d_name, one) ? one : !strcmp(entry->d_name, other) ? other : NULL;
	closedir(d);
	return first;
}

/* Another user's process, and a process of this user with another user's socket, hide no recorder. */
static void foreign(void)
{
	struct v9_attach a = { .ask = { .proc = "proc", .wanted = V9_RECORDER_SUMS } };
	struct v9_live_copy c = { .records = 0 };
	struct v9_worker_total total;
	struct v9_worker *w = recorder(false);
	struct v9_socket *s = serve("f.socket", w, "arm_spe_0//", 1024), *t = serve("t.socket", w, "e", 1);
	char *here = getcwd(NULL, 0), *ours = v9_format("%s/f.socket", here), *theirs = v9_format("%s/t.socket", here);
	char *first, *second, *at, *comm;

	if (system("rm -rf proc; mkdir -p proc/21/fd proc/22/fd"))
		tap_ok(false, "directories");
	first = v9_format("proc/%s", first_of("21", "22"));
	second = v9_strdup(strcmp(first, "proc/21") ? "proc/21" : "proc/22");
	for (int i = 0; i < 2; i++) {
		comm = v9_format("%s/comm", i ? first : second);
		write_text(comm, "v9trace\n");
		at = v9_format("%s/fd/3", i ? first : second);
		tap_eq(symlink(i ? theirs : ours, at), 0, "descriptor");
		free(at);
		free(comm);
	}
	at = v9_format("%s/fd/3", second);
	if (chown(first, 12345, 12345)) {
		tap_skip("not root", "foreign_process");
		tap_skip("not root", "foreign_socket");
	} else {
		tap_ok(!look(&a, &c, 4) && !strcmp(a.ask.path, at), "foreign_process");
		v9_ask_free(&a.ask);
		tap_ok(!chown(first, geteuid(), getegid()) && !chown("t.socket", 12345, 12345), "owners");
		tap_ok(!v9_attach_look(&a, &c) && !strcmp(a.ask.path, at), "foreign_socket");
	}
	v9_listen_stop(s);
	v9_listen_stop(t);
	v9_worker_stop(w, 1, &total);
	v9_live_copy_free(&c);
	v9_ask_free(&a.ask);
	free(at);
	free(first);
	free(second);
	free(ours);
	free(theirs);
	free(here);
}

int main(void)
{
	char dir[] = "/tmp/v9-attach.XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 2;
	sums();
	left_over();
	many();
	many_objects();
	slow_readers();
	full();
	at_once();
	wrong();
	found();
	foreign();
	tap_remove(dir);
	return tap_done();
}
