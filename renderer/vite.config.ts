import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const LAZY_RE2 = fileURLToPath(new URL('src/lib/lazy-re2.ts', import.meta.url));

/** Whoever imports `re2js` gets a stand-in that loads it when it is first needed. */
const lazyRe2 = {
  name: 'lazy-re2',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined) =>
    source === 're2js' && importer !== LAZY_RE2 ? LAZY_RE2 : undefined,
};

/**
 * The console is built once and served by its station under a strict content security policy: no inline
 * script or style, nothing from elsewhere. So nothing is inlined as a data: address, and templates are
 * compiled here.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [vue(), lazyRe2],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_I18N_FULL_INSTALL__: 'false',
    __VUE_I18N_LEGACY_API__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
  },
  build: {
    // CONSOLE_PAGES keeps a build apart from the one that other stations of this work tree serve.
    outDir: process.env['CONSOLE_PAGES'] ?? fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'chrome122',
    chunkSizeWarningLimit: 1200,
  },
});
