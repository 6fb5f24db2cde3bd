import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpacked } from './unpacked.ts';

/** The built program has this file in `dist/server`, as deep as the source. */
const HOME = fileURLToPath(new URL('../..', import.meta.url));

/** The program's folder. In the packed desktop program: the one beside its archive. */
export const ROOT = unpacked(HOME);

/** The cache of compiled code. Not in the system's temporary folder, where other users could write. */
export const COMPILED = join(ROOT, 'node_modules', '.cache', 'compiled');

/** The console's built pages. `CONSOLE_PAGES` names another build, so that several can run side by side. */
export const PAGES = process.env['CONSOLE_PAGES'] ?? join(HOME, 'dist', 'renderer');

/** The extract of the embedded demo territory. */
export const DEMO_TOWN = join(ROOT, 'resources', 'demo', 'town.osm.pbf');

/** Roboto for task sheets, letters and printed maps: Latin, Cyrillic and Greek. */
export const ROBOTO = {
  regular: join(ROOT, 'resources', 'fonts', 'Roboto-Regular.ttf'),
  medium: join(ROOT, 'resources', 'fonts', 'Roboto-Medium.ttf'),
};

/** Common passwords of published breaches, sorted and zipped. */
export const BREACHED_PASSWORDS = join(ROOT, 'resources', 'passwords', 'common.txt.gz');

export const VERSION = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
