// The checks of oxlint. It reads no .vue file, so the scripts of components become files of their own first, elsewhere:
// it passes over what git ignores.
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'vue/compiler-sfc';
import { root } from './prepare.mjs';

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [sources, scripts] = await Promise.all([lint(root, '.'), lintComponents(root)]);
  process.stdout.write(sources + scripts);
  process.exitCode = sources + scripts === '' ? 0 : 1;
}

/** Checks the scripts of the components below `renderer/src` of `home`. */
export async function lintComponents(home) {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-lint-'));
  try {
    for (const path of globSync('renderer/src/**/*.vue', { cwd: home })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, `${path}.ts`), scriptOf(readFileSync(join(home, path), 'utf8')));
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const options = { incremental: false, rootDirs: [folder, home], typeRoots: [join(root, 'node_modules')] };
    const project = {
      extends: join(root, 'renderer', 'tsconfig.json'),
      compilerOptions: options,
      include: ['renderer/**/*.ts', join(home, 'renderer', 'src', '*.d.ts')],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    return (await lint(folder, 'renderer')).replaceAll('.vue.ts:', '.vue:');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The script of a component, on the same lines. */
function scriptOf(component) {
  const { script, scriptSetup } = parse(component, { sourceMap: false }).descriptor;
  const blocks = [script, scriptSetup].filter((block) => block !== null);
  let text = '';
  for (const { content, loc } of blocks.sort((a, b) => a.loc.start.offset - b.loc.start.offset))
    text += '\n'.repeat(loc.start.line - text.split('\n').length) + content;
  return text;
}

/** Findings of oxlint below `path`, a line each. Rules and their folders are in `.oxlintrc.json`. */
export async function lint(folder, path) {
  const config = join(folder, '.oxlintrc.json');
  if (folder !== root) writeFileSync(config, readFileSync(join(root, '.oxlintrc.json')));
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const child = spawn(process.execPath, [oxlint, '--type-aware', '--config', config, '--format', 'unix', path], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (text += bytes));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return code === 0 ? '' : text || `oxlint ended with ${code}.\n`;
}
