// SPDX-License-Identifier: GPL-2.0-only
/* Linkage names of C++ (Itanium ABI) and Rust (legacy and v0), typed; and names that select them. */
#include <string.h>

#include "tap.h"

#include "../../tools/capture/demangle.h"
#include "../../tools/capture/sym.h"

static const struct {
	const char *name, *mangled, *plain;
} cases[] = {
	{ "method", "_ZN3foo3barEi", "foo::bar(int)" },
	{ "const_method", "_ZNK3foo3barEPKcj", "foo::bar(char const*, unsigned int) const" },
	{ "template", "_ZNSt6vectorIiSaIiEE9push_backERKi",
	  "std::vector<int, std::allocator<int> >::push_back(int const&)" },
	{ "rust_legacy", "_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE",
	  "core::fmt::Formatter::write_str" },
	{ "rust_v0", "_RNvC7mycrate3foo", "mycrate::foo" },
	{ "cold_part", "_Z3foov.cold", "foo().cold" },
	{ "clone", "_Z3foov.constprop.0", "foo().constprop.0" },
	{ "llvm_suffix", "_RNvC7mycrate3foo.llvm.123", "mycrate::foo.llvm.123" },
	{ "c_function", "main", NULL },
	{ "underscore", "_start", NULL },
	{ "damaged", "_ZN3foo", NULL },
	{ "not_finished", "_Z", NULL },
	{ "empty", "", NULL },
};

static void selected(void)
{
	const struct v9_func f = { .name = "ns::foo(int, char)", .linkage = "_ZN2ns3fooEic" };
	const struct v9_func g = { .name = "main" };

	tap_ok(v9_func_is(&f, "ns::foo(int, char)"), "by_whole_name");
	tap_ok(v9_func_is(&f, "ns::foo"), "by_name_without_parameters");
	tap_ok(v9_func_is(&f, "_ZN2ns3fooEic"), "by_linkage_name");
	tap_ok(!v9_func_is(&f, "ns::fo"), "not_by_a_prefix");
	tap_ok(!v9_func_is(&f, "foo"), "not_by_a_part");
	tap_ok(v9_func_is(&g, "main"), "c_name");
	tap_ok(!v9_func_is(&g, "mai"), "not_by_a_prefix");
	tap_ok(!v9_func_is(&g, ""), "not_by_nothing");
}

int main(void)
{
	struct v9_strtab names = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *mangled = cases[i].mangled;
		const char *got = v9_demangle(&names, mangled, strlen(mangled));

		tap_ok(!got == !cases[i].plain && (!got || !strcmp(got, cases[i].plain)),
		       "name_of_%s", cases[i].name);
		if (got && cases[i].plain && strcmp(got, cases[i].plain))
			printf("# got %s\n", got);
	}
	selected();
	v9_strtab_free(&names);
	return tap_done();
}
