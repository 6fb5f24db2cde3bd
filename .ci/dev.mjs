// npm run dev: the console with hot reload, against a station of its own that shows the demo. The pages are
// served by Vite; everything else is passed on to the station. `npm run dev -- --data DIRECTORY` takes another
// station's data.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, ourEnvironment, ourNode, root } from './prepare.mjs';

installPackages();
const { createServer } = await import('vite');

const given = process.argv.slice(2);
const words = given.includes('--data') ? given : ['--demo', '--data', 'data/dev', ...given];
const station = spawn(ourNode, ['server/cli.ts', 'serve', '--port', '0', ...words], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: ourEnvironment(),
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => station.kill(signal));
station.on('exit', (code) => process.exit(code ?? 1));

const target = await new Promise((resolve) => {
  let printed = '';
  station.stdout.on('data', (bytes) => {
    process.stdout.write(bytes);
    printed += bytes;
    const address = /listening on (http:\/\/\S+)/.exec(printed)?.[1];
    if (address) resolve(address);
  });
});

/** Paths of Vite and of the console's sources; all others belong to the station. */
const pages = ['index.html', 'crew.html', 'citizens.html', ...readdirSync(join(root, 'renderer', 'public'))].map(
  (name) => name.replace('.', '\\.'),
);
const OF_VITE = `(?:$|\\?|crew$|crew\\?|citizens$|citizens\\?|${pages.join('|')}|src/|node_modules/|@vite/|@fs/|@id/)`;
const phonePages = {
  name: 'phone-pages',
  configureServer: ({ middlewares }) =>
    void middlewares.use((request, _response, next) => {
      const page = /^\/(crew|citizens)(?:$|\?)/.exec(request.url)?.[1];
      if (page) request.url = `/${page}.html`;
      next();
    }),
};
const vite = await createServer({
  configFile: join(root, 'renderer', 'vite.config.ts'),
  plugins: [phonePages],
  server: {
    port: 5173,
    // The console imports from `shared/`.
    fs: { allow: [root] },
    proxy: { [`^/(?!${OF_VITE})`]: { target, ws: true } },
  },
});
await vite.listen();
console.log(`The console with hot reload: ${vite.resolvedUrls.local[0]}`);
