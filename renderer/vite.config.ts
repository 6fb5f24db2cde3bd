import { writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const LAZY_RE2 = fileURLToPath(new URL('src/lib/lazy-re2.ts', import.meta.url));

/** An import of `re2js` gets a stand-in that loads it when it is first needed. */
const lazyRe2 = {
  name: 'lazy-re2',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined) =>
    source === 're2js' && importer !== LAZY_RE2 ? LAZY_RE2 : undefined,
};

/** The layers beneath the features, and what both sides of the wire share. */
const COMMON = /[\\/](?:renderer[\\/]src[\\/](?:ui|lib)|shared)[\\/]/;

/** The board's map, which is loaded when the tasks are there. A group takes in what its modules import. */
const BOARD_MAP = /[\\/]features[\\/]board[\\/]map[\\/]BoardMap\.vue$/;

const CATALOGUE = /[\\/]i18n[\\/]catalogues[\\/](en|ru)\.ts$/;

/**
 * Files of the catalogue hold both languages side by side. Each language gets a copy of its own of them, of which
 * only that language is built in: a console loads one language.
 */
const splitLanguages = {
  name: 'split-languages',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined) {
    const language = CATALOGUE.exec(importer ?? '')?.[1];
    if (language === undefined || !source.startsWith('.')) return undefined;
    return `${fileURLToPath(new URL(source, pathToFileURL(importer!)))}?language=${language}`;
  },
};

/** Writes which packages the pages contain: the list of parts in an installed program names those. */
const listPackages = {
  name: 'list-packages',
  apply: 'build' as const,
  writeBundle(options: { dir?: string | undefined }, bundle: Record<string, { type: string; moduleIds?: string[] }>) {
    const root = fileURLToPath(new URL('..', import.meta.url));
    const files = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const folders = files.flatMap(
      (file) => /^[^?]*node_modules\/(?:@[^/]+\/)?[^/?]+/.exec(file.replace(/^\0/, ''))?.[0] ?? [],
    );
    const packages = [...new Set(folders)].map((folder) => relative(root, folder).replaceAll('\\', '/')).sort();
    writeFileSync(join(dirname(options.dir!), 'packages-console.json'), JSON.stringify(packages));
  },
};

/**
 * The console is built once and served by its station under a strict content security policy: no inline
 * script or style, nothing from elsewhere. So nothing is inlined as a data: address, and templates are
 * compiled here.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [vue(), lazyRe2, splitLanguages, listPackages],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_I18N_FULL_INSTALL__: 'false',
    __VUE_I18N_LEGACY_API__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
  },
  worker: { format: 'es', plugins: () => [lazyRe2] },
  build: {
    // CONSOLE_PAGES keeps a build apart from the one that other stations of this work tree serve.
    outDir: process.env['CONSOLE_PAGES'] ?? fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'chrome122',
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        // Each file costs a kilobyte of headers on a slow line. So the first sight of the board is one file, its map
        // another, and what other pages share a third.
        codeSplitting: {
          groups: [
            { name: 'board', tags: ['$initial'], priority: 2 },
            { name: 'map', test: BOARD_MAP, priority: 1 },
            { name: 'common', test: COMMON, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
