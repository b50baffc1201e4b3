// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control group of a thread at a time: that of its next sample, or else that which was last read in
 * /proc, or else that of the thread that created it.
 */
#include <string.h>

#include <v9trace/base.h>

#include "tap.h"
#include "../../tools/capture/cgroup.h"
#include "../../tools/perfdata.h"

static struct v9_strtab strings;

#define IS(c, tid, time, want, ...) do { \
	const char *got_ = v9_cgroups_path(c, tid, time), *want_ = want; \
	tap_ok(got_ == want_ || (got_ && want_ && !strcmp(got_, want_)), __VA_ARGS__); \
} while (0)

static void samples(void)
{
	struct v9_cgroups c = { .strtab = &strings };

	v9_cgroups_name(&c, 5, "/a", 99);
	v9_cgroups_name(&c, 6, "/b", 99);
	v9_cgroups_add(&c, 200, 7, V9_CGROUP_SAMPLED, 6);
	v9_cgroups_add(&c, 100, 7, V9_CGROUP_SAMPLED, 5);
	v9_cgroups_add(&c, 150, 8, V9_CGROUP_SAMPLED, 9);
	v9_cgroups_seal(&c);
	IS(&c, 7, 0, "/a", "sample_before");
	IS(&c, 7, 100, "/a", "sample_at");
	IS(&c, 7, 101, "/b", "sample_next");
	IS(&c, 7, 200, "/b", "sample_last");
	IS(&c, 7, UINT64_MAX, "/b", "sample_after");
	IS(&c, 8, 1, "[cgroup 9]", "sample_of_no_name");
	IS(&c, 6, 100, NULL, "sample_of_nobody_below");
	IS(&c, 9, 100, NULL, "sample_of_nobody_above");
	tap_eq(c.nr_sampled, 3, "samples_counted");
	v9_cgroups_free(&c);
}

static void reads(void)
{
	struct v9_cgroups c = { .strtab = &strings };

	v9_cgroups_name(&c, 5, "/a", 99);
	v9_cgroups_name(&c, 6, "/b", 99);
	v9_cgroups_name(&c, 7, "/c", 99);
	v9_cgroups_add(&c, 0, 20, V9_CGROUP_READ, 5);
	v9_cgroups_add(&c, 300, 20, V9_CGROUP_READ, 6);
	/* threads that 20 created before and after it was moved to another group */
	v9_cgroups_add(&c, 250, 21, V9_CGROUP_FORKED, 20);
	v9_cgroups_add(&c, 350, 22, V9_CGROUP_FORKED, 20);
	v9_cgroups_add(&c, 260, 23, V9_CGROUP_FORKED, 21);
	/* the ID of a thread that ended is used again: the group of the new thread is not known */
	v9_cgroups_add(&c, 100, 24, V9_CGROUP_SAMPLED, 5);
	v9_cgroups_add(&c, 200, 24, V9_CGROUP_FORKED, 99);
	/* a sample after an exec does not tell the group before that exec */
	v9_cgroups_add(&c, 0, 25, V9_CGROUP_READ, 5);
	v9_cgroups_add(&c, 300, 25, V9_CGROUP_READ, 6);
	v9_cgroups_add(&c, 400, 25, V9_CGROUP_SAMPLED, 7);
	/* two threads that created each other: a damaged capture */
	v9_cgroups_add(&c, 10, 30, V9_CGROUP_FORKED, 31);
	v9_cgroups_add(&c, 10, 31, V9_CGROUP_FORKED, 30);
	v9_cgroups_seal(&c);
	IS(&c, 20, 299, "/a", "read_until_next");
	IS(&c, 20, 300, "/b", "read_from_then_on");
	IS(&c, 20, UINT64_MAX, "/b", "read_for_ever");
	IS(&c, 21, 300, "/a", "forked_before");
	IS(&c, 22, 350, "/b", "forked_after");
	IS(&c, 23, 260, "/a", "forked_of_forked");
	IS(&c, 24, 100, "/a", "number_of_the_old_thread");
	IS(&c, 24, 201, NULL, "number_used_again");
	IS(&c, 25, 299, "/a", "exec_before");
	IS(&c, 25, 301, "/c", "exec_then_sample");
	IS(&c, 30, 10, NULL, "circle");
	tap_eq(c.nr_read, 4, "reads_counted");
	v9_cgroups_free(&c);
}

#define ID	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* Names as Docker, containerd, CRI-O, Podman and systemd give them */
static void parts(void)
{
	static const struct {
		const char *path, *container, *unit, *name;
	} rows[] = {
		{ "/", "", "", "root" },
		{ "/docker/" ID, ID, "", "docker" },
		{ "/system.slice/docker-" ID ".scope", ID, "docker-" ID ".scope", "docker_of_systemd" },
		{ "/kubepods.slice/kubepods-pod1.slice/cri-containerd-" ID ".scope", ID,
		  "cri-containerd-" ID ".scope", "containerd" },
		{ "/machine.slice/libpod-" ID ".scope/container", ID, "libpod-" ID ".scope", "below_podman" },
		{ "/machine.slice/libpod-conmon-" ID ".scope", "", "libpod-conmon-" ID ".scope", "monitor" },
		{ "/conmon-" ID, "", "", "monitor_without_scope" },
		{ "/docker/" ID "0", "", "", "longer_id" },
		{ "/docker/0" ID, "", "", "longer_id_in_front" },
		{ "/docker/x" ID, "", "", "other_letter_in_front" },
		{ "/docker/1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde", "", "", "shorter_id" },
		{ "/docker/g123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "", "", "no_digit" },
		{ "/docker/" ID "/docker/f" "123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		  "f123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "", "innermost_container" },
		{ "/system.slice/nginx.service", "", "nginx.service", "service" },
		{ "/system.slice", "", "", "slice" },
		{ "/user.slice/user-0.slice/user@0.service/app.slice/x.service/below", "", "x.service",
		  "innermost_unit" },
		{ "/a.services/b.scopes", "", "", "other_suffix" },
		{ "[cgroup 9]", "", "", "no_path" },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		size_t n;
		const char *at = v9_cgroup_container(rows[i].path, &n);

		tap_ok(n == strlen(rows[i].container) && !strncmp(at ? at : "", rows[i].container, n) && !at == !n,
		       "container_%s", rows[i].name);
		at = v9_cgroup_unit(rows[i].path, &n);
		tap_ok(n == strlen(rows[i].unit) && !strncmp(at ? at : "", rows[i].unit, n) && !at == !n,
		       "unit_%s", rows[i].name);
	}
}

static void only(void)
{
	struct v9_cgroups c = { .strtab = &strings };
	static const char *const want[] = { NULL, "/a", NULL, NULL, "/b", NULL };

	v9_cgroups_name(&c, 5, "/a", 99);
	v9_cgroups_name(&c, 6, "/b", 99);
	v9_cgroups_add(&c, 0, 41, V9_CGROUP_READ, 5);
	v9_cgroups_add(&c, 9, 41, V9_CGROUP_SAMPLED, 5);
	v9_cgroups_add(&c, 0, 42, V9_CGROUP_READ, 5);
	v9_cgroups_add(&c, 9, 42, V9_CGROUP_SAMPLED, 6);
	v9_cgroups_add(&c, 0, 43, V9_CGROUP_FORKED, 99);
	v9_cgroups_add(&c, 0, 44, V9_CGROUP_READ, 6);
	v9_cgroups_seal(&c);
	for (uint32_t i = 0; i < V9_ARRAY_SIZE(want); i++) {
		const char *got = v9_cgroups_only(&c, 40 + i);

		tap_ok(got == want[i] || (got && want[i] && !strcmp(got, want[i])), "only_%u", i);
	}
	v9_cgroups_free(&c);
}

static void sections(void)
{
	struct { uint32_t head[2]; struct pd_cgroup row[2]; } s = {
		{ 1, 2 }, { { 5, 77, 1, 2 }, { 6, 78, 3, 4 } },
	};

	for (size_t size = 0; size <= sizeof(s); size++) {
		struct v9_cgroups c = { .strtab = &strings };
		uint8_t *copy = malloc(size + 1);

		memcpy(copy, &s, size);
		v9_cgroups_section(&c, copy, size);
		tap_eq(c.nr, size < 8 ? 0 : (size - 8) / 24, "section_cut");
		if (c.nr == 2)
			tap_ok(c.at[1].time == 6 && c.at[1].id == 78 && c.at[1].tid == 4,
			       "section_row");
		v9_cgroups_free(&c);
		free(copy);
	}
	s.head[0] = 2;
	for (unsigned int i = 0; i < 2; i++) {
		struct v9_cgroups c = { .strtab = &strings };

		v9_cgroups_section(&c, (uint8_t *)&s, sizeof(s));
		tap_eq(c.nr, i ? 2 : 0, "section_version_%u", 2 - i);
		v9_cgroups_free(&c);
		s.head[0] = 1;
		s.head[1] = i ? 2 : UINT32_MAX;
	}
}

static void below(void)
{
	tap_ok(v9_cgroup_within("/a/b", "/a"), "within_child");
	tap_ok(v9_cgroup_within("/a", "/a"), "within_itself");
	tap_ok(!v9_cgroup_within("/ab", "/a"), "within_longer_name");
	tap_ok(!v9_cgroup_within("/a", "/a/b"), "within_parent");
	tap_ok(v9_cgroup_within("/a", "/"), "within_root");
}

int main(void)
{
	samples();
	reads();
	sections();
	below();
	parts();
	only();
	v9_strtab_free(&strings);
	return tap_done();
}
