// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * v9trace --version. Libraries that know their version are asked; of the others the makefile defines
 * the version that this program was built with.
 */
#include <elfutils/version.h>
#include <json-c/json.h>
#include <ncurses.h>
#include <sqlite3.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

#include "util.h"

#ifdef V9_STATIC
#define LINKED	"statically"
#define DYNAMIC	false
#else
#define LINKED	"dynamically"
#define DYNAMIC	true
#endif

static const struct {
	const char *name;
	bool has;
} features[] = {
	{ "zstd", true },	/* compressed captures and their code */
	{ "debuginfod", DYNAMIC },	/* libdebuginfod is loaded when a server is to be asked */
	{ "disassembler", DYNAMIC },	/* LLVM is loaded when instructions are shown */
};

void v9_version(void)
{
	printf("v9trace %s\n", V9TRACE_VERSION);
	printf("libraries, linked %s:\n", LINKED);
	printf("  libperf %s\n", V9_LIBPERF);
	printf("  libtraceevent %s\n", V9_LIBTRACEEVENT);
	printf("  libelf %d.%d\n", _ELFUTILS_VERSION / 1000, _ELFUTILS_VERSION % 1000);
	printf("  libdw %d.%d\n", _ELFUTILS_VERSION / 1000, _ELFUTILS_VERSION % 1000);
	printf("  libz %s\n", zlibVersion());
	printf("  libsqlite3 %s\n", sqlite3_libversion());
	printf("  libzstd %s\n", ZSTD_versionString());
	printf("  libjson-c %s\n", json_c_version());
	printf("  libncurses %d.%d\n", NCURSES_VERSION_MAJOR, NCURSES_VERSION_MINOR);
	printf("features:\n");
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		printf("  %s: %s\n", features[i].name, features[i].has ? "yes" : "no");
}
