// SPDX-License-Identifier: GPL-2.0-only
/* The input is an ELF file: each byte of the code that is found must be readable. */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#include "../../tools/lib/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	volatile uint8_t seen = 0;
	struct v9_image img;
	char path[64];
	int fd;

	if (size > 1 << 20)
		return 0;
	fd = memfd_create("program", MFD_CLOEXEC);
	REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	v9_image_init(&img);
	v9_image_add_elf(&img, 0, path, 0x1000);
	for (size_t i = 0; i < img.nr_pieces; i++) {
		const struct v9_piece *piece = &img.pieces[i];
		const uint8_t *p;
		size_t n;

		REQUIRE(piece->start <= piece->last);
		p = v9_image_code(&img, 0, piece->start, &n);
		REQUIRE(p && n && n <= size);
		seen ^= p[0] ^ p[n - 1];
	}
	v9_image_free(&img);
	close(fd);
	(void)seen;
	return 0;
}
