// SPDX-License-Identifier: GPL-2.0-only
/*
 * auxcat -r CAPTURE FILE: writes all AUX bytes of a capture. auxcat CAPTURE PROGRAM TRACE: writes
 * the trace of a capture, and on stdout the input of a benchmark (spec.h): registers of the first
 * trace unit, code of a static program. The capture must be of one thread on one CPU; times and
 * tasks are ignored.
 */
#include <elf.h>
#include <stdbool.h>

#include "../../tools/perfdata.h"
#include "spec.h"

/* Prints the executable segments of PROGRAM, which runs at its link address. */
static void code(const char *path)
{
	uint64_t size = 0;
	const uint8_t *p = spec_read(path, 0, &size);
	Elf64_Ehdr e;
	Elf64_Phdr ph;

	memcpy(&e, p, sizeof(e));
	for (unsigned int i = 0; i < e.e_phnum; i++) {
		memcpy(&ph, p + e.e_phoff + i * sizeof(ph), sizeof(ph));
		if (ph.p_type == PT_LOAD && ph.p_flags & PF_X)
			printf("code %" PRIx64 " %" PRIx64 " %" PRIx64 " %s\n", ph.p_vaddr,
			       ph.p_offset, ph.p_filesz, path);
	}
}

static void regs(const struct pd_event_header *h)
{
	static const unsigned int order[] = {
		PD_ETE_TRCIDR0, PD_ETE_TRCIDR1, PD_ETE_TRCIDR2, PD_ETE_TRCIDR8, PD_ETE_TRCDEVARCH,
		PD_ETE_TRCCONFIGR, PD_ETE_TRCTRACEIDR };
	const uint64_t *unit = (const uint64_t *)((const uint8_t *)h +
						  sizeof(struct pd_auxtrace_info)) + PD_ETM_WORDS;

	if (unit[PD_ETM_CPU_MAGIC] != PD_ETE_MAGIC)
		spec_die("no ETE", "capture");
	printf("regs");
	for (unsigned int i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		printf(" %" PRIx64, unit[order[i]]);
	printf("\n");
}

int main(int argc, char **argv)
{
	struct pd_event_header h;
	struct pd_auxtrace aux;
	struct pd_header head;
	uint64_t size = 0, first = 0, pieces = 0, at, end;
	uint8_t *p;
	FILE *out;
	bool raw;

	if (argc != 4)
		return 2;
	raw = !strcmp(argv[1], "-r");
	p = spec_read(argv[1 + raw], 0, &size);
	memcpy(&head, p, sizeof(head));
	out = fopen(argv[3], "wb");
	if (!out)
		spec_die("cannot be written", argv[3]);
	if (!raw)
		printf("trace %s 1\n", argv[3]);
	at = head.data.offset;
	end = at + head.data.size;
	while (at + sizeof(h) <= end && end <= size) {
		memcpy(&h, p + at, sizeof(h));
		if (h.size < sizeof(h))
			spec_die("broken record", argv[1 + raw]);
		if (h.type == PD_REC_AUXTRACE_INFO && !raw)
			regs((const struct pd_event_header *)(p + at));
		if (h.type == PD_REC_AUXTRACE) {
			memcpy(&aux, p + at, sizeof(aux));
			/* A recorder rounds sizes up; the next chunk overwrites the rounding. */
			if (!pieces++)
				first = aux.offset;
			if (!raw)
				fseek(out, (long)(aux.offset - first), SEEK_SET);
			fwrite(p + at + h.size, 1, aux.size, out);
			at += aux.size;
		}
		at += h.size;
	}
	fclose(out);
	if (!raw)
		code(argv[2]);
	return 0;
}
