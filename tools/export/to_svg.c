// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A flame graph as one SVG file: wider is heavier, callees above their callers. Its script zooms
 * (click) and searches (the field on top); where scripts do not run it is a picture. Each level has
 * data-n (its weight with callees), data-x (what is left of it) and data-d (its depth), in the order
 * of a walk from the root.
 */
#include "export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH		1200.0	/* px */
#define ROW		17.0
#define LEAST		0.1	/* px: levels that are narrower are not drawn, but counted */
#define LETTER		6.7	/* px: width of a letter at 11 px, about */
#define HEAD		70.0

struct node {
	uint64_t total;
	size_t parent, child, next;	/* indexes of nodes; 0: none */
	const char *name, *object;
	bool kernel;
};

struct svg {
	struct node *node;		/* the first is the root */
	size_t nr;
	struct v9_bins ids;		/* parent and name of a level -> node */
	struct v9_strtab names;
	struct v9_export_note note;
	struct loss { char *text; } *lost;
	size_t nr_lost;
	uint64_t hidden;
};

struct id {
	uint64_t key[3];
	uint64_t node;
};

static bool begin(struct v9_export *x)
{
	struct svg *s = v9_alloc(sizeof(*s));

	x->state = s;
	v9_bins_init(&s->ids, sizeof(struct id));
	v9_vec_add(s->node, s->nr)->name = "all";
	return true;
}

static size_t child_of(struct svg *s, size_t parent, const char *name, const char *object,
		       bool kernel)
{
	const char *kept = v9_strtab_put(&s->names, name, strlen(name));
	const uint64_t key[3] = { parent, (uint64_t)(uintptr_t)kept, (uint64_t)(uintptr_t)object };
	struct id *id = v9_bins_at(&s->ids, key, 3);
	struct node *n;

	if (id->node)
		return id->node;
	n = v9_vec_add(s->node, s->nr);
	id->node = s->nr - 1;
	*n = (struct node){ .parent = parent, .next = s->node[parent].child,
			    .name = kept, .object = object, .kernel = kernel };
	s->node[parent].child = s->nr - 1;
	return s->nr - 1;
}

static void stack(struct v9_export *x, const struct v9_stack *st)
{
	const uint64_t n = st->value[x->weight];
	struct svg *s = x->state;
	char room[64];
	size_t at;

	if (!n)
		return;
	s->node[0].total += n;
	at = child_of(s, 0, v9_thread_name(room, sizeof(room), st->comm, st->tid), NULL, false);
	s->node[at].total += n;
	for (size_t i = 0; i < st->nr; i++) {
		const struct v9_stack_level *l = &st->level[i];

		at = child_of(s, at, l->name, l->what == V9_LEVEL_FUNCTION ? l->dso_name : NULL,
			      l->kernel);
		s->node[at].total += n;
	}
}

static void loss(struct v9_export *x, const struct v9_loss *l)
{
	struct svg *s = x->state;
	char room[512];

	v9_vec_add(s->lost, s->nr_lost)->text = v9_strdup(v9_loss_text(room, sizeof(room), l));
}

/* Characters that XML does not have become question marks. */
static void put(FILE *f, const char *text)
{
	while (*text) {
		const unsigned int n = v9_utf8(text);
		const unsigned char c = (unsigned char)*text;

		if (c == '&')
			fputs("&amp;", f);
		else if (c == '<')
			fputs("&lt;", f);
		else if (c == '>')
			fputs("&gt;", f);
		else if (c == '"')
			fputs("&quot;", f);
		else if (!n || c < ' ' || c == 0x7f || !memcmp(text, "\xef\xbf\xbe", n) ||
			 !memcmp(text, "\xef\xbf\xbf", n))
			fputc('?', f);
		else
			fwrite(text, 1, n, f);
		text += n ? n : 1;
	}
}

/* At most @most letters of @text, with two dots if it is cut */
static void put_cut(FILE *f, const char *text, size_t most)
{
	size_t at = 0, letters = 0, cut = 0;
	char *copy;

	for (; text[at]; letters++) {
		const unsigned int n = v9_utf8(text + at);

		if (letters + 2 == most)
			cut = at;
		at += n ? n : 1;
	}
	if (letters <= most) {
		put(f, text);
		return;
	}
	copy = v9_strdup(text);
	copy[cut] = '\0';
	put(f, copy);
	fputs("..", f);
	free(copy);
}

/* Colours differ by name, so that equal functions look alike. Kernel code is of another range. */
static unsigned int hue(const struct node *n)
{
	unsigned int h = 0;

	for (const char *c = n->name; *c; c++)
		h = h * 31 + (unsigned char)*c;
	return n->kernel ? 25 + h % 20 : n->object ? 190 + h % 60 : 110 + h % 20;
}

static bool narrow(const struct svg *s, size_t i)
{
	return WIDTH * (double)s->node[i].total < LEAST * (double)s->node[0].total;
}

static void draw(struct v9_export *x, const struct node *n, uint64_t from, unsigned int depth,
		 double height)
{
	const struct svg *s = x->state;
	const uint64_t all = s->node[0].total;
	const double at = WIDTH * (double)from / (double)all;
	const double wide = WIDTH * (double)n->total / (double)all;
	const double y = height - ROW * (depth + 1);

	fprintf(x->f, "<g data-n=\"%" PRIu64 "\" data-x=\"%" PRIu64 "\" data-d=\"%u\"><title>",
		n->total, from, depth);
	put(x->f, n->name);
	if (n->object) {
		fputs(" (", x->f);
		put(x->f, n->object);
		fputc(')', x->f);
	}
	fprintf(x->f, "\n%" PRIu64 " %s, %.2f%%</title><rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" "
		"height=\"%.0f\" fill=\"hsl(%u,60%%,72%%)\"/><text x=\"%.2f\" y=\"%.1f\" data-t=\"",
		n->total, v9_weights[x->weight].name,
		100.0 * (double)n->total / (double)all, at, y, wide, ROW - 1, hue(n), at + 3,
		y + 12);
	put(x->f, n->name);
	fputs("\">", x->f);
	if (wide > 4 * LETTER)
		put_cut(x->f, n->name, (size_t)((wide - 6) / LETTER));
	fputs("</text></g>\n", x->f);
}

/* Largest depth of what is drawn. Parents have smaller indexes than their children. */
static unsigned int depth_of(const struct svg *s)
{
	unsigned int *depth = v9_alloc(s->nr * sizeof(*depth)), most = 0;

	for (size_t i = 1; i < s->nr; i++) {
		depth[i] = depth[s->node[i].parent] + 1;
		if (depth[i] > most && !narrow(s, i))
			most = depth[i];
	}
	free(depth);
	return most;
}

static int lightest_first(const void *a, const void *b, void *arg)
{
	const struct node *x = (struct node *)arg + *(const size_t *)a;
	const struct node *y = (struct node *)arg + *(const size_t *)b;

	return x->total != y->total ? (x->total > y->total) - (x->total < y->total) :
	       strcmp(y->name, x->name);
}

/* Links the children of each node again, heaviest first. */
static void sort(struct svg *s)
{
	size_t *order = v9_alloc(s->nr * sizeof(*order));

	for (size_t i = 0; i < s->nr; i++) {
		order[i] = i;
		s->node[i].child = 0;
	}
	qsort_r(order + 1, s->nr - 1, sizeof(*order), lightest_first, s->node);
	for (size_t i = 1; i < s->nr; i++) {
		struct node *n = &s->node[order[i]];

		n->next = s->node[n->parent].child;
		s->node[n->parent].child = order[i];
	}
	free(order);
}

/* Walks depth first. Children are where those before them end. */
static void draw_all(struct v9_export *x, double height)
{
	struct svg *s = x->state;
	unsigned int depth = 0;
	uint64_t at = 0;
	size_t i = 0;

	draw(x, &s->node[0], 0, 0, height);
	i = s->node[0].child;
	depth = 1;
	while (i) {
		const struct node *n = &s->node[i];

		if (!narrow(s, i)) {
			draw(x, n, at, depth, height);
			if (n->child) {
				i = n->child;
				depth++;
				continue;
			}
		} else {
			s->hidden++;
		}
		at += n->total;
		while (i && !s->node[i].next) {
			/* What is left of the parent is its own. */
			uint64_t own = s->node[s->node[i].parent].total;

			for (size_t k = s->node[s->node[i].parent].child; k; k = s->node[k].next)
				own -= s->node[k].total;
			at += own;
			i = s->node[i].parent;
			depth--;
		}
		i = i ? s->node[i].next : 0;
	}
}

static const char script[] =
	"<script><![CDATA[\n"
	"'use strict';\n"
	"const gs=[...document.querySelectorAll('g[data-n]')].map(g=>({g,n:+g.dataset.n,\n"
	"x:+g.dataset.x,d:+g.dataset.d,r:g.querySelector('rect'),t:g.querySelector('text')}));\n"
	"const all=gs[0].n,W=1200;\n"
	"const found=document.getElementById('found'),q=document.getElementById('q');\n"
	"function zoom(o){for(const e of gs){const under=e.d<=o.d&&e.x<=o.x&&e.x+e.n>=o.x+o.n;\n"
	"const x=under?0:(e.x-o.x)*W/o.n,w=under?W:e.n*W/o.n;\n"
	"const show=under||(e.d>o.d&&e.x>=o.x&&e.x+e.n<=o.x+o.n);\n"
	"e.g.style.display=show&&w>=.1?'':'none';\n"
	"e.r.setAttribute('x',x);e.r.setAttribute('width',w);\n"
	"e.t.setAttribute('x',x+3);const k=Math.floor((w-6)/6.7),s=e.t.dataset.t;\n"
	"e.t.textContent=k<3?'':s.length<=k?s:s.slice(0,k-2)+'..';\n"
	"e.g.style.opacity=under&&e!==o?.6:1;}}\n"
	"function search(s){let sum=0,end=-1,hits=0;for(const e of gs){\n"
	"const hit=s!==''&&e.t.dataset.t.includes(s);\n"
	"e.r.style.fill=hit?'#e040c0':'';if(hit){hits++;if(e.x>=end){sum+=e.n;end=e.x+e.n;}}}\n"
	"found.textContent=s===''?'':hits+' levels, '+(100*sum/all).toFixed(2)+'%';}\n"
	"for(const e of gs)e.g.addEventListener('click',()=>zoom(e));\n"
	"q.addEventListener('input',()=>search(q.value));\n"
	"window.flame={zoom:i=>zoom(gs[i]),search};\n"
	"]]></script>\n";

static void end(struct v9_export *x)
{
	struct svg *s = x->state;
	const double bottom = HEAD + ROW * (depth_of(s) + 1);
	double y = bottom + 20;

	fprintf(x->f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
		"width=\"%.0f\" height=\"%.0f\" font-family=\"monospace\" font-size=\"11\">\n"
		"<style>g[data-n]{cursor:pointer} "
		"g[data-n]:hover rect{stroke:#000;stroke-width:.5} text{pointer-events:none}</style>\n<rect width=\"100%%\" height=\"100%%\" "
		"fill=\"#fff\"/>\n<text x=\"10\" y=\"20\" font-size=\"15\">",
		WIDTH, y + 18.0 * (double)(s->nr_lost + 2), WIDTH,
		y + 18.0 * (double)(s->nr_lost + 2));
	fprintf(x->f, "%s: ", v9_weights[x->weight].name);
	put(x->f, x->r.o.path);
	fputs("</text>\n<text x=\"10\" y=\"38\">", x->f);
	put(x->f, v9_weights[x->weight].kind == V9_KIND_SPE ? V9_NO_CHAIN :
	    "calls of a trace of instructions");
	fputs("</text>\n<foreignObject x=\"900\" y=\"6\" width=\"290\" height=\"26\"><input "
	      "xmlns=\"http://www.w3.org/1999/xhtml\" id=\"q\" placeholder=\"search\" "
	      "style=\"width:270px\"/></foreignObject>\n"
	      "<text id=\"found\" x=\"900\" y=\"48\"></text>\n", x->f);
	sort(s);
	if (s->node[0].total)
		draw_all(x, bottom);
	for (size_t i = 0; i < s->nr_lost; i++, y += 18) {
		fprintf(x->f, "<text class=\"lost\" x=\"10\" y=\"%.0f\" fill=\"#b00\">lost: ", y);
		put(x->f, s->lost[i].text);
		fputs("</text>\n", x->f);
	}
	if (!s->nr_lost)
		fprintf(x->f, "<text x=\"10\" y=\"%.0f\">nothing was lost</text>\n", y);
	if (s->hidden)
		fprintf(x->f, "<text class=\"hidden\" x=\"10\" y=\"%.0f\">%" PRIu64 " levels "
			"narrower than %.1f px are not drawn, nor what is above them</text>\n", y + 18,
			s->hidden, LEAST);
	if (s->node[0].total)
		fputs(script, x->f);
	fputs("</svg>\n", x->f);
}

static void free_state(struct v9_export *x)
{
	struct svg *s = x->state;

	for (size_t i = 0; i < s->nr_lost; i++)
		free(s->lost[i].text);
	free(s->lost);
	free(s->node);
	v9_bins_free(&s->ids);
	v9_strtab_free(&s->names);
	free(s);
}

const struct v9_sink v9_sink_svg = {
	.name = "svg", .help = "a flame graph as one file, with zoom and search",
	.takes = { [V9_KIND_SPE] = V9_SPE_STACKS, [V9_KIND_ETE] = V9_SINK_STACKS },
	.weights = V9_STACK_WEIGHTS,
	.begin = begin, .stack = stack, .loss = loss, .end = end, .free = free_state,
};
