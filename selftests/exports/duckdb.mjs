// SPDX-License-Identifier: GPL-2.0-only
// Stands in for the program duckdb: runs SQL with DuckDB's package of npm and prints the rows.
//
//   duckdb.mjs PACKAGES -c SQL
import {createRequire} from 'node:module';

const [packages, option, sql] = process.argv.slice(2);
const {DuckDBInstance} = createRequire(`${packages}/node_modules/`)('@duckdb/node-api');

if (option !== '-c')
	process.exit(2);
try {
	const connection = await (await DuckDBInstance.create(':memory:')).connect();
	const reader = await connection.runAndReadAll(sql);
	for (const row of reader.getRowsJson())
		console.log(row.join('|'));
} catch (e) {
	console.error(e.message);
	process.exit(1);
}
