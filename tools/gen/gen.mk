# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For makefiles whose sources include <v9trace/gen/...>: makes these headers. TOP is this tree.
ifneq ($(shell $(TOP)/tools/gen/gen.sh >&2 || echo failed),)
$(error The headers in $(TOP)/include/v9trace/gen could not be made, see above)
endif
