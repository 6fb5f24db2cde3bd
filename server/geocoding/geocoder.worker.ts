import { parentPort } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import type { Answer, Asked } from './geocoder.ts';
import { PlacesFile } from './places-file.ts';
import { reverse } from './reverse.ts';
import { Search } from './search.ts';

/** Searches in its own thread over its own connection, one question after another. */
const port = parentPort!;

let file: PlacesFile | undefined;
let search: Search | undefined;

function answer(asked: Asked): unknown {
  switch (asked.kind) {
    case 'open': {
      const opened = asked.directory === undefined ? undefined : new PlacesFile(asked.directory);
      const prepared = opened && new Search(opened);
      file?.close();
      file = opened;
      search = prepared;
      return undefined;
    }
    case 'search': {
      const end = performance.now() + asked.budget;
      return search?.run(asked.question, () => performance.now() > end) ?? [];
    }
    case 'reverse':
      return file && reverse(file, asked.point);
  }
}

port.on('message', ({ id, asked }: { id: number; asked: Asked }) => {
  let reply: Answer;
  try {
    reply = { id, value: answer(asked) };
  } catch (error) {
    reply = { id, refused: error instanceof Refusal ? error.code : undefined, error: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(reply);
});
