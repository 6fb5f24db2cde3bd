import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import consoleConfig from './vite.config.ts';

const isNamed = (plugin: unknown, name: string) =>
  typeof plugin === 'object' && plugin !== null && (plugin as { name?: string }).name === name;

/**
 * The page of crews: built apart from the console, into the same folder, so that a telephone loads nothing of the
 * console. All of its packages are in the console's list.
 */
export default defineConfig({
  ...consoleConfig,
  plugins: (consoleConfig.plugins ?? []).filter((plugin) => !isNamed(plugin, 'list-packages')),
  build: {
    ...consoleConfig.build,
    emptyOutDir: false,
    copyPublicDir: false,
    rolldownOptions: { input: fileURLToPath(new URL('crew.html', import.meta.url)) },
  },
});
