# SPDX-License-Identifier: GPL-2.0-only
# awk -v src=SOURCE -v obj=OBJECTS -f probes.awk probes: prints a compiler option -DV9_HAVE_... for
# each feature in the table "probes" that the kernel with this source and object tree has. The last
# option is -DV9_PROBED, printed only if all headers of the table exist.

# Returns the line without comments, and with empty strings: a string may contain "/*".
function code(line,    out, at)
{
	if (in_comment) {
		at = index(line, "*/")
		if (!at)
			return ""
		in_comment = 0
		line = " " substr(line, at + 2)
	}
	while (match(line, /"([^"\\]|\\.)*"|\/\*|\/\//)) {
		out = out substr(line, 1, RSTART - 1)
		at = substr(line, RSTART, 2)
		line = substr(line, RSTART + RLENGTH)
		if (at == "//")
			return out
		if (at != "/*") {
			out = out "\"\""
			continue
		}
		at = index(line, "*/")
		if (!at) {
			in_comment = 1
			return out
		}
		out = out " "
		line = substr(line, at + 2)
	}
	return out line
}

# Spaces are only between words.
function squeeze(text,    n, i, mark)
{
	gsub(/\\\n/, " ", text)
	gsub(/[ \t\n]+/, " ", text)
	n = split("( ) { } [ ] , ; * = #", mark, " ")
	for (i = 1; i <= n; i++)
		gsub(" ?[" mark[i] "] ?", mark[i], text)
	return text
}

# Returns the text of a file without comments; "" if there is no such file
function read(file,    line, text)
{
	if (file in known)
		return known[file]
	in_comment = 0
	while ((getline line <file) > 0)
		text = text code(line) "\n"
	close(file)
	known[file] = squeeze(text)
	return known[file]
}

# Returns the text of a structure, from "struct" to its closing brace
function inside(text, name,    at, depth, out)
{
	at = index(text, "struct " name "{")
	if (!at)
		return ""
	text = substr(text, at)
	while (match(text, /[{}]/)) {
		depth += substr(text, RSTART, 1) == "{" ? 1 : -1
		out = out substr(text, 1, RSTART)
		text = substr(text, RSTART + 1)
		if (!depth)
			break
	}
	return out
}

# A declaration as a regular expression
function pattern(text,    i, c, out)
{
	text = squeeze(text)
	gsub(/ %/, "\002", text)
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (c == "\002")
			out = out "( [A-Za-z0-9_]+)?"
		else if (c == "%")
			out = out "[A-Za-z0-9_]*"
		else if (c ~ /[A-Za-z0-9_ #,;=]/)
			out = out c
		else
			out = out "[" c "]"
	}
	if (text ~ /^[A-Za-z0-9_]/)
		out = "(^|[^A-Za-z0-9_])" out
	if (text ~ /[A-Za-z0-9_]$/)
		out = out "([^A-Za-z0-9_]|$)"
	return out
}

# Returns true if Module.symvers lists the symbol. Without that file no symbol is exported.
function exports(symbol,    line, field)
{
	if (!listed) {
		listed = 1
		while ((getline line <(obj "/Module.symvers")) > 0) {
			split(line, field, "\t")
			exported[field[2]]
		}
		close(obj "/Module.symvers")
	}
	return symbol in exported
}

/^[ \t]*(#|$)/ { next }

{
	declaration = $0
	sub(/^[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", declaration)
	if ($2 == "Module.symvers") {
		found = exports($4)
	} else {
		text = read(src "/" $2)
		if (text == "") {
			printf "v9trace: no header %s/%s\n", src, $2 >"/dev/stderr"
			missing = 1
		}
		found = ($3 == "-" ? text : inside(text, $3)) ~ pattern(declaration)
	}
	if (found)
		printf "-DV9_HAVE_%s ", $1
}

END {
	if (!missing && NR)
		print "-DV9_PROBED"
}
