// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_mask: masks the interrupts of a CPU for some time, while it executes many branches.
 *
 *	echo "CPU TIMES US GAP" >/sys/module/v9_mask/parameters/mask
 *
 * US: time with interrupts masked, GAP: time between two of them, in microseconds. The write
 * returns after the last one.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>

static u64 sum;

/* Runs in an interrupt of the CPU, so all other interrupts wait. */
static void masked(void *data)
{
	u64 until = ktime_get_ns() + *(u64 *)data, x = 88172645463325252ULL;

	do {
		int i;

		for (i = 0; i < 64; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			if (x & 1)
				WRITE_ONCE(sum, sum + x);
			if (x & 2)
				WRITE_ONCE(sum, sum ^ i);
			if (x & 4)
				WRITE_ONCE(sum, sum - (x >> 3));
		}
	} while (ktime_get_ns() < until);
}

static int mask_set(const char *text, const struct kernel_param *kp)
{
	unsigned int cpu, times, us, gap;
	int err = 0;
	u64 ns;

	if (sscanf(text, "%u %u %u %u", &cpu, &times, &us, &gap) != 4 || cpu >= nr_cpu_ids)
		return -EINVAL;
	ns = us * 1000ULL;
	while (times-- && !err) {
		err = smp_call_function_single(cpu, masked, &ns, true);
		usleep_range(gap, gap + gap / 4 + 1);
		if (signal_pending(current))
			err = -EINTR;
	}
	return err;
}

static const struct kernel_param_ops mask_ops = {
	.set = mask_set,
};
module_param_cb(mask, &mask_ops, NULL, 0200);
MODULE_PARM_DESC(mask, "write \"CPU TIMES US GAP\": no interrupts for US us, GAP us in between");

MODULE_DESCRIPTION("v9trace selftests: masked interrupts");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
