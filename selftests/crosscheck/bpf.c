// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads a BPF program as the filter of a socket, sends packets to the socket, and unloads the
 * program; then the same with a longer program. v9_a runs 5 times, v9_b runs 7 times.
 */
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SO_ATTACH_BPF
#define SO_ATTACH_BPF	50
#endif
#ifndef SO_DETACH_BPF
#define SO_DETACH_BPF	27
#endif

static int load(const char *name, unsigned int more)
{
	static struct bpf_insn code[64];
	unsigned int n = 0;
	union bpf_attr attr;

	code[n++] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 0xffff };
	while (more--)
		code[n++] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_ADD | BPF_K, .imm = 1 };
	code[n++] = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = (uintptr_t)code;
	attr.insn_cnt = n;
	attr.license = (uintptr_t)"GPL";
	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", name);
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static int use(const char *name, unsigned int more, unsigned int times)
{
	const int fd = load(name, more);
	int pair[2];
	char c = 0;

	if (fd < 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) ||
	    setsockopt(pair[1], SOL_SOCKET, SO_ATTACH_BPF, &fd, sizeof(fd))) {
		perror(name);
		return 1;
	}
	sleep(1);		/* the recorder reads the code meanwhile */
	while (times--)
		if (write(pair[0], &c, 1) != 1 || read(pair[1], &c, 1) != 1)
			return 1;
	close(pair[0]);
	close(pair[1]);
	close(fd);
	sleep(1);		/* the kernel frees the program some time after close() */
	return 0;
}

int main(void)
{
	return use("v9_a", 10, 5) || use("v9_b", 20, 7);
}
