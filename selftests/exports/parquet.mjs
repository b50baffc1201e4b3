// SPDX-License-Identifier: GPL-2.0-only
// Files of v9trace export --to parquet, read by hyparquet: the rows are those of --to json. DuckDB counts as
// many rows in them. Without the program duckdb v9trace prints that it has to be installed. TAP.
//
//   parquet.mjs DIR PACKAGES V9TRACE       DIR has the captures
import {execFileSync, spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const [dir, packages, v9trace] = process.argv.slice(2);
const {asyncBufferFromFile, parquetReadObjects} =
	await import(pathToFileURL(`${packages}/node_modules/hyparquet/src/node.js`));
let n = 0;

function result(name, why) {
	n++;
	console.log(why ? `not ok ${n} - ${name} # ${String(why).slice(0, 300).replaceAll('\n', ' ')}` : `ok ${n} - ${name}`);
}

const bin = `${dir}/bin`, duckdb = new URL('duckdb.mjs', import.meta.url).pathname;
mkdirSync(bin, {recursive: true});
writeFileSync(`${bin}/duckdb`, `#!/bin/sh\nexec '${process.execPath}' '${duckdb}' '${packages}' "$@"\n`);
chmodSync(`${bin}/duckdb`, 0o755);
const env = {...process.env, HOME: dir, PATH: `${bin}:/usr/bin:/bin`};

function tables(capture, options) {
	const text = execFileSync(v9trace, ['export', '--to', 'json', ...options, capture],
				  {cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28});
	const found = {};
	for (const line of text.split('\n').filter(l => l)) {
		const {table, ...row} = JSON.parse(line);
		(found[table] ??= []).push(row);
	}
	return found;
}

// The columns of a row by name, without those that have no value
const plain = row => JSON.stringify(Object.entries(row).filter(([, v]) => v !== null && v !== undefined && v !== '')
	.map(([k, v]) => [k, typeof v === 'bigint' ? Number(v) : v]).sort());

async function equal(name, capture, ...options) {
	const out = `${dir}/parquet`;
	try {
		rmSync(out, {recursive: true, force: true});
		execFileSync(v9trace, ['export', '--to', 'parquet', '-o', out, ...options, capture],
			     {cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
		const want = tables(capture, options);
		let rows = 0;
		for (const table of Object.keys(want)) {
			const file = `${out}/${table}.parquet`;
			const got = await parquetReadObjects({file: await asyncBufferFromFile(file)});
			for (let i = 0; i < Math.max(got.length, want[table].length); i++)
				if (!got[i] || !want[table][i] || plain(got[i]) !== plain(want[table][i]))
					return `${table} ${i}: ${got[i] && plain(got[i])}, want ${want[table][i] && plain(want[table][i])}`;
			const count = execFileSync(`${bin}/duckdb`, ['-c', `SELECT count(*) FROM '${file}'`], {env, encoding: 'utf8'});
			if (+count !== got.length)
				return `DuckDB counts ${count} rows of ${table}`;
			rows += got.length;
		}
		return rows ? '' : 'nothing to compare';
	} catch (e) {
		return e.stderr || e.message;
	}
}

const symbols = ['--symfs', 'symfs', '--kallsyms', 'kallsyms'], hostile = ['--symfs', 'hostile', '--kallsyms', 'hostile/kallsyms'];
result('parquet_spe', await equal('spe', 'good.data', ...symbols));
result('parquet_spe_hostile', await equal('spe_hostile', 'good.data', ...hostile));
result('parquet_ete', await equal('ete', 'trace.data', '--symfs', 'symfs'));
result('parquet_both', await equal('both', 'both.data', '--symfs', 'symfs'));
// Shards: as rows, and all of them in one question of DuckDB's. report counts the records of each capture.
function shard(name, ...captures) {
	execFileSync(v9trace, ['merge', '-o', `${name}.shard`, ...symbols, ...captures],
		     {cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
	return `${name}.shard`;
}
function fleet() {
	let want = 0;
	rmSync(`${dir}/fleet`, {recursive: true, force: true});
	mkdirSync(`${dir}/fleet`);
	for (const capture of ['good.data', 'mem.data', 'rare.data']) {
		const report = JSON.parse(execFileSync(v9trace, ['report', '--json', ...symbols, capture],
						       {cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}));
		want += report.summary.records;
		execFileSync(v9trace, ['export', '--to', 'parquet', '-o', `fleet/${capture}`, shard(`fleet-${capture}`, capture)],
			     {cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
	}
	const got = execFileSync(`${bin}/duckdb`, ['-c', `SELECT sum(samples)::BIGINT FROM '${dir}/fleet/*/samples.parquet'`],
				 {env, encoding: 'utf8'});
	return +got === want && want > 40 ? '' : `DuckDB: ${got}, captures: ${want}`;
}
result('parquet_shard', await equal('shard', shard('both', 'good.data', 'trace.data', 'brbe.data')));
try {
	result('duckdb_reads_all_shards', fleet());
} catch (e) {
	result('duckdb_reads_all_shards', e.stderr || e.message);
}
const absent = spawnSync(v9trace, ['export', '--to', 'parquet', '-o', 'absent', 'good.data'],
			 {cwd: dir, env: {...env, PATH: '/nowhere'}, encoding: 'utf8'});
result('parquet_without_duckdb', absent.status === 1 && /^v9trace: --to parquet needs the program duckdb.*install it/m.test(absent.stderr) ?
	'' : `${absent.status} ${absent.stderr}`);
console.log(`1..${n}`);
