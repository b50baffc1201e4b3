/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints, below events/v9trace/ of tracefs; Documentation/ABI/testing/tracefs-events-v9trace
 * says what the fields mean. Defined in v9_core; off, each is a no-op.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM v9trace

#if !defined(V9TRACE_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define V9TRACE_EVENTS_H

#include <linux/tracepoint.h>

#include "compat.h"
#include "v9trace/fault_action.h"

/* perf and others read the values of these names from the format file */
TRACE_DEFINE_ENUM(V9_CAUSE_NONE);
TRACE_DEFINE_ENUM(V9_CAUSE_EARLY);
TRACE_DEFINE_ENUM(V9_CAUSE_FULL);
TRACE_DEFINE_ENUM(V9_CAUSE_TRIGGER);
TRACE_DEFINE_ENUM(V9_CAUSE_LOST);
TRACE_DEFINE_ENUM(V9_CAUSE_FAULT);
TRACE_DEFINE_ENUM(V9_CAUSE_ABORT);
TRACE_DEFINE_ENUM(V9_CAUSE_FATAL);

TRACE_EVENT(v9_window,
	TP_PROTO(const char *pmu, u64 at, u64 ptr, u64 limit, u64 pad),
	TP_ARGS(pmu, at, ptr, limit, pad),
	TP_STRUCT__entry(
		__string(pmu, pmu)
		__field(u64, at)
		__field(u64, ptr)
		__field(u64, limit)
		__field(u64, pad)
	),
	TP_fast_assign(
		v9_assign_str(pmu, pmu);
		__entry->at = at;
		__entry->ptr = ptr;
		__entry->limit = limit;
		__entry->pad = pad;
	),
	TP_printk("%s at=%#llx ptr=%#llx limit=%#llx pad=%llu", __get_str(pmu), __entry->at,
		  __entry->ptr, __entry->limit, __entry->pad)
);

TRACE_EVENT(v9_data,
	TP_PROTO(const char *pmu, u64 bytes, u64 flags),
	TP_ARGS(pmu, bytes, flags),
	TP_STRUCT__entry(
		__string(pmu, pmu)
		__field(u64, bytes)
		__field(u64, flags)
	),
	TP_fast_assign(
		v9_assign_str(pmu, pmu);
		__entry->bytes = bytes;
		__entry->flags = flags;
	),
	TP_printk("%s bytes=%llu flags=%#llx", __get_str(pmu), __entry->bytes, __entry->flags)
);

TRACE_EVENT(v9_interrupt,
	TP_PROTO(const char *pmu, int cause, u64 status, u64 ptr),
	TP_ARGS(pmu, cause, status, ptr),
	TP_STRUCT__entry(
		__string(pmu, pmu)
		__field(int, cause)
		__field(u64, status)
		__field(u64, ptr)
	),
	TP_fast_assign(
		v9_assign_str(pmu, pmu);
		__entry->cause = cause;
		__entry->status = status;
		__entry->ptr = ptr;
	),
	TP_printk("%s %s status=%#llx ptr=%#llx", __get_str(pmu),
		  __print_symbolic(__entry->cause,
				   { V9_CAUSE_NONE, "spurious" },
				   { V9_CAUSE_EARLY, "early" },
				   { V9_CAUSE_FULL, "full" },
				   { V9_CAUSE_TRIGGER, "triggered" },
				   { V9_CAUSE_LOST, "lost" },
				   { V9_CAUSE_FAULT, "fault" },
				   { V9_CAUSE_ABORT, "abort" },
				   { V9_CAUSE_FATAL, "fatal" }),
		  __entry->status, __entry->ptr)
);

TRACE_EVENT(v9_off,
	TP_PROTO(const char *pmu, int cause),
	TP_ARGS(pmu, cause),
	TP_STRUCT__entry(
		__string(pmu, pmu)
		__field(int, cause)
	),
	TP_fast_assign(
		v9_assign_str(pmu, pmu);
		__entry->cause = cause;
	),
	TP_printk("%s because of %s", __get_str(pmu),
		  __print_symbolic(__entry->cause,
				   { V9_CAUSE_NONE, "no room" },
				   { V9_CAUSE_EARLY, "no room" },
				   { V9_CAUSE_FULL, "no room" },
				   { V9_CAUSE_TRIGGER, "a trigger" },
				   { V9_CAUSE_LOST, "no room" },
				   { V9_CAUSE_FAULT, "a fault" },
				   { V9_CAUSE_ABORT, "an abort" },
				   { V9_CAUSE_FATAL, "a fatal status" }))
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE v9_events
#include <trace/define_trace.h>
