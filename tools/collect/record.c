// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace record: open events, write the initial state, drain until the end, finish the file. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <json-c/json.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "../ask.h"
#include "../commands.h"
#include "../listen.h"
#include "../util.h"
#include "snapper.h"
#include "cgroups.h"
#include "child.h"
#include "code.h"
#include "control.h"
#include "flight.h"
#include "heap.h"
#include "latency.h"
#include "loop.h"
#include "overhead.h"
#include "pmu_counts.h"
#include "profiles.h"
#include "record.h"
#include "rings.h"
#include "sections.h"
#include "sideband.h"
#include "writer.h"

#define DATA_BYTES	(512 << 10)
#define AUX_BYTES_ROOT	(4 << 20)
#define AUX_BYTES_USER	(128 << 10)
#define DATA_BYTES_USER	(128 << 10)
#define RESERVE		(256 << 10)
#define INSTRUMENTATION	(UINT64_C(1) << 63)	/* attr.config of v9_ete: the option */

static const char usage[] =
	"usage: v9trace record [OPTION]... [--] COMMAND [ARG]...\n"
	"       v9trace record [OPTION]... -p PIDS | -t TIDS | -a | -C CPUS [[--] COMMAND]\n"
	"\n"
	"Records SPE, instructions (cs_etm) and other events into a file that 'v9trace report',\n"
	"'v9trace script' and perf read. Ends with COMMAND, or with Ctrl-C, and keeps the data.\n"
	"\n"
	"  -e, --event EVENT   what: arm_spe_0/OPTION=VALUE,.../u, cs_etm//u, sched:sched_switch;\n"
	"                      repeatable; default each arm_spe_<n>//; 'v9trace list' shows what there is\n"
	"  -a, --all-cpus      all CPUs\n"
	"  -C, --cpu CPUS      these CPUs, such as 0,2-3\n"
	"  -p, --pid PIDS      processes that run, such as 12,34, with threads and later children\n"
	"  -t, --tid TIDS      threads\n"
	"      --duration SEC  stop after so many seconds; the command goes on\n"
	"  -D, --delay MS      begin after so many ms; minus 1: when --control says so\n"
	"      --control fifo:COMMANDS[,ACK], fd:NUMBER[,NUMBER], socket\n"
	"                      commands while it runs: enable, disable, snapshot, stop, ping, pause, resume,\n"
	"                      now; socket: FILE.control, for 'v9trace pause' and 'resume', which\n"
	"                      --aggregate and --flight always have\n"
	"  -o, --output FILE   default perf.data; an older FILE becomes FILE.old; - is standard output,\n"
	"                      which has the file at the end; of SPE and ETE at once there is FILE.spe, too\n"
	"  -c, --count N       sample one in N operations (without SPE: of every event)\n"
	"  -F, --freq N        N samples a second; not of SPE and traces, which have a period\n"
	"      --data          mappings of data, too: names of data addresses\n"
	"      --all-cgroups   control groups, too: which one each thread is in\n"
	"      --wakeups       who wakes whom, and when, for the waits of v9trace report\n"
	"      --heap[=FILE]   calls of malloc() and others (FILE has them; default the C library), for\n"
	"                      the heap blocks of data addresses; root only\n"
	"  -j, --branch-filter LIST\n"
	"                      samples with the branches before them: any, any_call, any_ret, ind_call,\n"
	"                      ind_jmp, call, cond, and u, k, hv, hw_index, priv, ... as in perf;\n"
	"                      default event v9_brbe// or, without that PMU, cycles\n"
	"  -b, --branch-any    the same as -j any\n"
	"  -m, --mmap-pages [DATA][,AUX]\n"
	"                      buffers per CPU: pages, or a size such as 1M; powers of two\n"
	"  -z, --compression-level[=N]\n"
	"                      records, not traces, packed with zstd; default level 1\n"
	"      --flight        keep the newest trace (cs_etm) of each CPU until the end\n"
	"      --trigger WHAT  with --flight: the end is there, FUNCTION@FILE, FUNCTION@kernel,\n"
	"                      sdt:PROVIDER:NAME@FILE, an address, event:NUMBER; #N behind it: the N-th\n"
	"                      time; or ping:MS: no ping by --control for so many ms; or latency:CYCLES:\n"
	"                      an SPE record with at least so much total latency (#N, too); this one also\n"
	"                      with --aggregate: a recorder with --flight is asked for its trace\n"
	"      --flight-of RECORDER\n"
	"                      which one: its PID, the argument of its -o, or its socket; default the only one\n"
	"      --trigger-delay TIME\n"
	"                      with latency: such a record is to be seen so soon, 2ms to 1m; default 100ms\n"
	"      --arm-after TIME\n"
	"                      no trigger in the first TIME (30s, 500ms)\n"
	"      --snapshots N   write the trace at N triggers; the recording ends with the last, with\n"
	"                      --aggregate it goes on, and failed ones do not count\n"
	"      --after SIZE    trace to follow the trigger; default half of the buffer\n"
	"      --metadata=1    SPE for perf before 6.13; default 2, for newer ones\n"
	"      --switch-output[=signal|SIZE|TIME]\n"
	"                      a new file on SIGUSR2, after 100M, after 30s: FILE.TIMESTAMP\n"
	"      --switch-max-files N\n"
	"                      keep the newest N of these files\n"
	"      --switch-max-size SIZE\n"
	"                      keep the newest of them up to SIZE together, such as 2G; both options are\n"
	"                      also for the files of 'v9trace flight --now'\n"
	"      --aggregate[=TIME]\n"
	"                      no trace is kept: profiles for pprof of a minute each, or of TIME (30s, 5m),\n"
	"                      FILE.TIMESTAMP.pb.gz, of SPE; -o may be a directory\n"
	"      --mem           with it: samples by cache line of the data, too\n"
	"      --shard         with it: FILE.TIMESTAMP.shard, shards as of v9trace merge, with CPU types\n"
	"      --memory SIZE   with it: memory for what is added up; default 64M\n"
	"      --overhead PERCENT\n"
	"                      with it, and -a or -C: change the period so that recording takes at most so much\n"
	"                      of the time of the CPUs: own CPU time and the unit's interrupts, but not memory\n"
	"                      traffic, the memory of the buffers, the kernel's side-band records; with the\n"
	"                      trigger latency: what looking for such records takes at most; default 1%\n"
	"      --max-period N  with it: the longest period; default 16777216. -c is the shortest\n"
	"      --check         count events of the PMU that the units generate, too, and show them beside\n"
	"                      what was recorded\n"
	"  -q, --quiet         no progress, no summary\n"
	"      --json[=FILE]   the summary as one line of JSON, on standard output or in FILE\n"
	"  -h, --help          this\n"
	"\n"
	"Exit status: COMMAND's own, 128 + N if signal N ended it; 0 without COMMAND;\n"
	"1 recording failed or was cut short; 2 this command line is wrong;\n"
	"126, 127 COMMAND cannot be run, is not found.\n";

struct options {
	struct v9_target target;
	const char *output, *mmap, *json;
	bool to_stdout;		/* the finished file is copied there; then .output is for messages */
	char *place;		/* of the file until then */
	struct v9_event_spec *ev;
	int evs;
	uint64_t period, freq;
	uint64_t delay_ns, duration_ns;
	bool late;		/* -D: begin later */
	bool data;		/* record mappings of data */
	bool cgroups;		/* record control groups */
	bool wakeups;		/* record wake-ups of threads */
	struct v9_heap_probes heap;
	const char *control;
	uint64_t branches;	/* V9_BRANCH_*; 0: no branch stacks */
	size_t data_bytes, aux_bytes;
	int level;		/* of compression; 0: none */
	unsigned int metadata;	/* of SPE, version; 0: the newest */
	bool quiet, has_json;
	struct v9_flight flight;
	struct v9_latency_trigger latency;
	struct v9_snapper snapper;
	struct v9_switch_output files;
	struct v9_profiles_options profiles;
	struct v9_overhead overhead;
	bool check;
	char *prefix;		/* of the names of profiles */
	char **command;		/* NULL: none */
};

#define NUMBERS	18	/* of the JSON summary */
struct number { const char *name; uint64_t value; };

struct recording {
	struct options opt;
	struct v9_rings rings;
	struct v9_writer out;
	struct v9_objects objects;
	struct v9_record_counts counts;		/* of the current file */
	uint64_t before[NUMBERS];		/* values of get_numbers(), sums of the files before it */
	struct v9_child child;
	struct v9_control control;
	struct v9_socket *listener;		/* NULL: no other program can ask */
	char *what;				/* is recorded */
	struct v9_kernel_copy kernel;
	struct v9_compat compat;		/* of all files */
	struct v9_pmu_counts check;
	struct v9_cgroup_log cgroups;
	enum v9_flight_end flight_end;
	struct v9_blob sections[PD_FEATURE_BITS];
	struct v9_loop loop;
	struct v9_profiles *profiles;		/* NULL: a capture is written */
	struct v9_profiles_sums sums;		/* of these */
	char **argv;
	int switch_error;			/* -errno: no other file could be begun */
	const char *file;			/* name of the last complete file; NULL: .opt.output */
};

/* ------------------------------------------------------------------------- options */

static int parse_number(const char *option, const char *text, uint64_t max, uint64_t *value)
{
	const char *end = text;

	if (v9_take_number(&end, 0, max, value) && !*end && *value)
		return 0;
	v9_error("%s %s: a number from 1 to %llu is wanted", option, text, (unsigned long long)max);
	return -EINVAL;
}

/* "12,34" */
static int parse_tasks(const char *option, const char *text, struct v9_target *t)
{
	const char *at = text;
	int ret = 0;

	while (!ret) {
		const size_t n = strcspn(at, ",");
		char *one = v9_format("%.*s", (int)n, at);
		uint64_t pid = 0;

		ret = parse_number(option, one, INT32_MAX, &pid);
		free(one);
		t->pid = v9_realloc(t->pid, (size_t)(t->pids + 1) * sizeof(*t->pid));
		t->pid[t->pids++] = (int)pid;
		if (!at[n])
			break;
		at += n + 1;
	}
	return ret;
}

static int parse_delay(const char *text, struct options *o)
{
	uint64_t ms;
	int ret;

	o->late = true;
	if (!strcmp(text, "-1")) {
		o->delay_ns = UINT64_MAX;
		return 0;
	}
	ret = parse_number("-D", text, UINT32_MAX, &ms);
	o->delay_ns = ms * 1000000;
	return ret;
}

int v9_record_duration(const char *text, uint64_t *ns)
{
	char *end;
	double seconds;

	errno = 0;
	seconds = strtod(text, &end);
	*ns = seconds > 0 && seconds <= 366 * 86400.0 ? (uint64_t)(seconds * 1e9) : 0;
	if (((*text >= '0' && *text <= '9') || *text == '.') && !*end && !errno && *ns)
		return 0;
	v9_error("--duration %s: wanted are seconds, such as 10 or 0.5", text);
	return -EINVAL;
}

/* Greatest frequency of the first CPU in Hz; 2 GHz if the kernel does not say */
static uint64_t clock_of_cpu(void)
{
	char *line = v9_read_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
	const uint64_t khz = line ? strtoull(line, NULL, 10) : 0;

	free(line);
	return khz ? khz * 1000 : 2000000000;
}

/* -F: only perf's counters can adapt their period. */
static int set_frequency(struct options *o)
{
	if (o->period) {
		v9_error("-F %llu: either a frequency or, with -c, a period", (unsigned long long)o->freq);
		return -EINVAL;
	}
	for (int i = 0; i < o->evs; i++) {
		const uint64_t hz = clock_of_cpu(), period = hz / o->freq;

		if (!o->ev[i].aux)
			continue;
		if (o->ev[i].aux->needs_code)
			v9_error("-F %llu: %s records all that is executed: it has no frequency",
				 (unsigned long long)o->freq, o->ev[i].label);
		else
			v9_error("-F %llu: %s samples one in N operations, and the hardware has no frequency; "
				 "about that many a second of a busy CPU give -c %llu (%.1f GHz, one operation "
				 "a cycle)", (unsigned long long)o->freq, o->ev[i].label,
				 (unsigned long long)(period ? period : 1), (double)hz / 1e9);
		return -EINVAL;
	}
	v9_spec_frequency(o->ev, o->evs, o->freq);
	return 0;
}

static int set_target(struct options *o, enum v9_target_kind kind, const char *option)
{
	if (o->target.kind == V9_TARGET_COMMAND) {
		o->target.kind = kind;
		return 0;
	}
	v9_error("%s: only one of -a, -C, -p, -t can be chosen", option);
	return -EINVAL;
}

/* "[DATA][,AUX]", each in pages, or in bytes with K, M, G */
static int parse_mmap(struct options *o)
{
	bool root = !geteuid();
	size_t page = sysconf(_SC_PAGESIZE);
	const char *comma;
	uint64_t data = root ? DATA_BYTES : DATA_BYTES_USER;
	uint64_t aux = root ? AUX_BYTES_ROOT : AUX_BYTES_USER;

	if (o->mmap) {
		comma = strchrnul(o->mmap, ',');
		if ((comma > o->mmap && v9_ev_size(o->mmap, comma - o->mmap, page, &data)) ||
		    (*comma && v9_ev_size(comma + 1, strlen(comma + 1), page, &aux)))
			goto bad;
	}
	if (data & (data - 1) || aux & (aux - 1) || data < page || aux < page)
		goto bad;
	o->data_bytes = data;
	o->aux_bytes = aux;
	return 0;
bad:
	v9_error("-m %s: wanted is [DATA][,AUX], powers of two, in pages or as 64K, 1M", o->mmap);
	return -EINVAL;
}

/* Without -e: SPE of all CPU types; with --flight: ETE, and SPE for its trigger; with -j: branch stacks. */
static int default_event(struct options *o)
{
	char text[] = "arm_spe_0//";
	int err = o->flight.on ? v9_spec_add("cs_etm//", &o->ev, &o->evs) : 0;

	if (err || (o->flight.on && !o->flight.latency))
		return err;
	if (o->branches)
		return v9_spec_add_branches(&o->ev, &o->evs);
	do {
		text[9] = '/';
		err = v9_spec_add(text, &o->ev, &o->evs);
		text[9] = 0;
		text[8]++;
	} while (!err && text[8] <= '9' && v9_pmu_exists(text));
	return err;
}

enum { OPT_JSON = 256, OPT_METADATA, OPT_FLIGHT, OPT_TRIGGER, OPT_AFTER, OPT_DURATION, OPT_CONTROL,
       OPT_DATA, OPT_CGROUPS, OPT_WAKEUPS, OPT_HEAP, OPT_SWITCH, OPT_SWITCH_MOST, OPT_AGGREGATE, OPT_MEM,
       OPT_MEMORY, OPT_SHARD, OPT_OVERHEAD, OPT_MAX_PERIOD, OPT_SWITCH_SIZE, OPT_ARM_AFTER,
       OPT_SNAPSHOTS, OPT_TRIGGER_DELAY, OPT_CHECK, OPT_FLIGHT_OF };

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "output", required_argument, NULL, 'o' },
	{ "count", required_argument, NULL, 'c' },
	{ "freq", required_argument, NULL, 'F' },
	{ "delay", required_argument, NULL, 'D' },
	{ "duration", required_argument, NULL, OPT_DURATION },
	{ "control", required_argument, NULL, OPT_CONTROL },
	{ "data", no_argument, NULL, OPT_DATA },
	{ "all-cgroups", no_argument, NULL, OPT_CGROUPS },
	{ "wakeups", no_argument, NULL, OPT_WAKEUPS },
	{ "heap", optional_argument, NULL, OPT_HEAP },
	{ "branch-filter", required_argument, NULL, 'j' },
	{ "branch-any", no_argument, NULL, 'b' },
	{ "mmap-pages", required_argument, NULL, 'm' },
	{ "compression-level", optional_argument, NULL, 'z' },
	{ "metadata", required_argument, NULL, OPT_METADATA },
	{ "switch-output", optional_argument, NULL, OPT_SWITCH },
	{ "switch-max-files", required_argument, NULL, OPT_SWITCH_MOST },
	{ "switch-max-size", required_argument, NULL, OPT_SWITCH_SIZE },
	{ "aggregate", optional_argument, NULL, OPT_AGGREGATE },
	{ "mem", no_argument, NULL, OPT_MEM },
	{ "memory", required_argument, NULL, OPT_MEMORY },
	{ "shard", no_argument, NULL, OPT_SHARD },
	{ "overhead", required_argument, NULL, OPT_OVERHEAD },
	{ "max-period", required_argument, NULL, OPT_MAX_PERIOD },
	{ "check", no_argument, NULL, OPT_CHECK },
	{ "quiet", no_argument, NULL, 'q' },
	{ "json", optional_argument, NULL, OPT_JSON },
	{ "flight", no_argument, NULL, OPT_FLIGHT },
	{ "trigger", required_argument, NULL, OPT_TRIGGER },
	{ "trigger-delay", required_argument, NULL, OPT_TRIGGER_DELAY },
	{ "flight-of", required_argument, NULL, OPT_FLIGHT_OF },
	{ "after", required_argument, NULL, OPT_AFTER },
	{ "arm-after", required_argument, NULL, OPT_ARM_AFTER },
	{ "snapshots", required_argument, NULL, OPT_SNAPSHOTS },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

static int parse_most_bytes(const char *text, struct options *o)
{
	if (!v9_ev_size(text, strlen(text), 1, &o->files.most_bytes))
		return 0;
	v9_error("--switch-max-size %s: wanted is a size, such as 500M or 2G", text);
	return -EINVAL;
}

static int parse_memory(const char *text, struct options *o)
{
	if (!v9_ev_size(text, strlen(text), 1, &o->profiles.memory) &&
	    o->profiles.memory >= V9_PROFILES_LEAST && o->profiles.memory <= SIZE_MAX)
		return 0;
	v9_error("--memory %s: wanted is a size of at least 4M, such as 64M or 1G", text);
	return -EINVAL;
}

/* --aggregate: no capture is written, so options of captures are refused. @switching: --switch-output */
static int check_profiles(struct options *o, bool switching)
{
	const struct {
		bool given;
		const char *option, *why;
	} refused[] = {
		{ switching, "--switch-output", "--aggregate=TIME says when a profile ends" },
		{ o->flight.on, "--flight", "the newest trace is not kept" },
		{ o->to_stdout, "-o -", "there are several profiles: -o DIRECTORY, or how their names begin" },
		{ o->level, "-z", o->profiles.shard ? "shards are text" : "profiles are packed with gzip" },
		{ o->metadata, "--metadata", "it is for captures" },
		{ o->branches, "-j", "only SPE is added up" },
		{ o->cgroups, "--all-cgroups", "profiles are by address, not by control group" },
		{ o->data, "--data", "--mem is by cache line, and names no data" },
		{ o->heap.on, "--heap", "profiles are by address, not by heap block" },
		{ o->profiles.lines && o->profiles.shard, "--mem",
		  "a shard has no cache lines, which differ from run to run: leave out --shard" },
	};

	if (!o->profiles.on && !o->profiles.lines && !o->profiles.memory && !o->profiles.shard)
		return 0;
	if (!o->profiles.on) {
		v9_error("%s: give --aggregate, too", o->profiles.lines ? "--mem" :
			 o->profiles.shard ? "--shard" : "--memory");
		return -EINVAL;
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (refused[i].given) {
			v9_error("--aggregate: %s: %s", refused[i].option, refused[i].why);
			return -EINVAL;
		}
	return 0;
}

/* With the trigger latency --overhead is the budget of its looks; but of --aggregate that of all. */
static int take_latency(struct options *o)
{
	if (o->snapper.recorder && (!o->flight.beside || !o->flight.latency)) {
		v9_error("--flight-of: it is for --trigger latency:CYCLES with --aggregate");
		return -EINVAL;
	}
	if (o->flight.latency && o->flight.beside)
		return 0;
	if (o->flight.latency) {
		o->latency.ppm = o->overhead.ppm;
		o->overhead.ppm = 0;
	} else if (o->latency.delay_ns) {
		v9_error("--trigger-delay: it is for --trigger latency:CYCLES");
		return -EINVAL;
	}
	return 0;
}

static int check_overhead(const struct options *o)
{
	const char *why = !o->profiles.on ? "give --aggregate, too" :
			  o->target.kind != V9_TARGET_CPUS ? "only with -a or -C: the period of an event that a "
			  "thread or child has inherited cannot be changed" : NULL;

	if (o->overhead.most && !o->overhead.ppm) {
		v9_error("--max-period: it is for --overhead; -c is the period without it");
		return -EINVAL;
	}
	if (!o->overhead.ppm || !why)
		return 0;
	v9_error("--overhead: %s", why);
	return -EINVAL;
}

/* --check: of one file, with all that the units recorded */
static int check_counts(const struct options *o)
{
	const char *other = o->profiles.on ? "--aggregate" : o->flight.on ? "--flight" :
			    o->files.on ? "--switch-output" : NULL;

	if (!other)
		return v9_pmu_counts_aim(o->ev, o->evs);
	v9_error("--check: not with %s: it compares with all that is recorded, in one file", other);
	return -EINVAL;
}

/* Returns 1; 0 if --help was given; or prints an error and returns -errno. */
static int parse_options(int argc, char **argv, struct options *o)
{
	const char *interval = NULL;
	unsigned long cpu;
	uint64_t n;
	int opt, ret = 0;

	o->output = NULL;
	optind = 1;
	while (!ret && (opt = getopt_long(argc, argv, "+:e:aC:p:t:o:c:F:D:j:bm:z::qh", long_options,
					  NULL)) != -1) {
		switch (opt) {
		case 'e':
			ret = v9_spec_add(optarg, &o->ev, &o->evs);
			break;
		case 'a':
			ret = set_target(o, V9_TARGET_CPUS, "-a");
			break;
		case 'C':
			ret = set_target(o, V9_TARGET_CPUS, "-C");
			o->target.cpu_list = optarg;
			if (!ret && v9_ev_cpu_list(optarg, ULONG_MAX, &cpu)) {
				v9_error("-C %s: not a list of CPUs (such as 0,2-3)", optarg);
				ret = -EINVAL;
			}
			break;
		case 'p':
		case 't':
			ret = set_target(o, opt == 'p' ? V9_TARGET_PID : V9_TARGET_TID,
					 opt == 'p' ? "-p" : "-t");
			if (!ret)
				ret = parse_tasks(opt == 'p' ? "-p" : "-t", optarg, &o->target);
			break;
		case 'o':
			o->output = optarg;
			break;
		case 'c':
			ret = parse_number("-c", optarg, INT64_MAX, &o->period);
			break;
		case 'j':
			ret = v9_spec_branch_filter(optarg, &o->branches);
			break;
		case 'b':
			ret = v9_spec_branch_filter("any", &o->branches);
			break;
		case 'F':
			ret = parse_number("-F", optarg, 1000000, &o->freq);
			break;
		case 'D':
			ret = parse_delay(optarg, o);
			break;
		case OPT_DURATION:
			ret = v9_record_duration(optarg, &o->duration_ns);
			break;
		case OPT_CONTROL:
			o->control = optarg;
			break;
		case OPT_DATA:
			o->data = true;
			break;
		case OPT_CGROUPS:
			o->cgroups = true;
			break;
		case OPT_WAKEUPS:
			o->wakeups = true;
			break;
		case OPT_HEAP:
			o->heap = (struct v9_heap_probes){ .on = true, .file = optarg };
			break;
		case 'm':
			o->mmap = optarg;
			break;
		case 'z':
			n = V9_PACK_LEVEL;
			if (optarg)
				ret = parse_number("-z", optarg, V9_PACK_LEVEL_MOST, &n);
			o->level = (int)n;
			break;
		case 'q':
			o->quiet = true;
			break;
		case OPT_SWITCH:
			ret = v9_switch_parse(&o->files, optarg);
			break;
		case OPT_AGGREGATE:
			o->profiles.on = true;
			interval = optarg;
			break;
		case OPT_MEM:
			o->profiles.lines = true;
			break;
		case OPT_SHARD:
			o->profiles.shard = true;
			break;
		case OPT_OVERHEAD:
			ret = v9_overhead_parse(&o->overhead, optarg);
			break;
		case OPT_MAX_PERIOD:
			ret = parse_number("--max-period", optarg, UINT32_MAX & ~UINT64_C(255), &o->overhead.most);
			break;
		case OPT_MEMORY:
			ret = parse_memory(optarg, o);
			break;
		case OPT_SWITCH_MOST:
			ret = parse_number("--switch-max-files", optarg, INT32_MAX, &o->files.most);
			break;
		case OPT_SWITCH_SIZE:
			ret = parse_most_bytes(optarg, o);
			break;
		case OPT_CHECK:
			o->check = true;
			break;
		case OPT_METADATA:
			ret = parse_number("--metadata", optarg, 2, &n);
			o->metadata = (unsigned int)n;
			break;
		case OPT_FLIGHT:
			o->flight.on = true;
			break;
		case OPT_TRIGGER:
			o->flight.trigger = optarg;
			break;
		case OPT_ARM_AFTER:
			ret = v9_flight_time("--arm-after", optarg, &o->flight.arm_ns);
			break;
		case OPT_TRIGGER_DELAY:
			ret = v9_latency_delay(&o->latency, optarg);
			break;
		case OPT_FLIGHT_OF:
			o->snapper.recorder = optarg;
			break;
		case OPT_SNAPSHOTS:
			ret = parse_number("--snapshots", optarg, INT32_MAX, &o->flight.wanted);
			break;
		case OPT_AFTER:
			o->flight.after = optarg;
			break;
		case OPT_JSON:
			o->has_json = true;
			o->json = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		case ':':
			v9_error("%s: an argument is missing (v9trace record --help)",
				 argv[optind - 1]);
			return -EINVAL;
		default:
			v9_error("%s: no such option (v9trace record --help)", argv[optind - 1]);
			return -EINVAL;
		}
	}
	if (ret)
		return ret;
	if (optind < argc)
		o->command = argv + optind;
	else if (o->target.kind == V9_TARGET_COMMAND) {
		v9_error("nothing to record: give a COMMAND, -p PID, -t TID, -a or -C CPUS "
			 "(v9trace record --help)");
		return -EINVAL;
	}
	if (!o->output)
		o->output = o->profiles.on ? "v9trace" : "perf.data";
	if (!*o->output) {
		v9_error("-o '': a file is needed");
		return -EINVAL;
	}
	o->to_stdout = !strcmp(o->output, "-");
	if (o->to_stdout && isatty(STDOUT_FILENO)) {
		v9_error("-o -: standard output is a terminal: a capture goes to a file or a pipe");
		return -EINVAL;
	}
	if (o->to_stdout && o->has_json && !o->json) {
		v9_error("-o -: --json needs a FILE: the capture goes to standard output");
		return -EINVAL;
	}
	ret = parse_mmap(o);
	o->flight.beside = o->profiles.on && !o->flight.on;
	if (!ret)
		ret = v9_flight_parse(&o->flight, o->aux_bytes);
	if (!ret)
		ret = check_profiles(o, o->files.on);
	if (!ret)
		ret = take_latency(o);
	if (!ret)
		ret = check_overhead(o);
	if (!ret && o->profiles.on)
		ret = v9_switch_interval(&o->files, interval);
	if (ret)
		return ret;
	if ((o->files.most || o->files.most_bytes) && !o->files.on && !o->flight.on) {
		v9_error("--switch-max-%s: of which files? Give --switch-output, too",
			 o->files.most ? "files" : "size");
		return -EINVAL;
	}
	if (o->files.on && (o->to_stdout || o->flight.on)) {
		v9_error("--switch-output: %s", o->to_stdout ? "-o - is one file" :
			 "--flight keeps the newest trace alone; v9trace flight --now writes it to a file");
		return -EINVAL;
	}
	if (o->to_stdout)
		o->output = "standard output";
	if (o->to_stdout && o->control && !strcmp(o->control, "socket")) {
		v9_error("--control socket: it has the name of the file: give -o FILE");
		return -EINVAL;
	}
	if (o->flight.silence_ns && (!o->control || !strcmp(o->control, "socket"))) {
		v9_error("--trigger %s: the pings come by --control fifo: or fd:%s", o->flight.trigger,
			 o->control ? "; no command sends one by the socket" : "");
		ret = -EINVAL;
	}
	if (!ret && !o->evs)
		ret = default_event(o);
	if (!ret && o->flight.on)
		ret = v9_flight_aim(&o->flight, o->ev, o->evs, &o->target);
	if (ret)
		return ret;
	o->files.twin = v9_writer_has_twin(o->ev, o->evs);
	if (o->to_stdout && o->files.twin) {
		v9_error("-o -: SPE and ETE at once are two files, as perf reads none with both: give -o FILE "
			 "(v9trace join makes one of them)");
		return -EINVAL;
	}
	/* In an overwritten area they would take the place of older trace. */
	if (o->files.twin && !o->flight.on && v9_spec_count_cycles(o->ev, o->evs) && !o->quiet)
		fprintf(stderr, "v9trace: SPE and ETE at once: the trace counts cycles, too, to place samples between its "
			"timestamps (without: cs_etm/cycacc=0/)\n");
	for (int i = 0; i < o->evs; i++)
		o->ev[i].metadata = o->metadata;
	if (o->profiles.on)
		ret = v9_profiles_check(o->ev, o->evs);
	if (ret)
		return ret;
	if (o->branches)
		ret = v9_spec_branches(o->ev, o->evs, o->branches);
	if (ret)
		return ret;
	if (o->freq)
		ret = set_frequency(o);
	if (ret)
		return ret;
	if (o->period)
		v9_spec_period(o->ev, o->evs, o->period);
	if (o->flight.latency)
		ret = v9_latency_aim(&o->latency, &o->flight, o->ev, o->evs, clock_of_cpu(), o->aux_bytes);
	if (!ret && o->overhead.ppm)
		ret = v9_overhead_aim(&o->overhead, o->ev, o->evs);
	if (ret)
		return ret;
	if (o->check)
		ret = check_counts(o);
	if (ret)
		return ret;
	o->overhead.interval_ns = o->files.ns;
	/* Each wake-up, whatever the period of other events is */
	if (o->wakeups)
		ret = v9_spec_add("sched:sched_waking", &o->ev, &o->evs);
	if (!ret && o->heap.on)
		ret = v9_heap_define(&o->heap, &o->target, &o->ev, &o->evs);
	if (ret)
		return ret;
	if (o->cgroups && !v9_spec_add_cgroups(&o->ev, &o->evs))
		v9_warn("--all-cgroups: this kernel, or this user, has no samples of context switches with "
			"the control group: a thread that is moved is seen only at its next exec");
	v9_spec_add_tracking(&o->ev, &o->evs);
	o->ev[o->evs - 1].attr.a.cgroup = o->cgroups;
	if (o->data)
		o->ev[o->evs - 1].attr.a.mmap_data = 1;
	if (o->late && o->delay_ns == UINT64_MAX && (!o->control || !strcmp(o->control, "socket"))) {
		v9_error("-D -1: nothing is recorded before 'enable' comes by --control fifo: or fd:%s",
			 o->control ? "; no command sends it by the socket" : "");
		return -EINVAL;
	}
	return 1;
}

/* --------------------------------------------------------------------------- summary */

/* Sums over the two files of a recording of two units */
struct written {
	uint64_t bytes, unwritten, lost_records;
};

static struct written get_written(const struct recording *rec)
{
	struct written sum = { 0 };

	for (const struct v9_writer *w = &rec->out; w; w = w->twin) {
		sum.bytes += w->size;
		sum.unwritten += w->unwritten;
		sum.lost_records += w->lost_records;
	}
	return sum;
}

/* The names of the last complete file and of its other half. The caller frees it. */
static char *get_names(const struct recording *rec)
{
	const char *name = rec->file ? rec->file : rec->opt.output;

	return rec->opt.files.twin ? v9_format("%s, %s" PD_TWIN_SUFFIX, name, name) : v9_strdup(name);
}

static void summary_text(const struct recording *rec)
{
	const struct v9_record_counts *c = &rec->counts;
	const struct written written = get_written(rec);
	const struct {
		uint64_t n;
		const char *what;
	} lost[] = {
		{ c->lost, "records" },
		{ c->truncated, "times trace (buffer full, truncated)" },
		{ c->collided, "times samples (collision)" },
		{ c->partial, "times trace (partial)" },
		{ c->overwritten, "times trace (overwritten)" },
		{ c->cpu_away, "times a CPU (offline, or not there at the start)" },
		{ c->paused_ns / 1000000, "ms (v9trace pause)" },
		{ written.lost_records, "records that found no room on disk" },
		{ c->trace_unwritten, "bytes of trace that found none" },
		{ c->trace_late, "bytes of trace that came behind the end" },
	};
	char file[16], trace[16], *samples, *name = get_names(rec);
	struct v9_blob b = { 0 };

	for (size_t i = 0; i < sizeof(lost) / sizeof(lost[0]); i++) {
		char *s;

		if (!lost[i].n)
			continue;
		s = v9_format("%s%llu %s", b.len ? ", " : "", (unsigned long long)lost[i].n,
			      lost[i].what);
		v9_blob_put(&b, s, strlen(s));
		free(s);
	}
	v9_blob_zero(&b, 1);
	v9_progress_end();
	/* Samples of SPE are in the trace, not among these records. */
	samples = c->samples ? v9_format(" (%llu samples)", (unsigned long long)c->samples) :
			       v9_strdup("");
	fprintf(stderr, "v9trace: %s: %s; %llu side-band records%s%s, %s of trace in %llu pieces; "
		"%slost: %s\n", name, v9_bytes(file, written.bytes),
		(unsigned long long)c->records, samples,
		written.lost_records ? " read, of which not all are in the file" : "",
		v9_bytes(trace, c->trace_bytes), (unsigned long long)c->trace_pieces,
		!rec->opt.flight.trigger ? "" : rec->flight_end == V9_FLIGHT_FIRED ?
		"the trigger fired; " : rec->opt.flight.snapshots ? "not all triggers came; " :
		"the trigger did not fire; ",
		b.len > 1 ? (char *)b.data : "nothing");
	free(samples);
	free(name);
	v9_blob_free(&b);
}

/* The lines of --check. What cannot be explained is a warning, also with -q. */
static void summary_of_check(const struct recording *rec)
{
	struct v9_check_row row[V9_CHECK_EVENTS];
	const size_t n = v9_pmu_counts_rows(&rec->check, row);

	v9_progress_end();
	for (size_t i = 0; i < n; i++) {
		char *text = v9_check_text(&row[i]);

		if (v9_check_misfits(&row[i]))
			v9_warn("check: %s", text);
		else if (!rec->opt.quiet)
			fprintf(stderr, "v9trace: check: %s\n", text);
		free(text);
	}
}

static void summary_of_snapper(const struct v9_snapper *a)
{
	fprintf(stderr, "v9trace: snapshots of a flight recorder: %llu; %llu failed; %llu triggers came while one was "
		"written\n", (unsigned long long)a->written, (unsigned long long)a->failed,
		(unsigned long long)a->missed);
}

static void summary_of_latency(const struct v9_latency_trigger *l)
{
	fprintf(stderr, "v9trace: looked for slow records %llu times, after %.1f ms at most; closed %llu windows; "
		"%.2f %% of the time of the CPUs, budget %.2f %%\n", (unsigned long long)l->looks,
		(double)l->longest / 1e6, (unsigned long long)l->closed, v9_latency_cost(l) / 1e4, l->ppm / 1e4);
}

static void summary_of_overhead(const struct v9_overhead *o)
{
	fprintf(stderr, "v9trace: period %llu to %llu; overhead %.2f %% of the time of %u CPUs, budget %.2f %%: %s\n",
		(unsigned long long)v9_overhead_period(o, o->lowest),
		(unsigned long long)v9_overhead_period(o, o->highest),
		v9_budget_cost(&o->all) / 1e4, o->all.cpus, o->ppm / 1e4, v9_profiles_cost_is(o->interrupts));
	if (o->budget.over)
		fprintf(stderr, "v9trace: in %llu seconds it was above the budget with the longest period "
			"(--max-period)\n", (unsigned long long)o->budget.over);
}

static void summary_of_profiles(const struct recording *rec)
{
	const struct v9_record_counts *c = &rec->counts;
	const struct v9_profiles_sums *s = &rec->sums;
	const struct {
		uint64_t n;
		const char *what;
	} lost[] = {
		{ c->lost, "side-band records" },
		{ c->truncated, "times trace (buffer full, truncated)" },
		{ c->collided, "times samples (collision)" },
		{ c->partial, "times trace (partial)" },
		{ c->cpu_away, "times a CPU (offline, or not there at the start)" },
		{ c->paused_ns / 1000000, "ms (v9trace pause)" },
		{ s->late_bytes, "bytes of trace not decoded (too slow; more --memory, a longer period)" },
		{ s->skipped_bytes, "bytes of trace that are no whole record" },
		{ s->evicted, "sums evicted (more --memory)" },
		{ s->maps_dropped, "mappings of processes with very many" },
		{ c->trace_late, "bytes of trace that came behind the end" },
	};
	char file[16], trace[16];
	bool any = false;

	v9_progress_end();
	fprintf(stderr, "v9trace: %s: %llu %ss, %s; %llu SPE records, %s of trace; lost:",
		rec->file ? rec->file : rec->opt.prefix, (unsigned long long)s->profiles,
		v9_profiles_item(&rec->opt.profiles), v9_bytes(file, s->file_bytes),
		(unsigned long long)s->records, v9_bytes(trace, c->trace_bytes));
	for (size_t i = 0; i < sizeof(lost) / sizeof(lost[0]); i++) {
		if (lost[i].n)
			fprintf(stderr, "%s %llu %s", any ? "," : "", (unsigned long long)lost[i].n,
				lost[i].what);
		any |= lost[i].n;
	}
	fprintf(stderr, "%s\n", any ? "" : " nothing");
	if (rec->opt.files.removed)
		fprintf(stderr, "v9trace: removed: %llu older %ss, %s\n",
			(unsigned long long)rec->opt.files.removed, v9_profiles_item(&rec->opt.profiles),
			v9_bytes(file, rec->opt.files.removed_bytes));
	if (rec->opt.overhead.ppm)
		summary_of_overhead(&rec->opt.overhead);
}

/* The numbers of the JSON summary, of the current file */
static void get_numbers(const struct recording *rec, struct number n[NUMBERS])
{
	const struct v9_record_counts *c = &rec->counts;
	const struct written written = get_written(rec);
	const struct number all[] = {
		{ "bytes", written.bytes },
		{ "records", c->records },
		{ "samples", c->samples },
		{ "trace_bytes", c->trace_bytes },
		{ "trace_pieces", c->trace_pieces },
		{ "lost_records", c->lost },
		{ "truncated", c->truncated },
		{ "collided", c->collided },
		{ "partial", c->partial },
		{ "overwritten", c->overwritten },
		{ "cpu_away", c->cpu_away },
		{ "cpu_away_ns", c->cpu_away_ns },
		{ "paused", c->paused },
		{ "paused_ns", c->paused_ns },
		{ "unwritten_bytes", written.unwritten },
		{ "unwritten_records", written.lost_records },
		{ "unwritten_trace_bytes", c->trace_unwritten },
		{ "late_trace_bytes", c->trace_late },
	};

	_Static_assert(sizeof(all) / sizeof(all[0]) == NUMBERS, "one entry for each number");
	memcpy(n, all, sizeof(all));
}

static void add_numbers(struct json_object *json, const struct number *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		json_object_object_add(json, numbers[i].name, json_object_new_int64((int64_t)numbers[i].value));
}

static void add_triggers(struct json_object *json, const struct v9_flight *f, const char *end)
{
	json_object_object_add(json, "trigger", json_object_new_string(end));
	json_object_object_add(json, "snapshots", json_object_new_int64((int64_t)f->snapshots));
	json_object_object_add(json, "ignored_triggers", json_object_new_int64((int64_t)f->ignored));
}

static void add_asked(struct json_object *json, const struct options *o)
{
	const struct number numbers[] = {
		{ "triggers", o->flight.snapshots },
		{ "ignored_triggers", o->flight.ignored },
		{ "snapshots", o->snapper.written },
		{ "failed_snapshots", o->snapper.failed },
		{ "missed_triggers", o->snapper.missed },
	};

	add_numbers(json, numbers, sizeof(numbers) / sizeof(numbers[0]));
	json_object_object_add(json, "last_snapshot", o->snapper.last ? json_object_new_string(o->snapper.last) : NULL);
}

static struct json_object *json_known(bool known, int64_t n)
{
	return known ? json_object_new_int64(n) : NULL;
}

static void add_latency(struct json_object *json, const struct v9_latency_trigger *l)
{
	struct json_object *rows = json_object_new_array();

	for (size_t i = 0; i < v9_latency_rows(l); i++) {
		const struct v9_latency_row row = v9_latency_row(l, i);
		struct json_object *one = json_object_new_object();

		json_object_object_add(one, "cpu", json_object_new_int(row.cpu));
		json_object_object_add(one, "latency_cycles", json_object_new_int64(row.cycles));
		json_object_object_add(one, "delay_ns", json_known(row.has_delay, row.delay_ns));
		json_object_object_add(one, "path", json_object_new_string(row.path));
		json_object_object_add(one, "path_before_ns", json_known(row.has_history, row.history_ns));
		json_object_array_add(rows, one);
	}
	json_object_object_add(json, "latency_triggers", rows);
	json_object_object_add(json, "windows_closed", json_object_new_int64((int64_t)l->closed));
	json_object_object_add(json, "look_ppm", json_object_new_int64(v9_latency_cost(l)));
	json_object_object_add(json, "longest_look_ns", json_object_new_int64((int64_t)l->longest));
}

static void add_check(struct json_object *json, const struct v9_pmu_counts *c)
{
	struct v9_check_row row[V9_CHECK_EVENTS];
	struct json_object *rows = json_object_new_array();
	const size_t n = v9_pmu_counts_rows(c, row);

	for (size_t i = 0; i < n; i++) {
		const struct v9_check_row *r = &row[i];
		struct json_object *one = json_object_new_object();

		json_object_object_add(one, "event", json_object_new_string(r->event->name));
		json_object_object_add(one, "counted", json_known(!r->why, (int64_t)r->counted));
		json_object_object_add(one, "recorded", json_known(!r->why, (int64_t)r->recorded));
		json_object_object_add(one, "what", r->why ? NULL : json_object_new_string(r->what));
		json_object_object_add(one, "least", json_known(!r->why, (int64_t)r->least));
		json_object_object_add(one, "most", json_known(!r->why && r->most != UINT64_MAX, (int64_t)r->most));
		json_object_object_add(one, "verdict", json_object_new_string(v9_check_verdicts[r->verdict]));
		json_object_object_add(one, "why", r->why ? json_object_new_string(r->why) : NULL);
		json_object_array_add(rows, one);
	}
	json_object_object_add(json, "check", rows);
}

static void add_overhead(struct json_object *json, const struct v9_overhead *o)
{
	const struct number numbers[] = {
		{ "shortest_period", v9_overhead_period(o, o->lowest) },
		{ "longest_period", v9_overhead_period(o, o->highest) },
		{ "overhead_ppm", v9_budget_cost(&o->all) },
		{ "budget_ppm", o->ppm },
		{ "seconds_over_budget", o->budget.over },
	};

	add_numbers(json, numbers, sizeof(numbers) / sizeof(numbers[0]));
	json_object_object_add(json, "overhead_has_interrupts", json_object_new_boolean(o->interrupts));
}

static int summary_json(const struct recording *rec, int status)
{
	struct number numbers[NUMBERS];
	static const char *const ends[] = {
		[V9_FLIGHT_END] = "never", [V9_FLIGHT_FIRED] = "fired",
		[V9_FLIGHT_STOPPED] = "stopped",
	};
	const struct number sums[] = {
		{ "spe_records", rec->sums.records },
		{ "undecoded_trace_bytes", rec->sums.late_bytes },
		{ "skipped_trace_bytes", rec->sums.skipped_bytes },
		{ "evicted", rec->sums.evicted },
		{ "maps_dropped", rec->sums.maps_dropped },
	};
	const char *name = rec->file ? rec->file : rec->opt.output;
	struct json_object *o = json_object_new_object();
	FILE *f = rec->opt.json ? fopen(rec->opt.json, "we") : stdout;
	int ret = 0;

	json_object_object_add(o, "file", json_object_new_string(name));
	if (rec->opt.files.twin) {
		char *twin = v9_format("%s" PD_TWIN_SUFFIX, name);

		json_object_object_add(o, "twin", json_object_new_string(twin));
		free(twin);
	}
	if (rec->opt.files.on) {
		json_object_object_add(o, "files", json_object_new_int64((int64_t)rec->opt.files.files));
		json_object_object_add(o, "removed_files",
				       json_object_new_int64((int64_t)rec->opt.files.removed));
		json_object_object_add(o, "removed_bytes",
				       json_object_new_int64((int64_t)rec->opt.files.removed_bytes));
	}
	json_object_object_add(o, "status", json_object_new_int(status));
	json_object_object_add(o, "interrupted", json_object_new_boolean(rec->loop.interrupted));
	if (rec->opt.flight.on)
		json_object_object_add(o, "triggered",
				       json_object_new_boolean(rec->flight_end == V9_FLIGHT_FIRED));
	if (rec->opt.flight.trigger && !rec->opt.flight.beside)
		add_triggers(o, &rec->opt.flight, ends[rec->flight_end]);
	if (rec->opt.flight.latency && rec->opt.flight.beside)
		add_asked(o, &rec->opt);
	if (rec->opt.flight.latency)
		add_latency(o, &rec->opt.latency);
	if (rec->opt.check)
		add_check(o, &rec->check);
	get_numbers(rec, numbers);
	for (size_t i = 0; i < NUMBERS; i++)
		json_object_object_add(o, numbers[i].name,
				       json_object_new_int64((int64_t)(rec->before[i] + numbers[i].value)));
	if (rec->opt.profiles.on)
		add_numbers(o, sums, sizeof(sums) / sizeof(sums[0]));
	if (rec->opt.overhead.ppm)
		add_overhead(o, &rec->opt.overhead);
	if (!f || fprintf(f, "%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							 JSON_C_TO_STRING_NOSLASHESCAPE)) < 0 ||
	    (f == stdout ? fflush(f) : fclose(f))) {
		v9_error("cannot write the summary to %s: %s",
			 rec->opt.json ? rec->opt.json : "standard output", strerror(errno));
		ret = -EIO;
	}
	json_object_put(o);
	return ret;
}

/* ----------------------------------------------------------------------------- recording */

/* The main loop reads signals from a signalfd. What is ignored makes write() fail instead. */
static int prepare_signals(struct recording *rec, sigset_t *before)
{
	sigset_t set, shown;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	if (rec->opt.files.by_signal)
		sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, before);
	/* These are for the thread that shows the sums alone, which unblocks them. */
	if (rec->opt.profiles.watch) {
		sigemptyset(&shown);
		sigaddset(&shown, SIGWINCH);
		sigaddset(&shown, SIGTSTP);
		sigprocmask(SIG_BLOCK, &shown, NULL);
	}
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);	/* of --control */
	rec->loop.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return rec->loop.signals < 0 ? -errno : 0;
}

static void raise_file_limit(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim))
		return;
	lim.rlim_cur = lim.rlim_max;
	setrlimit(RLIMIT_NOFILE, &lim);
}

static void write_beginning(struct recording *rec)
{
	static const struct pd_event_header done = {
		.type = PD_REC_FINISHED_INIT, .size = sizeof(done),
	};
	enum v9_target_kind kind = rec->opt.target.kind;
	bool kernel = false;

	for (int i = 0; i < rec->opt.evs; i++) {
		const struct v9_event_spec *ev = &rec->opt.ev[i];

		if (ev->attr.a.exclude_kernel)
			continue;
		kernel = true;
		if (rec->profiles)
			continue;	/* symbols are looked up when a profile is written */
		rec->objects.bpf.wanted = true;
		if (!ev->aux) {
			/* Each branch is to have a name. */
			rec->kernel.symbols_wanted |= !!(ev->attr.a.sample_type & PERF_SAMPLE_BRANCH_STACK);
			continue;
		}
		rec->kernel.symbols_wanted = true;
		if (ev->aux->needs_code)
			rec->kernel.code_wanted = true;
		else
			rec->kernel.objects_wanted = true;
	}
	v9_sideband_facts(&rec->out, &rec->rings);
	v9_jits_clock(&rec->objects.jits.clock[0]);
	v9_kernel_copy_begin(&rec->kernel);
	if (kernel)
		v9_sideband_kernel(&rec->out, &rec->objects);
	if (rec->opt.cgroups)
		v9_cgroup_log_begin(&rec->cgroups, &rec->out);
	if (kind == V9_TARGET_CPUS)
		v9_sideband_all_tasks(&rec->out, &rec->objects, &rec->cgroups);
	else
		for (int i = 0; i < rec->opt.target.pids; i++)
			v9_sideband_task(&rec->out, rec->opt.target.pid[i], &rec->objects,
					 &rec->cgroups);
	/* Later files: children that are recorded, too. Those that have ended are not written. */
	v9_family_drop(&rec->rings.family);
	for (int i = rec->rings.family.named; i < rec->rings.family.n; i++)
		v9_sideband_task(&rec->out, rec->rings.family.member[i].id, &rec->objects, &rec->cgroups);
	v9_writer_record(&rec->out, &done, sizeof(done));
	v9_writer_flush(&rec->out);
}

/* --check */
static void check_record(void *arg, const struct v9_aux_ring *ring, const struct perf_event_header *record)
{
	struct recording *rec = arg;

	v9_pmu_counts_record(&rec->check, &rec->rings, ring, record);
}

static void check_aux(void *arg, const struct v9_aux_ring *ring, const uint8_t *a, size_t na, const uint8_t *b,
		      size_t nb)
{
	struct recording *rec = arg;

	v9_pmu_counts_aux(&rec->check, &rec->rings, ring, a, na, b, nb);
}

static bool check_drained(void *arg)
{
	struct recording *rec = arg;

	v9_pmu_counts_drained(&rec->check);
	return false;
}

static const struct v9_loop_watch check_watch = {
	.record = check_record, .aux = check_aux, .drained = check_drained,
};

/* Enable the side-band before the initial state is written, so that no change is missed. */
static int start(struct recording *rec)
{
	bool on_exec = rec->opt.target.kind == V9_TARGET_COMMAND;
	int ret = on_exec ? 0 : v9_rings_enable(&rec->rings, V9_TRACKING);

	if (!ret)
		write_beginning(rec);
	if (!on_exec)
		v9_pmu_counts_start(&rec->check);
	if (!ret && !on_exec && !rec->rings.late)
		ret = v9_rings_enable(&rec->rings, V9_OTHERS);
	if (!ret && rec->child.pid)
		ret = v9_child_start(&rec->child, rec->opt.command[0]);
	return ret;
}

/* Warns of code that is missing in the file. */
static void warn_missing(const struct v9_objects *o)
{
	const struct {
		uint64_t unread, unstored;
		const char *what;
	} missing[] = {
		{ o->files.unread, o->files.unstored,
		  "files of other mount namespaces (containers) that are not in the recording: %llu "
		  "cannot be read, %llu are too large, too many or have no build-id" },
		{ o->jits.unread, o->jits.unstored,
		  "descriptions of generated code (jitdump, /tmp/perf-PID.map) that are not in the "
		  "recording: %llu cannot be read or are another user's, %llu are too large" },
		{ o->bpf.unread, o->bpf.unstored,
		  "BPF programs whose code is not in the recording: %llu cannot be read (privilege) or "
		  "were gone, %llu are too large" },
	};

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (missing[i].unread + missing[i].unstored)
			v9_warn(missing[i].what, (unsigned long long)missing[i].unread,
				(unsigned long long)missing[i].unstored);
}

/* --trigger */
static bool on_trigger(void *arg, bool own, bool early)
{
	struct recording *rec = arg;
	enum v9_flight_step step;

	rec->opt.flight.taken = v9_snapper_taken(&rec->opt.snapper);
	step = v9_flight_take(&rec->opt.flight, &rec->rings, own, early);
	if (step == V9_FLIGHT_STOP)
		return true;
	if (step == V9_FLIGHT_IGNORE) {
		v9_latency_forget(&rec->opt.latency);
		return false;
	}
	if (step == V9_FLIGHT_ASK) {
		const bool news = v9_snapper_ask(&rec->opt.snapper, rec->opt.flight.snapshots);

		v9_latency_tell(&rec->opt.latency, true, rec->opt.quiet || !news);
		return false;
	}
	/* A trigger that comes from here on is another one. */
	v9_flight_again(&rec->opt.flight);
	v9_loop_snapshot(&rec->loop, step == V9_FLIGHT_KEEP);
	v9_latency_tell(&rec->opt.latency, false, rec->opt.quiet);
	return false;
}

/* --trigger latency:CYCLES */
static void watch_record(void *arg, const struct v9_aux_ring *ring, const struct perf_event_header *record)
{
	struct recording *rec = arg;

	v9_latency_record(&rec->opt.latency, &rec->rings, ring, record);
}

static void watch_aux(void *arg, const struct v9_aux_ring *ring, const uint8_t *a, size_t na, const uint8_t *b,
		      size_t nb)
{
	struct recording *rec = arg;

	v9_latency_aux(&rec->opt.latency, &rec->rings, ring, a, na, b, nb);
}

static bool watch_drained(void *arg)
{
	struct recording *rec = arg;

	v9_snapper_look(&rec->opt.snapper, rec->opt.quiet);
	return v9_latency_drained(&rec->opt.latency, &rec->rings);
}

static void watch_look(void *arg)
{
	struct recording *rec = arg;

	v9_latency_look(&rec->opt.latency, &rec->rings);
}

static uint64_t watch_rest(void *arg)
{
	struct recording *rec = arg;

	return v9_latency_rest(&rec->opt.latency);
}

static const struct v9_loop_watch latency_watch = {
	.record = watch_record, .aux = watch_aux, .drained = watch_drained, .look = watch_look, .rest = watch_rest,
};

/* --overhead */
static void each_second(void *arg)
{
	struct recording *rec = arg;

	v9_overhead_measure(&rec->opt.overhead, &rec->rings, rec->profiles, rec->counts.trace_bytes);
}

/* --aggregate: ends the last profile. */
static int complete_profiles(struct recording *rec)
{
	int ret;

	if (rec->opt.overhead.ppm) {
		each_second(rec);
		v9_overhead_profile(&rec->opt.overhead, rec->profiles);
	}
	ret = v9_profiles_end(rec->profiles, &rec->sums);

	rec->out.size = rec->sums.file_bytes;
	rec->counts.lost += rec->sums.lost_records;
	rec->file = rec->opt.files.files ? rec->opt.files.name[rec->opt.files.n - 1] : NULL;
	return ret;
}

/* Completes one file. Returns the error of its sections, printed. */
static int complete_file(struct recording *rec, struct v9_writer *w)
{
	const char *name = rec->opt.to_stdout ? rec->opt.output : w->path;
	const int full = w->error;
	int ret;

	v9_sections_file(rec->sections, w);
	ret = v9_writer_finish(w, rec->sections);
	if (full)
		v9_error("%s: %s: recording stopped there; what was written until then is whole", name,
			 strerror(full));
	if (ret)
		v9_error("%s: %s: the sections after the records (machine, events, build-ids, code) may be missing",
			 name, strerror(-ret));
	return ret;
}

/* Completes the file, or both: sections, then the name if there are several. @more: another one follows. */
static int complete(struct recording *rec, bool more)
{
	int full, ret = 0, err;

	if (rec->profiles)
		return complete_profiles(rec);
	v9_kernel_copy_end(&rec->kernel);
	v9_jits_clock(&rec->objects.jits.clock[1]);
	v9_code_section(&rec->sections[PD_CODE], &rec->kernel, &rec->compat, &rec->objects);
	v9_cgroup_log_end(&rec->cgroups, &rec->sections[PD_CGROUPS]);
	v9_sections_fill(rec->sections, &rec->rings, &rec->counts, &rec->objects, rec->argv);
	if (rec->opt.check)
		v9_pmu_counts_section(&rec->check, &rec->sections[PD_COUNTS]);
	full = v9_writer_flush(&rec->out);	/* and compress the last records */
	for (struct v9_writer *w = &rec->out; w; w = w->twin) {
		err = complete_file(rec, w);
		ret = ret ? ret : err;
		v9_code_drop_kernel(&rec->sections[PD_CODE]);	/* the other half is of SPE */
	}
	warn_missing(&rec->objects);
	rec->file = NULL;
	if (rec->opt.files.on || more) {
		rec->file = v9_switch_name(&rec->opt.files, rec->opt.output, rec->opt.output);
		if (!rec->file)
			ret = ret ? ret : -EIO;
	}
	return full ? -full : ret;
}

static int finish(struct recording *rec)
{
	int ret;

	v9_loop_stop(&rec->loop);
	if (rec->opt.flight.on) {
		v9_latency_tell(&rec->opt.latency, false, rec->opt.quiet);
		/* Expected with --flight: no requested data was lost. */
		rec->counts.overwritten = 0;
		rec->flight_end = v9_flight_ended(&rec->opt.flight, &rec->rings);
		if (rec->flight_end != V9_FLIGHT_STOPPED)
			rec->counts.truncated -= rec->counts.stops;	/* SPE beside it may have lost some */
		if (rec->flight_end == V9_FLIGHT_STOPPED)
			v9_warn("the buffer had no room, or failed, before the trigger (dmesg; "
				"v9trace stat); the trace until then is kept");
		else if (rec->opt.flight.trigger && rec->flight_end == V9_FLIGHT_END)
			v9_warn("it ended before the %s, or before so much trace behind it; the newest trace "
				"is kept", rec->opt.flight.snapshots ? "last trigger" : "trigger");
	}
	if (rec->opt.check)
		v9_pmu_counts_read(&rec->check, &rec->rings, &rec->counts);
	ret = complete(rec, false);
	v9_kernel_copy_free(&rec->kernel);
	return ret;
}

static int open_file(struct recording *rec)
{
	struct options *o = &rec->opt;
	int ret;

	if (o->profiles.on) {
		rec->out = (struct v9_writer){ .fd = -1, .reserve = -1 };
		o->prefix = o->profiles.watch ? NULL : v9_profiles_prefix(o->output);
		rec->profiles = v9_profiles_start(&o->profiles, o->prefix, &o->files, o->ev, o->evs);
		if (!rec->profiles)
			return -EIO;
		rec->out.other = v9_profiles_other(rec->profiles);
		return 0;
	}
	v9_sections_tracing(&rec->sections[PD_TRACING_DATA], o->ev, o->evs);
	ret = v9_writer_open(&rec->out, o->to_stdout ? o->place : o->output, o->ev, o->evs,
			     RESERVE + rec->sections[PD_TRACING_DATA].len);
	if (!ret && o->level)
		v9_writer_pack(&rec->out, o->level);
	return ret;
}

/* --switch-output, v9trace flight --now: completes the file and begins the next one. The events go on meanwhile. */
static int begin_file(void *arg)
{
	struct recording *rec = arg;
	struct number numbers[NUMBERS];
	int ret;

	if (rec->profiles) {
		if (rec->opt.overhead.ppm)
			v9_overhead_profile(&rec->opt.overhead, rec->profiles);
		v9_profiles_next(rec->profiles);
		/* Of files and generated code the collector keeps no more than in an interval. */
		v9_objects_free(&rec->objects);
		return 0;
	}
	if (rec->opt.flight.on) {
		v9_latency_tell(&rec->opt.latency, false, rec->opt.quiet);
		rec->counts.overwritten = 0;
		rec->counts.truncated -= rec->counts.stops;
	}
	ret = complete(rec, true);
	if (ret) {
		rec->switch_error = ret;
		return ret;
	}
	if (!rec->opt.quiet)
		summary_text(rec);
	get_numbers(rec, numbers);
	for (size_t i = 0; i < NUMBERS; i++)
		rec->before[i] += numbers[i].value;
	v9_writer_close(&rec->out);
	v9_objects_free(&rec->objects);
	rec->objects = (struct v9_objects){ 0 };
	v9_kernel_copy_next(&rec->kernel);
	for (int i = 0; i < PD_FEATURE_BITS; i++)
		v9_blob_free(&rec->sections[i]);
	rec->counts = (struct v9_record_counts){ 0 };
	v9_rings_forget(&rec->rings);
	ret = open_file(rec);
	if (ret)
		rec->switch_error = ret;
	else
		write_beginning(rec);
	return ret;
}

/* A file for -o -, as what is written there is changed later. Returns its name, or NULL after an error. */
static char *make_place(void)
{
	const char *dir = getenv("TMPDIR");
	char *path = v9_format("%s/v9trace.XXXXXX", dir && *dir ? dir : "/var/tmp");
	const int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0) {
		close(fd);
		return path;
	}
	v9_error("-o -: no file %s: %s (TMPDIR)", path, strerror(errno));
	free(path);
	return NULL;
}

/* Copies the finished file to standard output, and removes it. Returns 0, or prints an error. */
static int hand_over(const char *path)
{
	static uint8_t buf[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = fd < 0 ? errno : 0;
	ssize_t got = 0, put;

	unlink(path);
	while (!err && (got = read(fd, buf, sizeof(buf))) > 0)
		for (ssize_t at = 0; !err && at < got; at += put) {
			put = write(STDOUT_FILENO, buf + at, (size_t)(got - at));
			if (put < 0) {
				err = errno == EINTR ? 0 : errno;
				put = 0;
			}
		}
	err = got < 0 ? errno : err;
	if (fd >= 0)
		close(fd);
	if (err)
		v9_error("-o -: %s", err == EPIPE ? "nobody reads standard output any more" : strerror(err));
	return -err;
}

/* Frees @all. */
static char *append(char *all, const char *separator, const char *more)
{
	char *text = v9_format("%s%s%s", all, *all ? separator : "", more);

	free(all);
	return text;
}

/* What is recorded, for others: "all CPUs", a command, .. The caller frees it. */
static char *what_is_recorded(const struct options *o)
{
	const struct v9_target *t = &o->target;
	char *all, *text, room[16];

	if (t->kind == V9_TARGET_CPUS)
		return t->cpu_list ? v9_format("CPUs %s", t->cpu_list) : v9_strdup("all CPUs");
	all = v9_strdup("");
	for (char **word = o->command; t->kind == V9_TARGET_COMMAND && *word; word++)
		all = append(all, " ", *word);
	if (t->kind == V9_TARGET_COMMAND)
		return all;
	for (int i = 0; i < t->pids; i++) {
		snprintf(room, sizeof(room), "%d", t->pid[i]);
		all = append(all, ",", room);
	}
	text = v9_format("%s %s", t->kind == V9_TARGET_PID ? "PID" : "TID", all);
	free(all);
	return text;
}

/* Lets other programs of this user ask for the sums, pause it, or want a snapshot. Without a socket it records, too. */
static void listen_to_others(struct recording *rec)
{
	const struct options *o = &rec->opt;
	const enum v9_recorder kind = o->profiles.on ? V9_RECORDER_SUMS : o->flight.on ? V9_RECORDER_FLIGHT :
									  V9_RECORDER_OTHER;
	char *path;

	if (o->profiles.watch || o->to_stdout || (kind == V9_RECORDER_OTHER && !rec->control.socket))
		return;
	path = v9_format("%s%s", rec->profiles ? o->prefix : o->output, v9_recorder_ending(kind));
	rec->listener = v9_listen(path, rec->profiles ? v9_profiles_answer : NULL, rec->profiles);
	rec->control.requests = v9_listen_requests(rec->listener);
	if (!rec->listener)
		v9_warn("%s: %s: v9trace %s cannot ask this recorder", path,
			errno == EADDRINUSE ? "another recorder has its socket there, or it is another file" : strerror(errno),
			kind == V9_RECORDER_SUMS ? "top, pause and resume" : kind == V9_RECORDER_FLIGHT ?
			"flight --now, pause and resume" : "pause and resume");
	free(path);
}

/* v9trace pause, resume */
static const char *on_pause(void *arg, bool paused)
{
	struct recording *rec = arg;

	/* An error was printed. */
	if (!paused && rec->opt.flight.on && v9_flight_arm(&rec->opt.flight, &rec->rings))
		return "its trigger cannot be set again";
	if (rec->profiles) {
		v9_profiles_paused(rec->profiles, paused);
		v9_rings_forget(&rec->rings);	/* There is no file that has their IDs. */
	}
	return NULL;
}

static int exit_status(const struct recording *rec, int failed)
{
	if (failed)
		return V9_EXIT_FAILED;
	if (rec->opt.profiles.watch)
		return V9_EXIT_OK;
	return rec->child.pid ? v9_child_exit(&rec->child) : 0;
}

static int record(struct recording *rec, char **argv)
{
	struct options *o = &rec->opt;
	size_t page = sysconf(_SC_PAGESIZE);
	sigset_t mask;
	int ret, status, watch_error;

	rec->argv = argv;
	for (int i = 0; i < o->evs; i++)
		if (o->ev[i].aux && o->ev[i].aux->needs_code && o->ev[i].attr.a.config & INSTRUMENTATION)
			setenv("V9TRACE_MARKS", "1", 0);	/* lib/v9mark.h; "0" of the user stays */
	rec->child.to_stderr = o->to_stdout || o->profiles.watch;
	rec->child.silent = o->profiles.watch && o->profiles.watch->silent;
	ret = prepare_signals(rec, &mask);
	if (!ret && o->command)
		ret = v9_child_prepare(&rec->child, o->command, &mask);
	if (ret)
		return V9_EXIT_FAILED;
	raise_file_limit();	/* after fork(): not for the command */
	if (o->target.kind == V9_TARGET_COMMAND) {
		o->target.pid = v9_alloc(sizeof(*o->target.pid));
		o->target.pid[0] = rec->child.pid;
		o->target.pids = 1;
	}
	rec->what = what_is_recorded(o);
	o->profiles.target = rec->what;
	rec->rings = (struct v9_rings){ .ev = o->ev, .evs = o->evs, .target = &o->target,
					.late = o->late, .paused = o->late };
	rec->loop = (struct v9_loop){
		.rings = &rec->rings, .out = &rec->out, .counts = &rec->counts,
		.objects = &rec->objects, .cgroups = &rec->cgroups, .child = &rec->child, .target = &o->target,
		.control = &rec->control, .delay_ns = o->delay_ns, .duration_ns = o->duration_ns,
		.files = o->files.on || (o->flight.on && !o->to_stdout) ? &o->files : NULL, .begin_file = begin_file, .arg = rec,
		.signals = rec->loop.signals, .progress = !o->quiet && v9_progress_shown(),
		.watched = o->profiles.on, .each_second = o->overhead.ppm ? each_second : NULL,
		.arm_ns = o->flight.arm_ns, .silence_ns = o->flight.silence_ns,
		.on_trigger = o->flight.trigger ? on_trigger : NULL,
		.watch = o->flight.latency ? &latency_watch : o->check ? &check_watch : NULL,
		.on_pause = on_pause,
	};
	v9_loop_prepare(&rec->loop);
	if (!o->profiles.on)
		v9_compat_read(&rec->compat);
	ret = v9_rings_open(&rec->rings, o->data_bytes / page, o->aux_bytes);
	if (ret)
		goto cancel_child;
	if (o->check)
		v9_pmu_counts_open(&rec->check, &rec->rings);
	ret = v9_flight_arm(&o->flight, &rec->rings);
	if (ret)
		goto close_rings;
	if (o->to_stdout && !(o->place = make_place())) {
		ret = -EIO;
		goto close_rings;
	}
	ret = open_file(rec);
	if (ret)
		goto close_rings;
	o->files.shared = o->flight.on;
	listen_to_others(rec);
	if (o->overhead.ppm)
		v9_overhead_begin(&o->overhead, &rec->rings, rec->profiles);
	ret = start(rec);
	if (ret) {
		v9_writer_abandon(&rec->out);
		goto close_rings;
	}
	watch_error = rec->profiles ? v9_profiles_begin(rec->profiles) : 0;
	rec->loop.interrupted = watch_error;
	if (!watch_error)
		v9_loop_run(&rec->loop);
	v9_listen_stop(rec->listener);
	/* If begin_file() failed, there is no file to complete. */
	ret = rec->switch_error ? rec->switch_error : finish(rec);
	ret = ret ? ret : watch_error;
	if (o->to_stdout) {
		const int err = hand_over(o->place);

		ret = ret ? ret : err;
	}
	/* The file is complete: from now on a signal may terminate this process. */
	sigprocmask(SIG_SETMASK, &mask, NULL);
	/* If writing failed, the command still runs to its end. */
	if (rec->loop.interrupted)
		v9_child_end(&rec->child);
	else
		v9_child_wait(&rec->child);
	v9_loop_late(&rec->loop);
	status = exit_status(rec, ret);
	if (!o->quiet && o->profiles.on)
		summary_of_profiles(rec);
	else if (!o->quiet)
		summary_text(rec);
	/* From here on its sums are final. */
	v9_snapper_end(&o->snapper, o->quiet);
	if (!o->quiet && o->flight.latency && o->flight.beside)
		summary_of_snapper(&o->snapper);
	if (!o->quiet && o->flight.latency)
		summary_of_latency(&o->latency);
	if (o->check)
		summary_of_check(rec);
	if (o->has_json && summary_json(rec, status))
		status = status ? status : V9_EXIT_FAILED;
	v9_pmu_counts_close(&rec->check);
	v9_rings_close(&rec->rings);
	v9_writer_close(&rec->out);
	v9_switch_free(&o->files);
	free(o->prefix);
	return status;

close_rings:
	v9_pmu_counts_close(&rec->check);
	v9_listen_stop(rec->listener);
	v9_rings_close(&rec->rings);
cancel_child:
	if (!rec->child.ended) {
		v9_child_cancel(&rec->child);
		return V9_EXIT_FAILED;
	}
	return ret == -ENOENT ? V9_EXIT_NOT_FOUND : V9_EXIT_CANNOT_RUN;
}

static int parse_and_record(struct recording *rec, int argc, char **argv)
{
	int ret;

	ret = parse_options(argc, argv, &rec->opt);
	/* A wrong command line has another status than a missing feature of this machine. */
	if (ret <= 0)
		return !ret ? V9_EXIT_OK : ret == -EINVAL || ret == -ERANGE ? V9_EXIT_USAGE :
									      V9_EXIT_FAILED;
	if (rec->opt.control && (ret = v9_control_open(&rec->control, rec->opt.control)))
		return ret == -EINVAL ? V9_EXIT_USAGE : V9_EXIT_FAILED;
	ret = record(rec, argv);
	v9_control_close(&rec->control);
	return ret;
}

static int record_for(int argc, char **argv, const struct v9_profiles_watch *w)
{
	struct recording rec = { .loop.signals = -1, .control = V9_CONTROL_NONE,
				 .opt.profiles = { .on = w, .watch = w } };
	const int ret = parse_and_record(&rec, argc, argv);

	free(rec.what);
	v9_compat_free(&rec.compat);
	v9_heap_remove(&rec.opt.heap);
	v9_overhead_free(&rec.opt.overhead);
	v9_snapper_end(&rec.opt.snapper, rec.opt.quiet);
	v9_snapper_free(&rec.opt.snapper);
	v9_latency_free(&rec.opt.latency);
	v9_spec_free(rec.opt.ev, rec.opt.evs);
	return ret;
}

int v9_record_watch(int argc, char **argv, const struct v9_profiles_watch *w)
{
	return record_for(argc, argv, w);
}

int cmd_record(int argc, char **argv)
{
	return record_for(argc, argv, NULL);
}
