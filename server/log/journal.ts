import { fstatSync, writeSync } from 'node:fs';
import type { LogEntry, LogLevel } from './log.ts';

/** syslog's numbers, which journald takes from the start of a line. */
const PRIORITY: Readonly<Record<LogLevel, number>> = { TRACE: 7, DEBUG: 7, INFO: 6, WARN: 4, ERROR: 3 };

/**
 * Writes entries to journald as well, if it reads this process's standard error; else undefined. A long message is
 * one entry for each line, as journald has it.
 */
export function journalWriter(environment: NodeJS.ProcessEnv): ((entry: LogEntry) => void) | undefined {
  if (!isReadByJournal(environment['JOURNAL_STREAM'])) return undefined;
  return ({ level, logger, message }) => {
    const lines = message.split('\n').map((line) => `<${PRIORITY[level]}>${logger}: ${line}\n`);
    try {
      writeSync(2, lines.join(''));
    } catch {
      // A journal that takes nothing must not hold up the station; the entry is in the station's own log.
    }
  };
}

/** systemd gives the device and inode of the stream, since a parent's variable may be inherited. */
function isReadByJournal(stream: string | undefined): boolean {
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(2);
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}
