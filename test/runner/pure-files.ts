import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Modules that open a file, a socket, a thread, a process or a database. */
const IMPURE =
  /^node:(child_process|cluster|dgram|dns|fs|fs\/promises|http|http2|https|net|os|sqlite|tls|worker_threads)$/;

/** Imports of values: `import type` vanishes when the file is loaded. */
const STATIC = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)/g;

/**
 * Finds the test files below `folder` that reach no impure module through any of their imports. They share a
 * thread and its modules, which makes them start in milliseconds.
 */
export function pureFiles(folder: string): string[] {
  const known = new Map<string, boolean>();
  const isPure = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, true); // an import in a circle decides nothing
    const text = readFileSync(file, 'utf8');
    const imports = [...text.matchAll(STATIC), ...text.matchAll(DYNAMIC)].map(([, path]) => path!);
    const pure = imports.every((path) => {
      if (!path.startsWith('.')) return !IMPURE.test(path);
      const imported = resolve(dirname(file), path);
      return !/\.(ts|mjs)$/.test(imported) || !existsSync(imported) || isPure(imported);
    });
    known.set(file, pure);
    return pure;
  };
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .filter((file) => isPure(file));
}
