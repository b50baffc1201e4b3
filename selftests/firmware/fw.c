// SPDX-License-Identifier: GPL-2.0-only
/* Services for the tests: console, KTAP, power off, controls of the units. */
#include <stdarg.h>

#include "fw.h"

#define UART		((volatile uint32_t *)0x09000000)
#define GICR_SGI	((volatile uint32_t *)0x080b0000)
#define GICR_ISPENDR0	0x200
#define GICR_TYPER	(*(volatile uint64_t *)0x080a0008)
#define GICR_LAST	BIT(4)		/* no other PE */

struct rec recs[4];
const char *const unit_name[UNITS] = { "trbe", "spe" };

/* The compiler makes calls of these. */
void *memset(void *p, int c, size_t n)
{
	for (uint8_t *b = p; n; n--)
		*b++ = c;
	return p;
}

void *memcpy(void *to, const void *from, size_t n)
{
	uint8_t *t = to;

	for (const uint8_t *f = from; n; n--)
		*t++ = *f++;
	return to;
}

static void put(char c)
{
	UART[0] = c;
}

static void puts_(const char *s)
{
	while (*s)
		put(*s++);
}

static void number(uint64_t v, unsigned int base)
{
	char b[24];
	unsigned int n = 0;

	do {
		b[n++] = "0123456789abcdef"[v % base];
		v /= base;
	} while (v);
	while (n)
		put(b[--n]);
}

/* %s %u %x (64 bits) %c */
static void print(const char *fmt, va_list ap)
{
	for (; *fmt; fmt++) {
		if (*fmt != '%') {
			put(*fmt);
			continue;
		}
		switch (*++fmt) {
		case 's':
			puts_(va_arg(ap, const char *));
			break;
		case 'c':
			put(va_arg(ap, int));
			break;
		case 'u':
			number(va_arg(ap, unsigned int), 10);
			break;
		case 'l':
			fmt++;
			puts_("0x");
			number(va_arg(ap, unsigned long), 16);
			break;
		}
	}
}

void note(const char *fmt, ...)
{
	va_list ap;

	puts_("# ");
	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
	put('\n');
}

void breaks(const char *rule)
{
	note("breaks %s", rule);
}

static unsigned int results;

void suite(const char *name)
{
	puts_("@suite ");
	puts_(name);
	put('\n');
	results = 0;
}

static void line_of(bool pass, const char *name, const char *why)
{
	puts_(pass ? "ok " : "not ok ");
	number(++results, 10);
	puts_(" - ");
	puts_(name);
	if (why) {
		puts_(" # SKIP ");
		puts_(why);
	}
	put('\n');
}

void result(bool pass, const char *name)
{
	line_of(pass, name, NULL);
}

void skip(const char *name, const char *why)
{
	line_of(true, name, why);
}

void plan(void)
{
	puts_("1..");
	number(results, 10);
	put('\n');
}

const char *join(const char *first, ...)
{
	static char buf[4][96];
	static unsigned int turn;
	char *b = buf[turn++ % 4], *p = b;
	const char *s = first;
	va_list ap;

	va_start(ap, first);
	for (; s; s = va_arg(ap, const char *))
		while (*s && p < b + 95)
			*p++ = *s++;
	va_end(ap);
	*p = 0;
	return b;
}

static void __attribute__((noreturn)) power_off(void)
{
	static const uint64_t exit_0[] = { 0x20026, 0 };
	register uint64_t op asm("x0") = 0x18;		/* semihosting: SYS_EXIT */
	register const uint64_t *arg asm("x1") = exit_0;

	for (;;)
		asm volatile("hlt #0xf000" : : "r"(op), "r"(arg) : "memory");
}

void died(uint64_t esr, uint64_t elr)
{
	note("the firmware died: ESR %lx ELR %lx", esr, elr);
	power_off();
}

void run(unsigned int el, unsigned int pm, void (*entry)(void))
{
	memset(recs, 0, sizeof(recs));
	run_at(spsr_of(el, pm), entry);
}

bool line(unsigned int unit)
{
	return GICR_SGI[GICR_ISPENDR0 / 4] >> (unit == SPE ? 21 : 18) & 1;
}

static bool has_exc(unsigned int unit)
{
	uint64_t dfr2 = RD(ID_AA64DFR2_EL1);

	return dfr2 & (unit == SPE ? V9_ID_AA64DFR2_EL1_SPE_EXC : V9_ID_AA64DFR2_EL1_TRBE_EXC);
}

uint64_t status(unsigned int unit, unsigned int level)
{
	switch (level) {
	case 1:
		return unit == SPE ? RD(PMBSR_EL1) : RD(TRBSR_EL1);
	case 2:
		return unit == SPE ? RD(PMBSR_EL2) : RD(TRBSR_EL2);
	default:
		return unit == SPE ? RD(PMBSR_EL3) : RD(TRBSR_EL3);
	}
}

void set_status(unsigned int unit, unsigned int level, uint64_t v)
{
	switch (level) {
	case 1:
		if (unit == SPE)
			WR(PMBSR_EL1, v);
		else
			WR(TRBSR_EL1, v);
		break;
	case 2:
		if (unit == SPE)
			WR(PMBSR_EL2, v);
		else
			WR(TRBSR_EL2, v);
		break;
	default:
		if (unit == SPE)
			WR(PMBSR_EL3, v);
		else
			WR(TRBSR_EL3, v);
	}
}

static void control_el3(unsigned int unit, const struct controls *c)
{
	unsigned int nsb = c->ss == SECURE ? 1 : 3;

	/* NS, HCE, RW; EEL2, so that EL2 is enabled in Secure state */
	MSR(scr_el3, BIT(10) | BIT(8) | BIT(18) | (c->ss == SECURE ? 0 : BIT(0)) |
	    (c->ss == REALM ? V9_SCR_EL3_NSE : 0) |
	    PUT(V9_SCR_EL3_EA, c->scr_ea) | PUT(V9_SCR_EL3_GPF, c->scr_gpf));
	MSR(mdcr_el3, PUT(V9_MDCR_EL3_NSTB, nsb) | PUT(V9_MDCR_EL3_NSPB, nsb) |
	    V9_MDCR_EL3_STE | V9_MDCR_EL3_RLTE | V9_MDCR_EL3_EnPMSN |
	    (c->ss == REALM ? V9_MDCR_EL3_NSTBE | V9_MDCR_EL3_NSPBE : 0) |
	    PUT(unit == SPE ? V9_MDCR_EL3_PMSEE : V9_MDCR_EL3_TRBEE, c->ee3));
}

void control(unsigned int unit, const struct controls *c)
{
	if (highest == 3)
		control_el3(unit, c);
	MSR(mdcr_el2, PUT(unit == SPE ? V9_MDCR_EL2_E2PB : V9_MDCR_EL2_E2TB, c->e2b));
	/* RW; nothing of the tables wants VM but stage 2 itself */
	MSR(hcr_el2, BIT(31) | PUT(V9_HCR_EL2_TGE, c->tge) | PUT(V9_HCR_EL2_TEA, c->hcr_tea) |
	    PUT(V9_HCR_EL2_GPF, c->hcr_gpf) | PUT(V9_HCR_EL2_E2H, c->e2h) |
	    PUT(V9_HCR_EL2_VM, c->stage2) | (c->dc ? BIT(12) : 0));
	if (unit == SPE) {
		WR(PMSCR_EL1, PUT(V9_PMSCR_EL1_EE, c->ee1) | PUT(V9_PMSCR_EL1_KE, c->ke1));
		WR(PMSCR_EL2, PUT(V9_PMSCR_EL2_EE, c->ee2) | PUT(V9_PMSCR_EL2_KE, c->ke2) |
		   PUT(V9_PMSCR_EL2_EnVM, c->permit));
		WR(TRFCR_EL1, 0);
		WR(TRFCR_EL2, 0);
	} else {
		WR(TRFCR_EL1, PUT(V9_TRFCR_EL1_EE, c->ee1) | PUT(V9_TRFCR_EL1_KE, c->ke1));
		WR(TRFCR_EL2, PUT(V9_TRFCR_EL2_EE, c->ee2) | PUT(V9_TRFCR_EL2_KE, c->ke2) |
		   PUT(V9_TRFCR_EL2_DnVM, !c->permit));
		WR(PMSCR_EL1, 0);
		WR(PMSCR_EL2, 0);
	}
	isb();
}

void firmware(uint64_t el)
{
	unsigned int u, level;

	UART[0x30 / 4] = 0x101;		/* UARTCR: on, transmit */
	if (el < 2) {
		note("neither at EL3 nor at EL2");
		power_off();
	}
	if (el == 3)
		MSR(cptr_el3, 0);
	MSR(cptr_el2, 0x33ff & ~(1u << 10));
	MSR(cpacr_el1, 0);
	MSR(oslar_el1, 0);
	MSR(sctlr_el1, 0x30d00800);
	MSR(sctlr_el2, 0x30c50830);
	isb();
	WR(TRBLIMITR_EL1, 0);
	WR(PMBLIMITR_EL1, 0);
	for (u = 0; u < UNITS; u++)
		for (level = 1; level <= (has_exc(u) ? highest : 1); level++)
			set_status(u, level, 0);
	mmu_init();
	if (!has_exc(TRBE) || !has_exc(SPE)) {
		note("FEAT_TRBE_EXC or FEAT_SPE_EXC is missing");
		power_off();
	}
	if (!(GICR_TYPER & GICR_LAST)) {
		while (!__atomic_load_n(&other_pe, __ATOMIC_ACQUIRE))
			;
		other_pe_suite();
	} else if (el == 2) {
		record_suite("record", false);
		exception_suite();
		translation_suite();
		brbe_suite();
	} else if (has_rme()) {
		gpt_on();
		record_suite("gpc", true);
	} else if (has_mte()) {
		samples_suite();
	} else if (has_fgt2()) {
		access_suite();
	} else {
		record_suite("record", false);
		exception_suite();
		access_suite();
		translation_suite();
		inputs_suite();
		brbe_suite();
	}
	puts_("@end\n");
	power_off();
}
