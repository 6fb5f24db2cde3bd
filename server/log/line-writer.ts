import type { Writable } from 'node:stream';
import type { LogEntry } from './log.ts';

/**
 * Writes entries as lines: JSON as in the files, with the time as text, or text. A reader that went away is no reason
 * to stop.
 */
export function lineWriter(format: 'text' | 'json', output: Writable): (entry: LogEntry) => void {
  output.on('error', () => undefined);
  return (entry) => {
    if (output.writable) output.write(`${format === 'json' ? asJson(entry) : asText(entry)}\n`);
  };
}

function asJson({ time, ...entry }: LogEntry): string {
  return JSON.stringify({ time: new Date(time).toISOString(), ...entry });
}

function asText({ time, level, logger, message }: LogEntry): string {
  return `${new Date(time).toISOString()} ${level} ${logger}: ${message.replaceAll('\n', '\n  ')}`;
}
