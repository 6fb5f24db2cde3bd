/**
 * `npm run bench -- [--write] [name…]` runs the benchmarks and prints ratios. Each figure stands beside a
 * baseline from the same run: on shared, noisy cores only the ratio means something. `--write` also replaces
 * the section of each benchmark in `results.md`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import process from 'node:process';

export interface BenchReport {
  /** `value` and `baseline` in the same unit; printed as their ratio. */
  ratio(name: string, value: number, baseline: number, unit: string, note?: string): void;
  line(text: string): void;
}

let printed: string[] = [];

function print(line: string): void {
  console.log(`  ${line}`);
  printed.push(line);
}

const report: BenchReport = {
  ratio(name, value, baseline, unit, note) {
    const ratio = (value / baseline).toFixed(2).padStart(8);
    print(`${name.padEnd(62)} ${ratio} ×   ${figure(value)} / ${figure(baseline)} ${unit}${note ? `   ${note}` : ''}`);
  },
  line: print,
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

const words = process.argv.slice(2);
const writes = words.includes('--write');
const wanted = words.filter((word) => word !== '--write');
const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.bench.ts'),
);
for (const file of files.sort()) {
  const name = basename(file, '.bench.ts');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  const { default: bench } = (await import(new URL(file, import.meta.url).href)) as {
    default: (report: BenchReport) => Promise<void>;
  };
  printed = [];
  await bench(report);
  if (writes) writeSection(name, printed);
}
process.exit(0);

/** Replaces what `results.md` says of one benchmark, or adds it. */
function writeSection(name: string, lines: readonly string[]): void {
  const file = new URL('results.md', import.meta.url);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const day = new Date().toISOString().slice(0, 10);
  const head = `${day}, commit ${commit}, Node ${process.versions.node}, ${cpus().length} cores.`;
  const section = `### ${name} benchmark\n\n${head}\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`;
  const results = readFileSync(file, 'utf8');
  const others = results.split(/(?=^### )/m).filter((part) => !part.startsWith(`### ${name} benchmark\n`));
  writeFileSync(file, `${others.join('').trimEnd()}\n\n${section}`);
}
