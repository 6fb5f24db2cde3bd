/**
 * `npm run bench [name…]`: runs the benchmarks and prints ratios. Every measure stands beside a baseline
 * taken in the same run, on the same machine, in the same minute: the cores here are shared and noisy, so
 * that only the ratio tells.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';

export interface BenchReport {
  /** `value` and `baseline` in the same unit; printed as their ratio. */
  ratio(name: string, value: number, baseline: number, unit: string, note?: string): void;
  line(text: string): void;
}

const report: BenchReport = {
  ratio(name, value, baseline, unit, note) {
    console.log(
      `  ${name.padEnd(62)} ${(value / baseline).toFixed(2).padStart(8)} ×   ${figure(value)} / ${figure(baseline)} ${unit}${note ? `   ${note}` : ''}`,
    );
  },
  line(text) {
    console.log(`  ${text}`);
  },
};

function figure(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

// Stations in processes of their own are measured as they are shipped.
execFileSync(process.execPath, ['.ci/build.mjs'], {
  cwd: new URL('../..', import.meta.url).pathname,
  stdio: 'inherit',
});
process.env['WAYPOST_PROGRAM'] ??= 'dist/server/cli.js';

const wanted = process.argv.slice(2);
const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.bench.ts'));
for (const file of files.sort()) {
  const name = basename(file, '.bench.ts');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  const { default: bench } = (await import(new URL(file, import.meta.url).href)) as {
    default: (report: BenchReport) => Promise<void>;
  };
  await bench(report);
}
process.exit(0);
