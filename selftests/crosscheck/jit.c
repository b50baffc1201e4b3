// SPDX-License-Identifier: GPL-2.0-only
/*
 * jit dump|apart|map: a program that generates 24 functions and calls function I, from 0 on, I + 1 times.
 * "dump": each function replaces the one before it at the same address, and is described in a
 * jitdump in the current directory. "apart": likewise, but each function has an address of its own. "map":
 * so has each, and is described in /tmp/perf-PID.map.
 *
 * Function I consists of I + 1 times ADD X0, X0, #1, then MOV X1, #3, then SUB and CBNZ, which are
 * executed three times, then RET: a call executes I + 9 instructions.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define FUNCTIONS	24
#define ROOM		64	/* words of a function */

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static unsigned int generate(uint32_t *code, unsigned int i)
{
	unsigned int n = 0;

	for (unsigned int k = 0; k <= i; k++)
		code[n++] = 0x91000400;		/* ADD X0, X0, #1 */
	code[n++] = 0xd2800061;			/* MOV X1, #3 */
	code[n++] = 0xd1000421;			/* SUB X1, X1, #1 */
	code[n++] = 0xb5ffffe1;			/* CBNZ X1, the SUB */
	code[n++] = 0xd65f03c0;			/* RET */
	return n;
}

struct head {
	uint32_t magic, version, size, machine, pad, pid;
	uint64_t time, flags;
};

struct load {
	uint32_t id, size;
	uint64_t time;
	uint32_t pid, tid;
	uint64_t vma, addr, bytes, index;
	char name[7];			/* with the terminating 0 */
	uint32_t code[ROOM];
} __attribute__((packed));

static int dump = -1;
static FILE *map;

static int start_dump(void)
{
	const struct head h = { 0x4a695444, 1, sizeof(h), 183, 0, (uint32_t)getpid(), now(), 0 };
	char name[64];

	snprintf(name, sizeof(name), "jit-%d.dump", getpid());
	dump = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
	if (dump < 0 || write(dump, &h, sizeof(h)) != sizeof(h))
		return 1;
	/* perf learns the path of the file from the record of this mapping. */
	return mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) ==
	       MAP_FAILED;
}

static int describe(const uint32_t *code, unsigned int n, unsigned int i)
{
	struct load l = { .time = now(), .pid = (uint32_t)getpid(), .tid = (uint32_t)getpid(),
			  .vma = (uintptr_t)code, .addr = (uintptr_t)code, .bytes = n * 4, .index = i };

	if (map)
		return fprintf(map, "%lx %x gen_%02u\n", (unsigned long)(uintptr_t)code, n * 4, i) < 0;
	memcpy(l.name, (const char[7]){ 'g', 'e', 'n', '_', (char)('0' + i / 10), (char)('0' + i % 10) },
	       sizeof(l.name));
	l.size = (uint32_t)(offsetof(struct load, code) + n * 4);
	memcpy((char *)&l + offsetof(struct load, code), code, n * 4);
	return write(dump, &l, l.size) != (ssize_t)l.size;
}

int main(int argc, char **argv)
{
	uint32_t *page = mmap(NULL, 4 * ROOM * FUNCTIONS, PROT_READ | PROT_WRITE | PROT_EXEC,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t sum = 0, want = 0;
	char name[64];

	if (argc != 2 || page == MAP_FAILED)
		return 2;
	if (!strcmp(argv[1], "map")) {
		snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
		map = fopen(name, "w");
		if (!map)
			return 1;
	} else if (start_dump()) {
		return 1;
	}
	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		uint32_t *code = strcmp(argv[1], "dump") ? page + i * ROOM : page;
		const unsigned int n = generate(code, i);
		uint64_t (*function)(uint64_t);

		memcpy(&function, &code, sizeof(function));
		__builtin___clear_cache((char *)code, (char *)(code + n));
		if (describe(code, n, i))
			return 1;
		for (unsigned int k = 0; k <= i; k++) {
			sum = function(sum);
			want += i + 1;
		}
	}
	if (map && fclose(map))
		return 1;
	return sum != want;
}
