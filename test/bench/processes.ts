import { readFileSync } from 'node:fs';

/** User and system time of a process in seconds, from /proc (hundredths of a second). */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Bytes of a process that are in memory. */
export function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
}

/** Bytes of a process in memory: all, its share of what processes share, and what no file backs. */
export function memoryOf(pid: number): { resident: number; proportional: number; anonymous: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)![1]) * 1024;
  return { resident: bytes('Rss'), proportional: bytes('Pss'), anonymous: bytes('Anonymous') };
}

/** As the packages start a station: few arenas, and large blocks go back to the system at once. */
export const AS_PACKAGED = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** The value below which the share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
