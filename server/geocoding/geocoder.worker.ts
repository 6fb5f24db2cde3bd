/** Searches in its own thread over its own connection, one question after another. */
import { answerRequests } from '../platform/answer-requests.ts';
import type { Asked } from './geocoder.ts';
import { PlacesFile } from './search/places-file.ts';
import { reverse } from './search/reverse.ts';
import { Search } from './search/search.ts';

let file: PlacesFile | undefined;
let search: Search | undefined;

answerRequests((asked: Asked): unknown => {
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
});
