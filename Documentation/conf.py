# SPDX-License-Identifier: GPL-2.0-only
# What Sphinx reads for "make docs".
project = "v9trace"
author = "The v9trace authors"
copyright = "2026 The v9trace authors"
exclude_patterns = ["ABI", "man"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1100px", "sidebar_width": "260px"}
highlight_language = "none"
