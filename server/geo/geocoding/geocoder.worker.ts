/** Searches in a thread over its own connection, one query after another. */
import { Refusal } from '../../../shared/refusal.ts';
import { answerRequests } from '../../platform/threads/answer-requests.ts';
import type { GeocodeRequest } from './geocoder.ts';
import { PlacesFile } from './search/places-file.ts';
import { reverse } from './search/reverse.ts';
import { PlaceSearch } from './search/search.ts';
import { beginBudget } from './search/work-budget.ts';

let file: PlacesFile | undefined;
let search: PlaceSearch | undefined;
/** Whether the only territory could not be opened. An empty answer would mean that there is no such street. */
let isUnusable = false;

answerRequests((request: GeocodeRequest): unknown => {
  switch (request.kind) {
    case 'open': {
      isUnusable = file === undefined;
      const opened = request.directory === undefined ? undefined : PlacesFile.open(request.directory);
      const prepared = opened && new PlaceSearch(opened);
      file?.close();
      file = opened;
      search = prepared;
      isUnusable = false;
      return undefined;
    }
    case 'search':
      requireUsable();
      return search?.run(request.query, beginBudget(request.budget)) ?? [];
    case 'reverse':
      requireUsable();
      return file && reverse(file.inLanguage(request.language), request.point);
  }
});

function requireUsable(): void {
  if (isUnusable) throw new Refusal('territory.placesUnreadable');
}
