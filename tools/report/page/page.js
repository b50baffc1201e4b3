// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What v9trace html shows. The data are JSON in elements of the page: tables by class, charts by id.
// Names come from the capture: they reach the page as text nodes alone.
/* global uPlot, d3, flamegraph, flameChartJs */
"use strict";
(() => {

// ---- elements, numbers

// Control characters, and those that change the direction of text
const clean = s => s.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "?");

function el(tag, props, ...children) {
	const e = document.createElement(tag);
	for (const [k, v] of Object.entries(props || {})) {
		if (v === null || v === undefined || v === false)
			continue;
		if (k.startsWith("on"))
			e.addEventListener(k.slice(2), v);
		else if (k === "style")
			for (const [name, value] of Object.entries(v))
				e.style.setProperty(name, value);
		else
			e.setAttribute(k, v === true ? "" : v);
	}
	for (const c of children.flat(Infinity))
		if (c !== null && c !== undefined)
			e.append(typeof c === "string" ? clean(c) : c);
	return e;
}

function data(id) {
	const e = document.getElementById(id);
	return e ? JSON.parse(e.textContent) : null;
}

const grouped = new Intl.NumberFormat("en-US");
const num = n => grouped.format(n);
const percent = (part, whole) => whole ? (100 * part / whole).toFixed(2) + " %" : "-";
const base = path => path ? path.replace(/^.*\/(?=.)/, "") : path;
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// ns, with a unit in which it has few digits
function time(ns) {
	const units = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
	const [unit, by] = units.find(u => Math.abs(ns) >= u[1]) || units[3];
	return (ns / by).toLocaleString("en-US", { maximumSignificantDigits: 6 }) + " " + unit;
}

function bytes(n) {
	const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
	let u = 0;
	for (; n >= 1024 && u + 1 < units.length; u++)
		n /= 1024;
	return `${num(n)} ${units[u]}`;
}

function short(n) {
	const units = [["G", 1e9], ["M", 1e6], ["k", 1e3]];
	const u = units.find(v => Math.abs(n) >= v[1]);
	return u ? (n / u[1]).toLocaleString("en-US", { maximumSignificantDigits: 3 }) + u[0] : num(n);
}

// Cut in the middle: both ends of a name tell it from others.
function middle(s, n) {
	if (s.length <= n)
		return s;
	const head = Math.ceil((n - 1) / 2);
	return s.slice(0, head) + "…" + s.slice(s.length - (n - 1 - head));
}

// ---- light and dark

const themes = ["Auto", "Light", "Dark"];
const system = matchMedia("(prefers-color-scheme: dark)");
let theme = 0;
const redraws = new Set();	// charts that are on the screen

function dark() {
	return theme === 0 ? system.matches : theme === 2;
}

function paint() {
	document.documentElement.classList.toggle("dark", dark());
	document.getElementById("theme").textContent = themes[theme];
	for (const r of redraws)
		r();
}

document.getElementById("theme").addEventListener("click", () => {
	theme = (theme + 1) % themes.length;
	paint();
});
system.addEventListener("change", paint);
paint();

let width = 0;
new ResizeObserver(() => {
	const now = document.getElementById("main").clientWidth;
	if (Math.abs(now - width) > 1) {
		width = now;
		for (const r of redraws)
			r();
	}
}).observe(document.getElementById("main"));

// ---- colours of functions: one hue for an object, from those that differ most

const hues = new Map();
function hue(object) {
	if (!hues.has(object))
		hues.set(object, (205 + hues.size * 137.5) % 360);
	return hues.get(object);
}

function hash(s) {
	let h = 0;
	for (let i = 0; i < s.length; i++)
		h = (h * 31 + s.charCodeAt(i)) | 0;
	return (h >>> 0) / 0x100000000;
}

function colour(name, object, hit) {
	if (hit)
		return css("--hit");
	if (!object || name.startsWith("["))
		return dark() ? "#6b737d" : "#c9cdd2";
	const v = hash(name), w = hash(name + object), h = hue(object) + 60 * (w - 0.5);
	return dark() ? d3.hsl(h, 0.28 + 0.14 * v, 0.55 + 0.13 * v).formatHex() :
			d3.hsl(h, 0.38 + 0.22 * v, 0.75 + 0.1 * v).formatHex();
}

// ---- tables

const tables = [...document.querySelectorAll("script.table")].map(e => JSON.parse(e.textContent));

// The table of that name; in a capture of several kinds names have a prefix
// Rows by the names of columns
const objects = t => t ? t.rows.map(r => Object.fromEntries(t.cols.map((c, i) => [c[0], r[i]]))) : [];
const table = (view, name, kind) => tables.find(t => t.view === view &&
	(t.name === name || t.name === `${kind}_${name}`));

const codes = new Set(["symbol", "dso", "data", "line", "offsets", "value", "instruction"]);
function cell(col, value, row, t) {
	const [name, , type] = col;
	if (value === null)
		return el("td", { class: type === "text" ? "t none" : "n none" }, "–");
	if (type === "percent")
		return el("td", { class: name === "percent" ? "n share" : "n", style: { "--part": `${Math.min(value, 100)}%` } },
			value.toFixed(2) + " %");
	if (type === "count")
		return el("td", { class: "n" }, num(value));
	if (type === "mean")
		return el("td", { class: "n" }, value.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
	const text = name === "dso" ? base(value) : value;
	const depth = t.depth >= 0 && name === "symbol" ? row[t.depth] : 0;
	return el("td", { class: codes.has(name) ? "t code" : "t", title: value,
			  style: depth ? { "padding-left": `${Math.min(depth, 40) * 14}px` } : {} }, middle(text, 72));
}

// A table with a filter, a choice for each column of few words, and an order
function tableCard(t, options = {}) {
	const shown = t.cols.map((c, i) => i).filter(i => t.cols[i][1] !== null &&
		(t.shape !== "rows" || t.rows.some(r => r[i] !== null)));
	t.depth = t.cols.findIndex(c => c[0] === "depth");
	const filters = new Map();
	let words = "", order = null, down = true, most = options.rows || 100;

	const head = el("tr", {}, shown.map(i => el("th", {
		class: t.cols[i][2] === "text" ? "" : "n", scope: "col", title: "Sort", tabindex: 0,
		onclick: () => sort(i), onkeydown: e => { if (e.key === "Enter") sort(i); },
	}, t.cols[i][1] || t.cols[i][0])));
	const body = el("tbody");
	const more = el("button", { class: "more", type: "button", onclick: () => { most *= 4; fill(); } });
	const count = el("span", { class: "status" });

	function sort(i) {
		down = order === i ? !down : t.cols[i][2] !== "text";
		order = i;
		fill();
	}

	function rows() {
		const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
		let list = t.rows.filter(r => [...filters].every(([i, v]) => r[i] === v) &&
			wanted.every(w => shown.some(i => r[i] !== null && String(r[i]).toLowerCase().includes(w))));
		if (order !== null) {
			const by = down ? -1 : 1;
			list = list.slice().sort((a, b) => {
				const x = a[order], y = b[order];
				if (x === null || y === null)
					return (x === null) - (y === null);
				return typeof x === "number" ? by * (x - y) : by * String(x).localeCompare(String(y));
			});
		}
		return list;
	}

	function fill() {
		const list = rows();
		head.childNodes.forEach((th, k) => {
			if (shown[k] === order)
				th.setAttribute("aria-sort", down ? "descending" : "ascending");
			else
				th.removeAttribute("aria-sort");
		});
		body.replaceChildren(...list.slice(0, most).map(r => el("tr", {}, shown.map(i => cell(t.cols[i], r[i], r, t)))));
		more.hidden = list.length <= most;
		more.textContent = `Show more (${num(list.length - most)} left)`;
		count.textContent = list.length === t.rows.length ? `${num(list.length)} rows` :
			`${num(list.length)} of ${num(t.rows.length)} rows`;
	}

	const choices = shown.filter(i => t.cols[i][2] === "text").map(i => {
		const values = [...new Set(t.rows.map(r => r[i]).filter(v => v !== null))].sort();
		if (values.length < 2 || values.length > 40 || values.length * 2 > t.rows.length)
			return null;
		return el("select", { "aria-label": t.cols[i][1], onchange: e => {
			if (e.target.selectedIndex)
				filters.set(i, values[e.target.selectedIndex - 1]);
			else
				filters.delete(i);
			fill();
		} }, el("option", {}, `any ${t.cols[i][1] || t.cols[i][0]}`), values.map(v => el("option", {}, middle(base(v), 40))));
	});
	const search = el("input", { type: "search", placeholder: "Filter, such as memcpy libc", "aria-label": `Filter ${t.title}`,
		oninput: e => { words = e.target.value; fill(); } });
	fill();
	return el("section", { class: "card", "data-table": t.name },
		el("h2", {}, t.title),
		t.of ? el("p", { class: "say" }, `${t.of[0].toUpperCase()}${t.of.slice(1)}.`) : null,
		t.rows.length > 8 ? el("div", { class: "controls" }, search, choices, el("span", { class: "space" }), count) : null,
		t.rows.length ? el("div", { class: "scroll" }, el("table", {}, el("thead", {}, head), body)) :
			el("p", { class: "note" }, t.empty || "nothing"),
		more,
		t.note ? el("p", { class: "note" }, t.note.replace(/ ?\(--limit 0 shows all\)/, " that the page does not have")) : null);
}

function factsCard(t) {
	return el("section", { class: "card" }, el("h2", {}, t.title),
		el("dl", { class: "facts" }, t.rows.map(r => [el("dt", {}, r[1]),
			el("dd", {}, r[2] === null ? "–" : /^\d{4,}$/.test(r[2]) ? num(+r[2]) : r[2])])));
}

// ---- what was lost

function lost() {
	const place = document.getElementById("lost");
	for (const t of tables.filter(x => x.shape === "losses" && x.view === "report")) {
		const rows = t.rows.filter(r => r[0] > 0);
		if (!rows.length)
			place.append(el("div", { class: "lost" }, el("b", {}, `${t.title}: `), t.empty));
		else
			place.append(el("div", { class: "lost bad" }, el("b", {}, t.title), el("ul", {}, rows.map(r =>
				el("li", {}, el("span", {}, num(r[0])), el("span", {}, r[2]), el("span", {}, r[3]))))));
	}
	const calls = tables.filter(t => t.view === "report" && /(^|_)functions$/.test(t.name))
		.flatMap(objects).filter(r => r.unfollowed_branches);
	if (calls.length)
		place.append(el("div", { class: "lost bad" }, el("b", {}, "Not followed"), el("ul", {}, calls.map(r =>
			el("li", {}, el("span", {}, num(r.unfollowed_branches)), el("span", {}, "branches"),
				el("span", {}, `${r.symbol.replace(/^\[not followed: |\]$/g, "")}${r.percent === null ? "" : `: ${r.percent.toFixed(2)} % of all`}`))))));
}

// ---- flame graph and icicle

// Values of nodes include those of their children, as in the tree that comes from the capture.
function flameCard(o) {
	const place = el("div", { class: "chart flame" });
	const status = el("div", { class: "status" }, "Click a frame to zoom, the lowest one to go back.");
	const found = el("span", { class: "found" });
	const search = el("input", { type: "search", placeholder: "Search functions", "aria-label": "Search functions", oninput: () => find() });
	const weight = o.weights.length > 1 ? el("select", { "aria-label": "Weight", onchange: () => draw() },
		o.weights.map(w => el("option", {}, w.name))) : null;
	let chart;

	const say = (...parts) => status.replaceChildren(...parts.map(p => typeof p === "string" ? clean(p) : p));
	const unit = () => o.weights[weight ? weight.selectedIndex : 0];

	function find() {
		found.textContent = "";
		if (search.value)
			chart.search(search.value);
		else
			chart.clear();
	}

	function draw() {
		if (!place.isConnected)
			return;
		const u = unit(), root = o.tree(u);
		place.replaceChildren();
		chart = flamegraph.default();
		chart.width(place.clientWidth || 1200).cellHeight(20).minFrameSize(1.5).transitionDuration(120)
			.inverted(!!o.inverted).sort((a, b) => b.value - a.value)
			.setColorMapper(d => colour(d.data.name, d.data.object || "", d.highlight))
			.setLabelHandler(d => `${d.data.name}${d.data.object ? ` (${base(d.data.object)})` : ""}`)
			.setSearchMatch((d, term) => d.data.name.toLowerCase().includes(term.toLowerCase()))
			.setSearchHandler((frames, sum, all) => {
				found.textContent = `${num(frames.length)} frames found, ${percent(sum, all)} of ${u.of}`;
			})
			.setDetailsHandler(() => {})
			.onHover(d => say(el("b", {}, d.data.name), d.data.object ? ` in ${base(d.data.object)}` : "",
				` · ${num(d.data.value)} ${u.unit}, ${percent(d.data.value, root.value)} of ${u.of}`,
				d.data.more ? ` · ${d.data.more(u)}` : ""));
		d3.select(place).datum(root).call(chart);
	}
	redraws.add(draw);
	queueMicrotask(draw);
	return el("section", { class: "card" }, el("h2", {}, o.title), el("p", { class: "say" }, o.say),
		el("div", { class: "controls" }, search, weight ? el("label", {}, "weight", weight) : null,
			el("button", { type: "button", onclick: () => { search.value = ""; find(); chart.resetZoom(); } }, "Reset"),
			found, el("span", { class: "space" })),
		status, place);
}

const deepest = 400;	// levels of a chart

function flame(f) {
	const name = i => f.names[i];

	function tree() {
		const root = { name: "all threads", value: f.total, children: [] }, nodes = [root], depth = [0];
		for (let i = 0; i < f.nodes.length; i += 5) {
			const [parent, func, self, total, calls] = f.nodes.slice(i, i + 5);
			const node = { name: clean(name(f.funcs[2 * func])), object: name(f.funcs[2 * func + 1]), value: total, children: [],
				more: () => `${num(self)} in itself, ${calls === 1 ? "called once" : `${num(calls)} calls`}` };
			nodes.push(node);
			depth.push(depth[parent] + 1);
			if (depth[parent] < deepest)
				nodes[parent].children.push(node);
		}
		return root;
	}
	const dropped = f.dropped ? ` ${num(f.dropped)} paths with fewer than ${num(f.least)} instructions are not drawn; their callers have their width.` : "";
	return [flameCard({ title: "Flame graph", weights: [{ name: "instructions", unit: "instructions", of: "what was followed" }], tree,
		say: `Each frame is a function below its caller; its width is the number of instructions that it and its callees executed. Nothing is sampled.${dropped}` })];
}

function icicle(f) {
	const kinds = ["thread", "object", "function", "inlined function", "line", "instruction"];

	function tree(weight) {
		const root = { name: "all samples", value: 0, children: [] }, nodes = [root];
		for (let i = 0; i < f.nodes.length; i += 5) {
			const [parent, kind, id, samples, cycles] = f.nodes.slice(i, i + 5);
			const text = clean(typeof id === "string" ? id : f.names[id]);
			const up = nodes[parent];
			const node = { name: kind === 1 ? base(text) : text, object: kind === 1 ? text : up.object, value: weight.key === "cycles" ? cycles : samples, children: [],
				more: () => `${kinds[kind]}, ${num(samples)} samples, ${(cycles / samples).toFixed(1)} cycles in the mean` };
			nodes.push(node);
			up.children.push(node);
			if (!parent)
				root.value += node.value;
		}
		return root;
	}
	const dropped = f.dropped ? ` ${num(f.dropped)} frames with fewer than ${num(f.least)} samples are not drawn.` : "";
	return [flameCard({ title: "Icicle", inverted: true, tree,
		weights: [{ name: "cycles of latency", key: "cycles", unit: "cycles", of: "all latencies" }, { name: "samples", key: "samples", unit: "samples", of: "all samples" }]
			.filter(w => w.key === "samples" || f.nodes.some((v, i) => i % 5 === 4 && v)),
		say: `SPE samples single operations and has no call chain: these frames are not callers. They are thread, object, function, inlined functions, line and instruction, from the top.${dropped}` })];
}

// ---- timeline

function timeline(f) {
	const threads = f.threads.filter(t => t.calls.length).sort((a, b) => b.insns - a.insns);
	if (!threads.length)
		return [el("section", { class: "card" }, el("h2", {}, "Timeline"), el("p", { class: "note" }, "no call was traced"))];
	const canvas = el("canvas", { class: "timeline" }), place = el("div", { class: "chart" }, canvas);
	const status = el("div", { class: "status" }, "Wheel zooms, dragging moves, a click on a call or mark shows its numbers, two clicks zoom to it.");
	const which = el("select", { "aria-label": "Thread", onchange: () => show() },
		threads.map(t => el("option", {}, `${t.comm || "thread"} ${t.tid < 0 ? "" : t.tid} · ${short(t.insns)} instructions`)));
	const axis = el("select", { "aria-label": "Axis", onchange: () => show() },
		el("option", {}, "instructions"), el("option", {}, "time"));
	const search = el("input", { type: "search", placeholder: "Search, Enter: next one", "aria-label": "Search calls and marks", oninput: () => find() });
	const found = el("span", { class: "found" });
	let chart, parts, calls = [], bars = [], flags = [], hits = [], hit = -1, all = [0, 1];
	const name = i => clean(f.names[f.funcs[2 * i]]), object = i => f.names[f.funcs[2 * i + 1]];
	const thread = () => threads[which.selectedIndex];
	const byTime = () => axis.selectedIndex === 1 && thread().times.length > 2;
	const say = (...parts) => status.replaceChildren(...parts.map(p => typeof p === "string" ? clean(p) : p));

	// Instructions -> ms, by the times of the trace around them
	function clock(t) {
		const at = [], ms = [];
		for (let i = 0; i < t.times.length; i += 2) {
			at.push(t.times[i]);
			ms.push(t.times[i + 1] / 1e6);
		}
		return d3.scaleLinear(at, ms).clamp(true);
	}

	// Each below the last one before it that has less depth
	function forest(list) {
		const top = [], open = [];
		for (const c of list) {
			while (open.length && open[open.length - 1].depth >= c.depth)
				open.pop();
			(open.length ? open[open.length - 1].children : top).push(c);
			open.push(c);
		}
		return top;
	}

	function read(t) {
		const x = byTime() ? clock(t) : n => n;
		const node = (depth, name, object, begin, insns) => ({ name, object, type: object, start: x(begin),
			duration: x(begin + insns) - x(begin), insns, begin, depth, children: [] });
		calls = [];
		bars = [];
		flags = [];
		for (let i = 0; i < t.calls.length; i += 4) {
			const [depth, func, begin, insns] = t.calls.slice(i, i + 4);
			if (depth < deepest)
				calls.push(node(depth, name(func), object(func), begin, insns));
		}
		for (let i = 0; i < t.bars.length; i += 5) {
			const [depth, what, id, begin, insns] = t.bars.slice(i, i + 5);
			if (depth >= deepest)
				continue;
			const text = what < 3 ? clean(f.names[id]) : what === 3 ? `id ${id}` : "id [cut]";
			bars.push({ ...node(depth, text, "mark", begin, insns),
				mark: ["", "phase", "phase without an end in the trace", "number", "number of which bits are missing"][what] });
		}
		for (let i = 0; i < t.flags.length; i += 2)
			flags.push({ ...node(0, clean(f.names[t.flags[i]]), "mark", t.flags[i + 1], 0), mark: "moment" });
	}

	// Flags overlap if they are many: those that are searched, else some of all.
	const mostFlags = 40;
	function flagged() {
		const wanted = search.value ? flags.filter(c => hits.includes(c)) : [], list = wanted.length ? wanted : flags;
		const step = Math.ceil(list.length / mostFlags);
		return list.filter((c, i) => i % step === 0).map(c =>
			({ shortName: middle(c.name, 24), fullName: c.name, timestamp: c.start, color: c.color, of: c }));
	}

	function tint() {
		const wanted = search.value.toLowerCase();
		hits = [];
		for (const c of [...calls, ...bars, ...flags]) {
			const found = wanted && c.name.toLowerCase().includes(wanted);
			c.color = colour(c.name, c.object, found);
			if (found)
				hits.push(c);
		}
	}

	function describe(c) {
		const t = thread(), ms = t.times.length > 2 ? clock(t) : null;
		say(el("b", {}, c.name), c.mark ? ` · ${c.mark}` : ` in ${base(c.object)}`, ` · ${num(c.insns)} instructions from ${num(c.begin)}`,
			ms ? ` · ${time(1e6 * (ms(c.begin + c.insns) - ms(c.begin)))}` : "", ` · depth ${c.depth}`);
	}

	function zoom(c) {
		const room = Math.max(c.duration, (all[1] - all[0]) / 1e6) * 0.15;
		chart.setZoom(Math.max(all[0], c.start - room), Math.min(all[1], c.start + c.duration + room));
	}

	function find() {
		tint();
		hit = -1;
		parts.calls.setData(top);
		parts.frame.setFlameChartNodes(top);
		if (parts.bars)
			parts.bars.setData(topBars);
		if (parts.flags)
			parts.flags.setMarks(flagged());
		chart.render();
		const marks = hits.filter(c => c.mark).length, some = hits.filter(c => !c.mark);
		found.textContent = search.value ? `${num(some.length)} calls found, ${num(some.reduce((s, c) => s + c.insns, 0))} instructions with callees${
			bars.length || flags.length ? `; ${num(marks)} marks` : ""}` : "";
	}

	function next(by) {
		if (!hits.length)
			return;
		hit = (hit + by + hits.length) % hits.length;
		zoom(hits[hit]);
		describe(hits[hit]);
	}
	search.addEventListener("keydown", e => {
		if (e.key === "Enter")
			next(e.shiftKey ? -1 : 1);
	});

	let top = [], topBars = [], under = null, inside = false;
	function show() {
		if (!place.isConnected)
			return;
		const t = thread();
		let deep = 1;
		read(t);
		top = forest(calls);
		topBars = forest(bars);
		tint();
		for (const c of calls)
			deep = Math.max(deep, c.depth);
		const rows = Math.min(bars.reduce((m, c) => Math.max(m, c.depth + 1), 0), 12);
		all = [calls.reduce((m, c) => Math.min(m, c.start), Infinity), calls.reduce((m, c) => Math.max(m, c.start + c.duration), 0)];
		const w = place.clientWidth || 1200, h = Math.min(Math.max(deep * 18 + 150, 320), Math.round(innerHeight * 0.72)) + (rows ? rows * 19 + 36 : 0);
		const ink = css("--ink"), soft = css("--soft"), card = css("--card");
		const fresh = el("canvas", { class: "timeline" });
		place.replaceChildren(fresh);
		fresh.width = w;
		fresh.height = h;
		const settings = {
			hotkeys: { active: false },
			options: { timeUnits: byTime() ? " ms" : " ", tooltip: hovered => {
				// The chart does not forget what was below a pointer that left it.
				under = inside && hovered && hovered.data && (hovered.data.source || hovered.data.of) || null;
				if (under)
					describe(under);
				return true;
			} },
			styles: {
				main: { blockHeight: 18, font: "11px " + css("--sans"), fontColor: css("--frame-ink"), backgroundColor: card, blockPaddingLeftRight: 4 },
				timeGrid: { color: css("--line") },
				timeGridPlugin: { font: "11px " + css("--sans"), fontColor: soft },
				timeframeSelectorPlugin: { font: "10px " + css("--sans"), fontColor: soft, overlayColor: dark() ? "rgba(0,0,0,.45)" : "rgba(90,100,110,.25)",
					graphStrokeColor: css("--accent"), graphFillColor: css("--bar"), bottomLineColor: css("--line"), backgroundColor: card, knobColor: css("--accent"), knobStrokeColor: card },
				togglePlugin: { fontColor: ink, color: css("--line-soft"), strokeColor: css("--line"), triangleColor: ink, dotsColor: soft },
			} };
		const styles = name => ({ styles: settings.styles[name] }), c = flameChartJs;
		parts = { frame: new c.TimeframeSelectorPlugin({ flameChartNodes: top, settings: styles("timeframeSelectorPlugin") }),
			calls: new c.FlameChartPlugin({ data: top }) };
		const plugins = [parts.frame, new c.TimeGridPlugin(styles("timeGridPlugin"))];
		if (flags.length)
			plugins.push(parts.flags = new c.MarksPlugin({ data: flagged() }));
		if (bars.length) {
			parts.bars = new c.FlameChartPlugin({ data: topBars, name: "marks" });
			parts.bars.height = rows * 19 + 2;
			plugins.push(new c.TogglePlugin("marks", styles("togglePlugin")), parts.bars,
				new c.TogglePlugin("calls", styles("togglePlugin")));
		}
		chart = new c.FlameChartContainer({ canvas: fresh, settings, plugins: [...plugins, parts.calls] });
		fresh.addEventListener("mousemove", () => { inside = true; });
		fresh.addEventListener("mouseleave", () => { inside = false; });
		let clicked = null, when = 0;
		for (const part of [parts.calls, parts.bars, parts.flags].filter(Boolean))
			part.on("select", e => {
				const of = e && e.node && (e.node.source || e.node.of);
				if (of)
					describe(of);
			});
		// The chart selects with the first click and takes the selection back with the second.
		fresh.addEventListener("click", e => {
			const c = under;
			if (c && c === clicked && e.timeStamp - when < 450)
				zoom(c);
			clicked = c;
			when = e.timeStamp;
		});
		hit = -1;
	}
	redraws.add(show);
	queueMicrotask(show);
	const sum = what => threads.reduce((s, t) => s + t[what], 0), dropped = sum("dropped");
	const deep = (list, fields) => list.reduce((n, v, i) => n + (i % fields === 0 && v >= deepest), 0);
	const marked = threads.some(t => t.bars.length || t.flags.length || t.bars_dropped || t.flags_dropped);
	const left = [[threads.reduce((s, t) => s + deep(t.calls, 4) + deep(t.bars, 5), 0), `are not drawn: they have ${deepest} callers or phases around them`],
		[sum("bars_dropped"), `bars of marks with fewer than ${num(f.least_bar)} instructions are not drawn`],
		[sum("flags_dropped"), "moments have no flag"], [sum("unbegun"), "phases ended that did not begin in the trace"]];
	return [el("section", { class: "card" }, el("h2", {}, "Calls in their order"),
		el("p", { class: "say" }, "Each bar is one call. The axis counts the instructions that the thread executed, which is exact; time is as fine as the timestamps in the trace.",
			dropped ? ` ${num(dropped)} calls of fewer than ${num(f.least)} instructions are not drawn.` : "",
			marked ? ` Marks of the program are above its calls: phases, numbers, each until the next one or the end of the phase around it, and moments as flags, at most ${mostFlags} at a time.` : "",
			left.filter(l => l[0]).map(l => ` ${num(l[0])} ${l[1]}.`)),
		el("div", { class: "controls" }, which, el("label", {}, "by", axis), search,
			el("button", { type: "button", onclick: () => next(-1), "aria-label": "Previous" }, "‹"),
			el("button", { type: "button", onclick: () => next(1), "aria-label": "Next" }, "›"),
			el("button", { type: "button", onclick: () => { search.value = ""; found.textContent = ""; show(); } }, "Reset"),
			found, el("span", { class: "space" })),
		status, place)];
}

// ---- heat maps

const scale = (least, most) => {
	const from = dark() ? d3.interpolateRgbBasis(["#22303f", "#2f5f86", "#49a2a0", "#c5c26a", "#f6e9b0"]) :
		d3.interpolateRgbBasis(["#e8eef4", "#9cc3e0", "#4b8fc4", "#2b5a9e", "#2a2560"]);
	const s = d3.scaleLog([Math.max(least, 1e-3), Math.max(most, least * 1.001, 2e-3)], [0.04, 1]).clamp(true);
	return v => from(s(v));
};

// A chart of rectangles. o.cells: x, y, value; uPlot has the axes, the zoom and the cursor.
function heatChart(place, o) {
	const paintCell = scale(o.least, o.most), index = new Map();
	for (const c of o.cells)
		index.set(c.x * 65536 + c.y, c);
	const plot = new uPlot({
		width: place.clientWidth || 1200, height: o.height, legend: { show: false },
		cursor: { drag: { x: true, y: true, uni: 20 }, points: { show: false } },
		scales: { x: { time: false, range: (u, a, b) => [a, b] }, y: { dir: -1, range: (u, a, b) => [a, b] } },
		series: [{}, { paths: () => null, points: { show: false } }],
		axes: [
			{ stroke: css("--soft"), font: "11px " + css("--sans"), grid: { stroke: css("--line-soft"), width: 1 }, ticks: { stroke: css("--line") }, ...o.xAxis },
			{ stroke: css("--soft"), font: "11px " + css("--mono"), grid: { show: false }, ticks: { show: false }, size: 200, ...o.yAxis },
		],
		hooks: {
			draw: [u => {
				const c = u.ctx, { left, top, width: w, height: h } = u.bbox;
				c.save();
				c.beginPath();
				c.rect(left, top, w, h);
				c.clip();
				for (const d of o.cells) {
					if (d.x + 1 < u.scales.x.min || d.x > u.scales.x.max || d.y + 1 < u.scales.y.min || d.y > u.scales.y.max)
						continue;
					const x0 = u.valToPos(d.x, "x", true), x1 = u.valToPos(d.x + 1, "x", true);
					const y0 = u.valToPos(d.y, "y", true), y1 = u.valToPos(d.y + 1, "y", true);
					c.fillStyle = paintCell(d.value);
					c.fillRect(Math.floor(Math.min(x0, x1)), Math.floor(Math.min(y0, y1)),
						Math.max(o.dot, Math.ceil(Math.abs(x1 - x0)) - o.gap), Math.max(o.dot, Math.ceil(Math.abs(y1 - y0)) - o.gap));
				}
				c.fillStyle = css("--line");
				for (const y of o.lines || [])
					if (y > u.scales.y.min && y < u.scales.y.max)
						c.fillRect(left, Math.round(u.valToPos(y, "y", true)), w, 1);
				c.restore();
			}],
			setCursor: [u => {
				if (u.cursor.left < 0)
					return;
				const d = index.get(Math.floor(u.posToVal(u.cursor.left, "x")) * 65536 + Math.floor(u.posToVal(u.cursor.top, "y")));
				if (d)
					o.describe(d);
			}],
		},
	}, [[0, o.columns], [0, o.rows]], place);
	return plot;
}

function legend(least, most, unit) {
	const s = scale(least, most), stops = d3.range(0, 1.01, 0.1).map(t => s(least * Math.pow(most / least, t)));
	return [el("span", {}, short(least)), el("i", { style: { background: `linear-gradient(to right, ${stops.join(",")})` } }),
		el("span", {}, `${short(most)} ${unit}`)];
}

function heatCard(title, text, colours, build) {
	const place = el("div", { class: "chart" }), status = el("div", { class: "status" }, "Drag to zoom, two clicks to go back.");
	const key = el("span", { class: "legend" });
	const which = colours.length > 1 ? el("select", { "aria-label": "Colour", onchange: () => draw() }, colours.map(c => el("option", {}, c))) : null;
	let plot;

	function draw() {
		if (!place.isConnected)
			return;
		if (plot)
			plot.destroy();
		place.replaceChildren();
		const o = build(which ? which.selectedIndex : 0, place);
		o.least = Infinity;
		o.most = 0;
		for (const c of o.cells) {
			o.least = Math.min(o.least, c.value);
			o.most = Math.max(o.most, c.value);
		}
		o.least = Math.max(o.least, 0.5);
		o.describe = d => status.replaceChildren(...o.text(d).map(p => typeof p === "string" ? clean(p) : p));
		key.replaceChildren(...(o.cells.length ? legend(o.least, o.most, o.unit) : []));
		plot = heatChart(place, o);
		place.plot = plot;
	}
	redraws.add(draw);
	queueMicrotask(draw);
	return el("section", { class: "card" }, el("h2", {}, title), el("p", { class: "say" }, text),
		el("div", { class: "controls" }, which ? el("label", {}, "colour", which) : null, key, el("span", { class: "space" }),
			el("button", { type: "button", onclick: () => draw() }, "Reset")),
		status, place);
}

function heat(f) {
	const rows = [], cells = [], regions = [];
	for (let i = 0; i < f.rows.length; i += 3) {
		const [addr, pid, name] = f.rows.slice(i, i + 3);
		const owner = pid < 0 ? "kernel" : f.names[name] ? base(f.names[name]) : "";
		const last = regions[regions.length - 1];
		rows.push({ addr, pid, owner });
		if (last && last.pid === pid && last.owner === owner)
			last.end = rows.length;
		else
			regions.push({ pid, owner, begin: rows.length - 1, end: rows.length });
	}
	for (let i = 0; i < f.cells.length; i += 4)
		cells.push({ y: f.cells[i], x: f.cells[i + 1], n: f.cells[i + 2], cycles: f.cells[i + 3] });
	const columns = cells.reduce((m, c) => Math.max(m, c.x + 1), 1);
	const pids = new Set(rows.map(r => r.pid)).size;
	const label = r => pids > 1 && r.pid >= 0 ? `${r.owner || "memory"} (${r.pid})` : r.owner;

	return heatCard("Latency by address and time", `Each row is a range of ${bytes(f.addr_step)} that loads and stores touched, in the order of addresses; ranges that nobody touched are left out. Each column is ${time(f.time_step)}.${f.without ? ` ${num(f.without)} records are not here: they have no data address, no time or no latency.` : ""}`,
		["mean latency", "samples", "cycles of latency"], colour => ({
			cells: cells.map(c => ({ ...c, value: colour === 0 ? c.cycles / c.n : colour === 1 ? c.n : c.cycles })),
			columns, rows: Math.max(rows.length, 1), gap: 0, dot: 2 * devicePixelRatio, height: rows.length < 30 ? Math.max(rows.length * 16 + 60, 160) : Math.min(rows.length * 3 + 60, 560),
			unit: colour === 1 ? "samples" : "cycles", lines: regions.map(r => r.begin),
			xAxis: { splits: (u, axis, min, max) => d3.ticks(min * f.time_step, max * f.time_step, 9).map(v => v / f.time_step),
				 values: (u, splits) => splits.map(v => time(Math.round(v * f.time_step))) },
			yAxis: {
				splits: (u, axis, min, max) => {
					const per = (max - min) / Math.max(u.bbox.height / devicePixelRatio, 1) * 13, out = [];
					if (max - min < 30)
						return d3.range(Math.max(0, Math.floor(min)), Math.min(rows.length, Math.ceil(max))).map(v => v + 0.5);
					for (const r of regions) {
						const a = Math.max(r.begin, min), b = Math.min(r.end, max), mid = (a + b) / 2;
						if (b > a && (!out.length || mid - out[out.length - 1] >= per))
							out.push(mid);
					}
					return out;
				},
				values: (u, splits) => splits.map(v => {
					const row = rows[Math.floor(v)];
					return !row ? "" : u.scales.y.max - u.scales.y.min < 30 ? `${label(row) === "" ? "" : `${middle(label(row), 12)} `}${row.addr}` : middle(label(row) || row.addr, 26);
				}),
			},
			text: d => [el("b", {}, `${rows[d.y].addr}`), ` ${label(rows[d.y])} · at ${time(d.x * f.time_step)} · `,
				`${num(d.n)} samples, ${(d.cycles / d.n).toFixed(1)} cycles in the mean`],
		}));
}

function latencies(f) {
	const funcs = f.funcs.slice(0, 60), cells = [];
	let last = 1;
	funcs.forEach(([, , , , lat], y) => lat.forEach((n, x) => {
		if (n) {
			cells.push({ x, y, n });
			last = Math.max(last, x + 1);
		}
	}));
	const sums = funcs.map(g => g[4].reduce((a, b) => a + b, 0));
	const range = x => x + 1 < f.begin.length ? `${num(f.begin[x])} to ${num(f.begin[x + 1] - 1)}` : `${num(f.begin[x])} or more`;
	const more = f.more + f.funcs.length - funcs.length;

	return heatCard("Latencies of each function", `Rows are functions, those with most cycles first; columns are total latencies in cycles.${more ? ` ${num(more)} functions with fewer cycles are not drawn.` : ""}`,
		["share of the function's samples", "samples"], colour => ({
			cells: cells.map(c => ({ ...c, value: colour === 0 ? 100 * c.n / sums[c.y] : c.n })),
			columns: last, rows: Math.max(funcs.length, 1), gap: 1, dot: 1, height: Math.max(funcs.length * 18 + 60, 140),
			unit: colour ? "samples" : "%",
			xAxis: { splits: () => d3.range(0, last + 1), values: (u, s) => s.map(v => v < f.begin.length ? short(f.begin[v]) : ""), space: 20 },
			yAxis: { splits: (u, a, min, max) => d3.range(Math.max(0, Math.floor(min)), Math.min(funcs.length, Math.ceil(max))).map(v => v + 0.5),
				 values: (u, s) => s.map(v => funcs[Math.floor(v)] ? middle(funcs[Math.floor(v)][0], 26) : "") },
			text: d => [el("b", {}, funcs[d.y][0]), ` in ${base(funcs[d.y][1])} · ${range(d.x)} cycles · ${num(d.n)} of ${num(sums[d.y])} samples`],
		}));
}

// ---- listings of v9trace annotate

function source() {
	const insns = objects(table("annotate", "instructions")), funcs = objects(table("annotate", "functions"));
	const id = r => `${r.symbol} ${r.dso}`, by = d3.group(insns, id);
	const list = funcs.filter(f => f.symbol && by.has(id(f)));
	const place = el("div", { class: "listing scroll" });
	const which = el("select", { "aria-label": "Function", onchange: () => show() }, list.map(f =>
		el("option", {}, `${middle(f.symbol, 60)} (${base(f.dso)})`)));
	const sources = el("input", { type: "checkbox", checked: true, onchange: () => show() });
	const measures = [
		["executed_percent", "share", v => `${v.toFixed(2)} %`], ["executed", "executed", num], ["taken_percent", "taken", v => `${v.toFixed(1)} %`], ["cycles", "cycles", num],
		["percent", "share", v => `${v.toFixed(2)} %`], ["samples", "samples", num], ["latency_total", "latency", v => v.toFixed(1)], ["latency_issue", "issue", v => v.toFixed(1)],
		["latency_translation", "transl", v => v.toFixed(1)], ["l1_miss_percent", "L1 miss", v => `${v.toFixed(1)} %`], ["llc_miss_percent", "LLC miss", v => `${v.toFixed(1)} %`], ["walk_percent", "walks", v => `${v.toFixed(1)} %`],
		["mispredicted_percent", "mispred.", v => `${v.toFixed(1)} %`],
	];

	function show() {
		const rows = by.get(id(list[which.selectedIndex])) || [], shown = measures.filter(([k]) => rows.some(r => r[k] !== null && r[k] !== undefined));
		const hot = rows.reduce((m, r) => Math.max(m, r.executed_percent || 0, r.percent || 0), 0), body = [];
		let last = "";
		for (const r of rows) {
			const at = r.file ? `${base(r.file)}:${r.line}` : "";
			if (sources.checked && at && at !== last)
				body.push(el("tr", { class: "source" }, el("td", { colspan: shown.length }),
					el("td", { colspan: 2 }, el("span", { class: "where" }, at), r.source || "", r.inlined ? el("span", { class: "where" }, ` inlined: ${middle(r.inlined, 60)}`) : null)));
			last = at || last;
			body.push(el("tr", {}, shown.map(([k, , text], i) => el("td", { class: i === 0 && k.endsWith("percent") ? "n share" : "n",
				style: { "--part": `${hot ? Math.max(100 * (r[k] || 0) / hot, 0) : 0}%` } }, r[k] === null || r[k] === undefined ? "" : text(r[k]))),
				el("td", { class: "code soft" }, r.address), el("td", { class: "code" }, r.instruction, r.target ? el("span", { class: "where" }, ` ${r.target}`) : null)));
		}
		place.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, shown.map(([, title]) => el("th", { class: "n" }, title)), el("th", {}, "address"), el("th", {}, "instruction"))), el("tbody", {}, body)));
	}

	if (!list.length)
		return [el("section", { class: "card" }, el("h2", {}, "Source"), el("p", { class: "note" }, "no code of these functions was found"))];
	show();
	const missing = objects(table("annotate", "missing"));
	return [el("section", { class: "card" }, el("h2", {}, "Instructions and source lines"),
		el("p", { class: "say" }, "What was measured of each instruction of the hottest functions. ETE counts executions, SPE samples them."),
		missing.length ? el("p", { class: "note" }, missing.map(m => `${m.what}${m.dso ? ` of ${base(m.dso)}` : ""}: ${m.why}. `)) : null,
		el("div", { class: "controls" }, which, el("label", {}, sources, "source lines")), place)];
}

// ---- cache lines

function cacheLines() {
	const lines = table("mem", "lines"), users = table("mem", "line_users");
	const out = [], most = 40;
	if (!lines)
		return out;
	const contended = objects(lines).filter(l => l.sharing === "true" || l.sharing === "false");
	const uses = objects(users), by = d3.group(uses, u => u.line);
	const threads = [...new Set(uses.map(u => u.tid || `CPU ${u.cpu}`))];
	const size = 64, cards = contended.slice(0, most).map(l => {
		const list = by.get(l.line) || [];
		const paintThread = t => `hsl(${(205 + threads.indexOf(t) * 137.5) % 360} 55% ${dark() ? 62 : 48}%)`;
		const strip = u => {
			const at = new Set(u.offsets.split(",").map(x => parseInt(x, 16)));
			return el("span", { class: "bytes", title: u.offsets }, d3.range(size).map(i =>
				el("i", at.has(i) ? { style: { background: paintThread(u.tid || `CPU ${u.cpu}`) } } : {})));
		};
		return el("div", { class: "sharing" },
			el("h3", {}, el("span", { class: "code" }, l.line), l.data || base(l.dso) || "memory",
				el("span", { class: `badge ${l.sharing === "false" ? "false" : ""}` }, l.sharing === "false" ? "false sharing" : "true sharing"),
				el("span", {}, `${num(l.samples)} samples, ${num(l.stores)} stores, ${l.latency_total === null ? "–" : l.latency_total.toFixed(1)} cycles in the mean, ${num(l.threads || 0)} threads on ${num(l.cpus || 0)} CPUs`)),
			el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {},
				["bytes of the line", "offsets", "loads", "stores", "CPU", "thread", "data", "instruction"].map((h, i) => el("th", { class: i === 2 || i === 3 ? "n" : "" }, h)))),
			el("tbody", {}, list.map(u => el("tr", {}, el("td", {}, strip(u)), el("td", { class: "code" }, u.offsets),
				el("td", { class: "n" }, num(u.loads)), el("td", { class: "n" }, num(u.stores)), el("td", {}, u.cpu || "–"),
				el("td", {}, `${u.comm || ""} ${u.tid || ""}`), el("td", { class: "t code", title: u.data || "" }, u.data || "–"),
				el("td", { class: "t code", title: u.symbol }, middle(u.symbol, 60))))))));
	});
	out.push(el("section", { class: "card" }, el("h2", {}, "Lines that several threads use and write"),
		el("p", { class: "say" }, `One colour for each thread; a byte is marked where an access begins, since SPE does not record sizes. False sharing: the threads use different bytes of the line, yet each store takes it from the others. True sharing: they use the same bytes.${contended.length > most ? ` The first ${most} of ${num(contended.length)} are drawn.` : ""}`),
		cards.length ? cards : el("p", { class: "note" }, "none: no line is written by one thread and used by another")));
	out.push(tableCard(lines));
	return out;
}

// ---- tabs

const capture = data("capture") || { path: "", kinds: [] };
const has = kind => capture.kinds.includes(kind);
const kindTables = view => tables.filter(t => t.view === view);
const of = (view, names) => kindTables(view).filter(t => names.some(n => t.name === n || t.name.endsWith("_" + n)));

const tabs = [
	["overview", "Overview", () => {
		const small = of("report", ["latencies", "operations", "events", "data_sources", "places", "exceptions"]).filter(t => t.rows.length);
		const out = [el("div", { class: "grid" }, of("report", ["summary"]).map(factsCard), of("mem", ["summary"]).map(t => factsCard({ ...t, title: "Loads and stores" })))];
		for (const t of of("report", ["functions"]))
			out.push(tableCard(t, { rows: 10 }));
		out.push(el("div", { class: "grid" }, small.map(t => tableCard(t, { rows: 12 }))));
		for (const t of of("report", ["nameless", "codeless"]).filter(x => x.rows.length))
			out.push(tableCard(t));
		return out;
	}, true],
	["functions", "Functions", () => [...of("report", ["functions"]), ...of("mem", ["symbols"]).filter(t => t.rows.length)].map(t => tableCard(t)), true],
	["flame", "Flame graph", () => flame(data("flame")), !!document.getElementById("flame")],
	["timeline", "Timeline", () => timeline(data("timeline")), !!document.getElementById("timeline")],
	["source", "Source", source, objects(table("annotate", "functions")).length > 0],
	["heat", "Heat maps", () => [heat(data("heat")), latencies(data("latencies"))], !!document.getElementById("heat")],
	["icicle", "Icicle", () => icicle(data("icicle")), !!document.getElementById("icicle")],
	["memory", "Memory", () => of("mem", ["sources", "data", "latencies"]).filter(t => t.rows.length).map(t => tableCard(t)), kindTables("mem").length > 0],
	["lines", "Cache lines", cacheLines, kindTables("mem").length > 0],
	["joint", "Samples on the path", () => [el("div", { class: "grid" }, of("joint", ["joint_summary"]).map(factsCard)),
		...kindTables("joint").filter(t => t.shape === "rows" && (t.rows.length || t.empty)).map(t => tableCard(t))], kindTables("joint").length > 0],
	["tables", "All tables", () => tables.filter(t => t.shape === "rows" && t.view !== "annotate" && (t.rows.length || t.empty)).map(t => tableCard(t)), true],
].filter(t => t[3]);

function open() {
	const wanted = location.hash.slice(1), tab = tabs.find(t => t[0] === wanted) || tabs[0];
	for (const a of document.querySelectorAll("#tabs a"))
		a.setAttribute("aria-selected", a.hash === "#" + tab[0]);
	redraws.clear();
	document.body.dataset.tab = tab[0];
	document.getElementById("main").replaceChildren(...tab[2]());
	scrollTo(0, 0);
}

document.title = `${base(capture.path)} · v9trace`;
document.getElementById("title").textContent = base(capture.path);
document.getElementById("about").textContent = [capture.kinds.map(k => k.toUpperCase()).join(" and "), capture.arch,
	capture.filters ? "filtered" : ""].filter(Boolean).join(" · ");
document.getElementById("tabs").append(...tabs.map(([id, title]) => el("a", { href: "#" + id, role: "tab" }, title)));
lost();
addEventListener("hashchange", open);
open();
document.body.dataset.ready = "yes";
})();
