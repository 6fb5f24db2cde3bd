// npm start: installs what is missing, builds what changed, and opens a working console.
// npm start the embedded demo, in Electron, else in the browser, else at the printed address
//   npm start -- --headless …          the same as `waypost serve …`
import { parseArgs } from 'node:util';
import { spawn } from 'node:child_process';
import { become, electronBinary, installPackages, ourEnvironment, ourNode, root } from './prepare.mjs';

const given = process.argv.slice(2);
const headless = given.includes('--headless');
const rest = given.filter((word) => word !== '--headless');
const { values } = parseArgs({ args: rest, strict: false, options: { data: { type: 'string' } } });
// Somebody who names no data directory wants to see the thing: the demo, in a directory of its own.
const words =
  values.data === undefined ? [...rest.filter((word) => word !== '--demo'), '--demo', '--data', 'data/demo'] : rest;

// glibc gives each thread memory of its own, and keeps large blocks that are freed; it reads this only before a
// program begins.
const littleMemory = {
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
  MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? '131072',
  MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_ ?? '131072',
};

installPackages();
const { buildConsole, buildProgram, program } = await import('./build.mjs');
await buildConsole();
await buildProgram();

const display =
  process.platform === 'win32' ||
  process.platform === 'darwin' ||
  Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
const electron = !headless && display ? electronBinary({ fetch: true }) : undefined;
if (electron) {
  become(electron, ['.', ...words]);
} else if (headless || !display || words.includes('--help')) {
  become(ourNode, [program, 'serve', ...words], littleMemory);
} else {
  serveAndOpenBrowser();
}

function serveAndOpenBrowser() {
  const station = spawn(ourNode, [program, 'serve', ...words], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit'],
    env: ourEnvironment(littleMemory),
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => station.kill(signal));
  station.on('exit', (code) => process.exit(code ?? 1));
  let seen = '';
  station.stdout.on('data', (bytes) => {
    process.stdout.write(bytes);
    if (seen === undefined) return;
    seen += bytes;
    const address = /listening on (https?:\/\/\S+)/.exec(seen)?.[1];
    if (!address) return;
    seen = undefined;
    const [command, ...args] = { win32: ['cmd', '/c', 'start', '', address], darwin: ['open', address] }[
      process.platform
    ] ?? ['xdg-open', address];
    spawn(command, args, { stdio: 'ignore', detached: true })
      .on('error', () => console.log(`Open ${address} in a browser.`))
      .unref();
  });
}
