import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { Cable } from '../../support/cable.ts';
import { areEqual, type TestStation } from './linked.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

/** Runs `waypost` on the data directory of a station. Resolves with what it printed, and its exit code. */
export async function waypost(
  station: Pick<TestStation, 'directory'>,
  ...words: string[]
): Promise<{ said: string; code: number }> {
  const child = spawn(process.execPath, [PROGRAM, ...words, '--data', station.directory], { cwd: ROOT });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number];
  return { said, code };
}

/** A fresh station becomes the standby of another one, over a cable, by the command line. */
export async function follow(standby: TestStation, leader: TestStation): Promise<Cable> {
  const cable = await Cable.to(leader.address);
  onTestFinished(() => cable.close());
  leader.cables.push(cable);
  const { code } = await leader.ask<{ code: string }>('POST', '/links/codes', {});
  const { said } = await waypost(standby, 'link', 'follow', cable.address, code, '--own-address', 'none');
  expect(said).toContain(`This station is a standby of Station ${leader.number}`);
  await expect
    .poll(() =>
      standby.signIn().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await areEqual([leader, standby]);
  return cable;
}
