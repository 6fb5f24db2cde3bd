import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the program: of the checkout, or of the built program, where this file lies one level deeper
 * (`dist/server`).
 */
export const ROOT = fileURLToPath(new URL(extname(import.meta.url) === '.ts' ? '../..' : '../../..', import.meta.url));

/**
 * Where compiled code is kept for the next start; not in the system's folder for such things, where other
 * users could write.
 */
export const COMPILED = join(ROOT, 'node_modules', '.cache', 'compiled');

/**
 * The console's built pages; `CONSOLE_PAGES` names another build of them, so that several can be tried side
 * by side.
 */
export const PAGES = process.env['CONSOLE_PAGES'] ?? join(ROOT, 'dist', 'renderer');

/** The extract of the embedded demo territory. */
export const DEMO_TOWN = join(ROOT, 'resources', 'demo', 'town.osm.pbf');

/** Roboto for task sheets, letters and printed maps: Latin, Cyrillic and Greek. */
export const ROBOTO = {
  regular: join(ROOT, 'resources', 'fonts', 'Roboto-Regular.ttf'),
  medium: join(ROOT, 'resources', 'fonts', 'Roboto-Medium.ttf'),
};

export const VERSION = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
