import type { z } from 'zod';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** The text of `--help` about settings. */
export function describeSettings(): string {
  return Object.entries<Setting<z.ZodType>>(SETTINGS)
    .map(([name, { flag, environment, reason, plain, default: byDefault }]) => {
      const names = [
        flag && `--${flag}${plain ? '' : ` ${name.toUpperCase().replace(/[^A-Z]/g, '')}`}`,
        environment,
        `station.json: ${name}`,
      ]
        .filter(Boolean)
        .join(', ');
      const given =
        byDefault === null || byDefault === false || String(byDefault) === '' ? '' : ` [${String(byDefault)}]`;
      return `  ${names}\n      ${reason}${given}`;
    })
    .join('\n');
}
