/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* GNU build-ids of ELF files, and of the notes in sysfs */
#ifndef V9TRACE_COLLECT_ID_H
#define V9TRACE_COLLECT_ID_H

#include <stddef.h>
#include <stdint.h>

struct v9_id {
	uint8_t bytes[20];
	uint8_t size;			/* in bytes; 0: not known */
};

/* Each returns an id of size 0 if there is none. */
struct v9_id v9_id_of_fd(int fd);
struct v9_id v9_id_of_file(const char *path);
struct v9_id v9_id_of_image(void *image, size_t size);
struct v9_id v9_id_of_notes(void *notes, size_t size);

#endif
