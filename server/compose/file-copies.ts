import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidSetting } from '../config/index.ts';
import type { Files } from '../dispatch/files/index.ts';
import type { RegionConnection } from '../replication/nats/index.ts';
import { FileCopies, JetStreamObjects, S3Objects, type ObjectStore } from '../replication/object-store/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import type { Replication } from '../replication/sync/index.ts';
import type { Foundation } from './foundation.ts';

export type FileCopiesOfStation = Awaited<ReturnType<typeof openFileCopies>>;

export interface FileCopiesRooms {
  readonly files: Files;
  readonly replication: Replication;
  /** The connection to the servers of the region; undefined: the station is in none. */
  readonly region: RegionConnection | undefined;
}

/** Copies files to the object store that the settings name, and fetches from it what is missing here. */
export function openFileCopies(foundation: Foundation, { files, replication, region }: FileCopiesRooms) {
  const { config, store, now, log } = foundation;
  return openOrClose(async (stack) => {
    const copies = stack.use(
      new FileCopies({
        ...{ store, files, now },
        objects: objectStoreOf(config, region),
        directory: join(config.data, 'files'),
        log: log.logger('files'),
      }),
    );
    stack.defer(replication.addFileSource(copies));
    return {
      waiting: () => copies.waiting,
      problems: () => (copies.problem === undefined ? [] : [{ code: 'files.store', text: copies.problem }]),
    };
  });
}

function objectStoreOf(config: Foundation['config'], region: RegionConnection | undefined): ObjectStore {
  const { 'files.store': url, 'files.storeKey': keyFile, 'files.storeRegion': s3Region } = config;
  if (url === 'jetstream') {
    if (region === undefined) throw new InvalidSetting('files.store is jetstream: set nats.servers, too.');
    return new JetStreamObjects(region);
  }
  if (keyFile === null) throw new InvalidSetting('files.store is an S3 server: set files.storeKey, too.');
  const [keyId, secret] = readKey(keyFile);
  if (!keyId || !secret) throw new InvalidSetting(`${keyFile} must hold two lines: the id of the key and its secret.`);
  return new S3Objects({ url: url!, region: s3Region, keyId, secret });
}

function readKey(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.trim());
  } catch (error) {
    throw new InvalidSetting(`files.storeKey: ${(error as Error).message}`);
  }
}
