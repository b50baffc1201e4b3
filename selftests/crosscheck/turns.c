// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that alternates with a guest under KVM whose virtual counter begins at 0, so that
 * CNTVOFF_EL2 has the host's count while KVM has the guest loaded.
 *
 * 	turns ROUNDS	exit status 2: there is no KVM
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm.h"

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 20;
	struct vm vm;
	int err = vm_open(&vm);

	for (int i = 0; i < rounds && !err; i++) {
		for (volatile int j = 0; j < 2000; j++)
			;
		err = vm_rounds(&vm, 5);
	}
	if (err) {
		fprintf(stderr, "turns: %s\n", strerror(-err));
		return 2;
	}
	vm_close(&vm);
	return 0;
}
