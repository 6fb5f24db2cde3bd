import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import consoleConfig from './vite.config.ts';

const isNamed = (plugin: unknown, name: string) =>
  typeof plugin === 'object' && plugin !== null && (plugin as { name?: string }).name === name;

/**
 * The pages of crews and of citizens: built apart from the console, into the same folder, so that a telephone loads
 * nothing of the console. All of their packages are in the console's list.
 */
export default defineConfig({
  ...consoleConfig,
  plugins: (consoleConfig.plugins ?? []).filter((plugin) => !isNamed(plugin, 'list-packages')),
  build: {
    ...consoleConfig.build,
    emptyOutDir: false,
    copyPublicDir: false,
    rolldownOptions: {
      input: ['crew.html', 'citizens.html'].map((page) => fileURLToPath(new URL(page, import.meta.url))),
    },
  },
});
