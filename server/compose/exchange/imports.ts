import { Imports, importTargets } from '../../exchange/imports/index.ts';
import { openOrClose } from '../../platform/close-stack.ts';
import type { Dispatch } from '../dispatch.ts';
import type { Foundation } from '../foundation.ts';
import type { TerritoryRooms } from '../territory.ts';

export type ImportRooms = Awaited<ReturnType<typeof openImports>>;

/** Records from files. */
export function openImports(
  { store, accounts, now, log }: Foundation,
  { fleet, tasks }: Dispatch,
  { closures }: TerritoryRooms,
) {
  return openOrClose(async (stack) => {
    const logger = log.logger('imports');
    const targets = importTargets({ fleet, tasks, accounts, closures, now });
    const report = (message: string, error: unknown) => logger.error(message, error);
    return { imports: stack.use(await Imports.open({ store, targets, now, report })) };
  });
}
