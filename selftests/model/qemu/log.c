/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs the model's activity as JSON lines: one for each record, management event and violation,
 * and when QEMU exits one score for each CPU and unit. CPUs that name the same file share it.
 * Numbers wider than 32 bits are strings in hex. Also writes the list of traced instructions, one
 * file for each CPU.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/lockable.h"
#include "qemu/log.h"
#include "qemu/thread.h"
#include "system/system.h"
#include "cpu.h"
#include "internals.h"
#include "v9trace/ete.h"
#include "glue.h"

struct v9_log {
    char *path;
    FILE *f;
    QemuMutex lock;
    bool abort_on_violation;
    struct v9_log *next;
};

static struct v9_log *logs;
static Notifier at_exit;

#define HEX "\"0x%" PRIx64 "\""

static int v9_index(const V9CPU *v9)
{
    return CPU(v9->cpu)->cpu_index;
}

static void v9_put_score(FILE *f, V9CPU *v9)
{
    const struct v9_score *s = v9_score_now(v9);
    const struct v9_regdesc *r;
    const char *sep = "";
    size_t n;

    r = v9_model_regs(&n);
    fprintf(f, "{\"k\":\"score\",\"cpu\":%d,\"pop\":%" PRIu64 ",\"samples\":%" PRIu64
            ",\"filtered\":%" PRIu64 ",\"passed\":%" PRIu64 ",\"collided\":%" PRIu64
            ",\"written\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"discarded\":%" PRIu64
            ",\"dropped\":%" PRIu64 ",\"no_va\":%" PRIu64 ",\"translations\":%" PRIu64
            ",\"events\":%" PRIu64
            ",\"psb\":%" PRIu64 ",\"isb\":%" PRIu64 ",\"dsb\":%" PRIu64 ",\"msr\":{",
            v9_index(v9), s->pop, s->samples, s->filtered, s->passed, s->collided, s->written,
            s->bytes, s->discarded, s->dropped, s->no_va, s->translations, s->events, s->psb, s->isb,
            s->dsb);
    for (size_t i = 0; i < n; i++) {
        if (s->wr[i]) {
            fprintf(f, "%s\"%s\":%" PRIu64, sep, r[i].name, s->wr[i]);
            sep = ",";
        }
    }
    fprintf(f, "},\"mrs\":{");
    sep = "";
    for (size_t i = 0; i < n; i++) {
        if (s->rd[i]) {
            fprintf(f, "%s\"%s\":%" PRIu64, sep, r[i].name, s->rd[i]);
            sep = ",";
        }
    }
    fprintf(f, "},\"irq_raised\":%" PRIu64 ",\"violations\":%" PRIu64 "}\n", s->irq_raised,
	    s->violations);
}

static void v9_put_branch_score(FILE *f, V9CPU *v9)
{
    const struct v9_brbe_score *s = v9_model_branch_score(v9->m);

    fprintf(f, "{\"k\":\"brbe\",\"cpu\":%d,\"captured\":%" PRIu64 ",\"filtered\":%" PRIu64
            ",\"lost\":%" PRIu64 ",\"injected\":%" PRIu64 ",\"iall\":%" PRIu64
            ",\"frozen\":%" PRIu64 ",\"resumed\":%" PRIu64 "}\n", v9_index(v9), s->captured,
            s->filtered, s->lost, s->injected, s->iall, s->frozen, s->resumed);
}

static const char *const packet_names[V9_ETE_KINDS] = {
    [V9_ETE_ASYNC] = "async", [V9_ETE_DISCARD] = "discard", [V9_ETE_OVERFLOW] = "overflow",
    [V9_ETE_INFO] = "info", [V9_ETE_TRACE_ON] = "on", [V9_ETE_TIMESTAMP] = "ts",
    [V9_ETE_MARKER] = "marker", [V9_ETE_EXCEPTION] = "exception", [V9_ETE_CYCLES] = "cycles",
    [V9_ETE_EVENT] = "event", [V9_ETE_CONTEXT] = "context", [V9_ETE_ADDRESS] = "address",
    [V9_ETE_SOURCE] = "source", [V9_ETE_ATOMS] = "atoms", [V9_ETE_IGNORE] = "ignore",
    [V9_ETE_COMMIT] = "commit", [V9_ETE_CANCEL] = "cancel", [V9_ETE_MISPREDICT] = "mispredict",
};

static void v9_put_trace_score(FILE *f, V9CPU *v9)
{
    const struct v9_trace_score *s = v9_model_trace_score(v9->m);
    const char *sep = "";

    fprintf(f, "{\"k\":\"ete\",\"cpu\":%d,\"insns\":%" PRIu64 ",\"p0\":%" PRIu64
            ",\"bytes\":%" PRIu64 ",\"accepted\":%" PRIu64 ",\"written\":%" PRIu64
            ",\"off\":%" PRIu64 ",\"out\":%" PRIu64 ",\"stopped\":%" PRIu64 ",\"fault\":%" PRIu64
            ",\"translations\":%" PRIu64 ",\"lost\":%" PRIu64
            ",\"on\":%" PRIu64 ",\"overflows\":%" PRIu64 ",\"stalls\":%" PRIu64 ",\"syncs\":%" PRIu64
            ",\"events\":%" PRIu64 ",\"wraps\":%" PRIu64 ",\"triggers\":%" PRIu64
            ",\"irq_raised\":%" PRIu64 ",\"tsb\":%" PRIu64 ",\"busy_writes\":%" PRIu64
            ",\"packets\":{", v9_index(v9), s->insns, s->p0, s->bytes, s->accepted, s->written,
            s->off, s->out, s->stopped, s->fault, s->translations, s->lost, s->on, s->overflows,
            s->stalls, s->syncs, s->events, s->wraps, s->triggers, s->irq_raised, s->tsb, s->busy_writes);
    for (int i = 0; i < V9_ETE_KINDS; i++) {
        if (packet_names[i] && s->packets[i]) {
            fprintf(f, "%s\"%s\":%" PRIu64, sep, packet_names[i], s->packets[i]);
            sep = ",";
        }
    }
    fprintf(f, "}}\n");
}

static void v9_logs_close(Notifier *n, void *data)
{
    CPUState *cs;

    CPU_FOREACH(cs) {
        V9CPU *v9 = ARM_CPU(cs)->v9;

        if (v9 && v9->m) {
            v9_model_end(v9->m);
        }
        if (v9 && v9->m && v9->log && v9->log->f) {
            if (v9->turn.back) {
                v9_log_turn(v9);
            }
            v9_put_score(v9->log->f, v9);
            if (v9->ete) {
                v9_put_trace_score(v9->log->f, v9);
            }
            if (v9->brbe) {
                v9_put_branch_score(v9->log->f, v9);
            }
        }
        if (v9 && v9->pclog) {
            fclose(v9->pclog);
            v9->pclog = NULL;
        }
    }
    for (struct v9_log *l = logs; l; l = l->next) {
        if (l->f) {
            fclose(l->f);
            l->f = NULL;
        }
    }
}

struct v9_log *v9_log_open(const char *path, Error **errp)
{
    struct v9_log *l;

    for (l = logs; l; l = l->next) {
        if (!g_strcmp0(l->path, path)) {
            return l;
        }
    }
    l = g_new0(struct v9_log, 1);
    if (path) {
        l->f = fopen(path, "w");
        if (!l->f) {
            error_setg_file_open(errp, errno, path);
            g_free(l);
            return NULL;
        }
        setvbuf(l->f, NULL, _IOFBF, 1 << 20);
    }
    if (!logs) {
        at_exit.notify = v9_logs_close;
        qemu_add_exit_notifier(&at_exit);
    }
    l->path = g_strdup(path);
    qemu_mutex_init(&l->lock);
    l->next = logs;
    logs = l;
    return l;
}

void v9_log_abort_on_violation(struct v9_log *l)
{
    l->abort_on_violation = true;
}

void v9_log_violation(void *ctx, const struct v9_violation *n)
{
    V9CPU *v9 = ctx;
    struct v9_log *l = v9->log;
    const char *reg = n->reg ? n->reg : "-";

    qemu_log_mask(LOG_GUEST_ERROR, "v9: cpu%d el%u pc 0x%" PRIx64 " %s %s 0x%" PRIx64 ": %s\n",
                  v9_index(v9), n->el, n->pc, n->rule, reg, n->value, n->what);
    QEMU_LOCK_GUARD(&l->lock);
    if (l->f) {
        fprintf(l->f,
		"{\"k\":\"violation\",\"cpu\":%d,\"rule\":\"%s\",\"reg\":\"%s\",\"el\":%u,\"pc\":"
                HEX ",\"value\":" HEX ",\"what\":\"%s\"}\n",
                v9_index(v9), n->rule, reg, n->el, n->pc, n->value, n->what);
    }
    if (l->abort_on_violation) {
        /* exit() would wait for vCPU threads; this is one of them */
        if (l->f) {
            v9_put_score(l->f, v9);
            fflush(l->f);
        }
        error_report("v9-strict=abort: cpu%d el%u pc 0x%" PRIx64 " %s %s 0x%" PRIx64 ": %s",
                     v9_index(v9), n->el, n->pc, n->rule, reg, n->value, n->what);
        _exit(3);
    }
}

void v9_log_record(void *ctx, const struct v9_spe_log *r)
{
    V9CPU *v9 = ctx;
    struct v9_log *l = v9->log;
    FILE *f = l->f;

    if (!f) {
        return;
    }
    QEMU_LOCK_GUARD(&l->lock);
    fprintf(f, "{\"k\":\"rec\",\"cpu\":%d,\"n\":%" PRIu64 ",\"el\":%u,\"ev\":" HEX,
            v9_index(v9), r->n, r->el, r->ev);
    if (r->has & V9_LOG_PC) {
        fprintf(f, ",\"pc\":" HEX, r->pc);
    }
    if (r->has & V9_LOG_OP) {
        fprintf(f, ",\"op\":\"0x%02x\",\"opc\":\"0x%02x\"", r->op, r->opc);
    }
    if (r->has & V9_LOG_TGT) {
        fprintf(f, ",\"tgt\":" HEX, r->tgt);
    }
    if (r->has & V9_LOG_VA) {
        fprintf(f, ",\"va\":" HEX, r->va);
    }
    if (r->has & V9_LOG_PA) {
        fprintf(f, ",\"pa\":" HEX, r->pa);
    }
    if (r->has & V9_LOG_LAT) {
        fprintf(f, ",\"lat\":[%u,", r->lat_total);
        if (r->has & V9_LOG_ISSUE) {
            fprintf(f, "%u", r->lat_issue);
        } else {
            fputs("null", f);
        }
        if (r->has & V9_LOG_XLAT) {
            fprintf(f, ",%u", r->lat_xlat);
        }
        fputc(']', f);
    }
    if (r->has & V9_LOG_CTX1) {
        fprintf(f, ",\"ctx1\":\"0x%x\"", r->ctx1);
    }
    if (r->has & V9_LOG_CTX2) {
        fprintf(f, ",\"ctx2\":\"0x%x\"", r->ctx2);
    }
    if (r->has & V9_LOG_DS) {
        fprintf(f, ",\"ds\":\"0x%x\"", r->ds);
    }
    if (r->has & V9_LOG_TS) {
        fprintf(f, ",\"ts\":" HEX, r->ts);
    }
    if (r->has & V9_LOG_INSN) {
        fprintf(f, ",\"at_insn\":%" PRIu64, r->insn);
    }
    fprintf(f, ",\"at\":" HEX ",\"size\":%u}\n", r->at, r->size);
}

void v9_log_event(void *ctx, uint64_t pmbsr, uint64_t pmbptr)
{
    V9CPU *v9 = ctx;
    struct v9_log *l = v9->log;

    if (!l->f) {
        return;
    }
    QEMU_LOCK_GUARD(&l->lock);
    fprintf(l->f, "{\"k\":\"event\",\"cpu\":%d,\"pmbsr\":" HEX ",\"pmbptr\":" HEX "}\n",
            v9_index(v9), pmbsr, pmbptr);
    /* the events are in the file even if QEMU is killed */
    fflush(l->f);
}

/* The interrupted code has resumed, or QEMU exits. */
void v9_log_turn(V9CPU *v9)
{
    const struct v9_turn *t = &v9->turn;
    struct v9_log *l = v9->log;

    if (!l || !l->f) {
        return;
    }
    QEMU_LOCK_GUARD(&l->lock);
    fprintf(l->f, "{\"k\":\"irq\",\"cpu\":%d,\"line\":\"%s\",\"el\":%u,\"at\":%" PRId64
            ",\"insns\":%" PRId64 "}\n", v9_index(v9), t->which ? "TRBIRQ" : "PMBIRQ", t->el, t->at,
            t->to - t->from);
}

void v9_log_trbe_event(void *ctx, uint64_t trbsr, uint64_t trbptr)
{
    V9CPU *v9 = ctx;
    struct v9_log *l = v9->log;

    if (!l->f) {
        return;
    }
    QEMU_LOCK_GUARD(&l->lock);
    fprintf(l->f, "{\"k\":\"trbe_event\",\"cpu\":%d,\"trbsr\":" HEX ",\"trbptr\":" HEX "}\n",
            v9_index(v9), trbsr, trbptr);
    fflush(l->f);
}

void v9_log_branches(void *ctx, const struct v9_brbe_stop *s)
{
    V9CPU *v9 = ctx;
    struct v9_log *l = v9->log;

    if (!l->f) {
        return;
    }
    QEMU_LOCK_GUARD(&l->lock);
    fprintf(l->f, "{\"k\":\"branches\",\"cpu\":%d,\"why\":\"%s\",\"captured\":%" PRIu64
            ",\"ts\":" HEX ",\"pmovs\":" HEX ",\"rec\":[", v9_index(v9),
            s->frozen ? "freeze" : "pause", s->captured, s->ts, s->pmovs);
    for (unsigned i = 0; i < s->n; i++) {
        fprintf(l->f, "%s[" HEX "," HEX "," HEX "]", i ? "," : "", s->rec[i].inf, s->rec[i].src,
                s->rec[i].tgt);
    }
    fprintf(l->f, "]}\n");
    fflush(l->f);
}

FILE *v9_pclog_open(const char *path, int cpu, Error **errp)
{
    g_autofree char *name = g_strdup_printf("%s.%d", path, cpu);
    FILE *f = fopen(name, "wb");

    if (!f) {
        error_setg_file_open(errp, errno, name);
        return NULL;
    }
    setvbuf(f, NULL, _IOFBF, 1 << 20);
    return f;
}

/* Only this CPU's thread writes its file, so no lock is needed. */
void v9_pclog_range(void *ctx, uint64_t start, uint64_t end, enum v9_listed as)
{
    V9CPU *v9 = ctx;
    static const uint8_t bits[][2] = {
        [V9_LIST_A64] = { 0, 0 }, [V9_LIST_A32] = { 2, 0 },
        [V9_LIST_T32] = { 1, 0 }, [V9_LIST_T32_WIDE] = { 1, 1 },
    };
    uint64_t pair[] = { cpu_to_le64(start | bits[as][0]), cpu_to_le64(end | bits[as][1]) };

    if (v9->pclog) {
        fwrite(pair, sizeof(pair), 1, v9->pclog);
    }
}
