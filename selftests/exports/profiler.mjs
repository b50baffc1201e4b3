// SPDX-License-Identifier: GPL-2.0-only
// Exports read by the command line of the Firefox Profiler: functions of folded stacks and of its own format
// have the numbers of report, and trace events are markers. TAP.
//
//   profiler.mjs DIR PACKAGES
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

const [dir, packages] = process.argv.slice(2);
const cli = `${packages}/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js`;
let n = 0;

function result(name, why) {
	n++;
	console.log(why ? `not ok ${n} - ${name} # ${String(why).slice(0, 300).replaceAll('\n', ' ')}` : `ok ${n} - ${name}`);
}

function run(...args) {
	return execFileSync('node', [cli, ...args], {cwd: dir, env: {...process.env, HOME: dir}, encoding: 'utf8',
						    stdio: ['ignore', 'pipe', 'pipe'], timeout: 60000});
}

// Its daemon has half a second to start, and misses that under load: it is waited for.
function load(file) {
	let why;
	try {
		return run('load', file);
	} catch (e) {
		why = e;
	}
	for (let i = 0; i < 20; i++) {
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
		try {
			if (run('status').includes('Selected thread'))
				return;
		} catch (e) {
			if (`${e.stderr}`.includes('load failed'))
				throw e;
		}
	}
	throw why;
}

// As in folded stacks
const clean = s => s.replaceAll(';', ':').replace(/[\x00-\x1f\x7f]/g, ' ');

function wanted(name, text) {
	const report = JSON.parse(readFileSync(`${dir}/${name}.report`, 'utf8'));
	const sums = {};
	for (const f of report.functions)
		if (f.samples ?? f.instructions)
			sums[text(f)] = (sums[text(f)] ?? 0) + (f.samples ?? f.instructions);
	return sums;
}

// Compares the functions of an export with report. text(): the name that the profiler shows for a function
function functions(name, format, threads, text) {
	try {
		load(`${name}.${format}`);
		const got = {};
		for (let i = 0; i < threads; i++)
			for (const line of run('thread', 'functions', '--thread', `t-${i}`, '--limit', '0').split('\n')) {
				const m = line.match(/^ *f-\d+\. (.*) - self: ([\d,]+) /);
				if (m && +m[2].replaceAll(',', ''))
					got[m[1]] = (got[m[1]] ?? 0) + +m[2].replaceAll(',', '');
			}
		const want = wanted(name, text);
		for (const k of Object.keys({...want, ...got}))
			if (want[k] !== got[k])
				return `${k}: ${got[k]}, want ${want[k]}`;
		return Object.keys(want).length ? '' : 'nothing to compare';
	} catch (e) {
		return e.stderr || e.message;
	} finally {
		try { run('stop', '--all'); } catch {}
	}
}

function chrome(name, marker) {
	try {
		load(`${name}.chrome`);
		const text = run('profile', 'markers', '--limit', '100');
		return text.includes(marker) ? '' : `no marker ${marker}: ${text}`;
	} catch (e) {
		return e.stderr || e.message;
	} finally {
		try { run('stop', '--all'); } catch {}
	}
}

for (const name of ['spe', 'spe_hostile', 'ete', 'ete_hostile'])
	result(`profiler_folded_${name}`, functions(name, 'folded', 1, f => clean(f.symbol)));
for (const [name, threads] of [['spe', 2], ['ete', 1]])
	result(`profiler_firefox_${name}`, functions(name, 'firefox', threads, f => `${f.dso}!${f.symbol}`));
result('profiler_chrome_ete', chrome('ete', 'compress'));
console.log(`1..${n}`);
