import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vite';
import consoleConfig from './vite.config.ts';

/**
 * The page of crews: built apart from the console, into the same folder, so that a telephone loads nothing of the
 * console.
 */
export default defineConfig(
  mergeConfig(consoleConfig, {
    build: {
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('crew.html', import.meta.url)),
        output: { codeSplitting: { groups: [] } },
      },
    },
  }),
);
