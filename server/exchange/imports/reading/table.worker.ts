import { parentPort } from 'node:worker_threads';
import { Refusal } from '../../../../shared/refusal.ts';
import { readTable } from './read-table.ts';
import type { ReadTableResult } from './table.ts';

const port = parentPort!;
port.on('message', async (path: string) => {
  const result = await resultOf(path);
  port.postMessage(result, 'table' in result ? result.table.chunks.map(({ buffer }) => buffer as ArrayBuffer) : []);
});

async function resultOf(path: string): Promise<ReadTableResult> {
  try {
    return { table: await readTable(path) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: { code: error.code, params: error.params } };
  }
}
