/** Searches in a thread over its own connection, one query after another. */
import { answerRequests } from '../platform/threads/answer-requests.ts';
import type { GeocodeRequest } from './geocoder.ts';
import { PlacesFile } from './search/places-file.ts';
import { reverse } from './search/reverse.ts';
import { PlaceSearch } from './search/search.ts';
import { beginBudget } from './search/work-budget.ts';

let file: PlacesFile | undefined;
let search: PlaceSearch | undefined;

answerRequests((request: GeocodeRequest): unknown => {
  switch (request.kind) {
    case 'open': {
      const opened = request.directory === undefined ? undefined : PlacesFile.open(request.directory);
      const prepared = opened && new PlaceSearch(opened);
      file?.close();
      file = opened;
      search = prepared;
      return undefined;
    }
    case 'search':
      return search?.run(request.query, beginBudget(request.budget)) ?? [];
    case 'reverse':
      return file && reverse(file.inLanguage(request.language), request.point);
  }
});
