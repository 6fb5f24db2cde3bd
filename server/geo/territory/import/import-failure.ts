import { Refusal } from '../../../../shared/refusal.ts';
import { isDiskFull } from '../../../platform/disk/disk-full.ts';

/** An error in a form that threads can exchange. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly stack: string | undefined;
  /** The file with the fault, if several were read. */
  readonly file: string | undefined;
}

export function serializeError(error: unknown): SerializedError {
  const { name, message, code, stack, file, path } = error as Error & { code?: string; file?: string; path?: string };
  return { name, message, code: isDiskFull(error) ? 'ENOSPC' : code, stack, file: file ?? path };
}

/** The text for the user who started the import; other failures stay errors. */
export function explain(error: SerializedError, files: readonly string[], root: string): Error {
  const file = files.find((one) => one === error.file) ?? files.join(', ');
  if (error.name === 'BadExtract') return new Refusal('territory.badExtract', { file, problem: error.message });
  switch (error.code) {
    case 'ENOENT':
      return new Refusal('territory.noFile', { file });
    case 'EACCES':
    case 'EPERM':
      return new Refusal('territory.noPermission', { file, folder: root });
    case 'EISDIR':
      return new Refusal('territory.directory', { file });
    case 'ENOSPC':
      return new Refusal('territory.diskFull', { file, folder: root });
    case 'ERR_WORKER_OUT_OF_MEMORY':
      return new Refusal('territory.memory', { file });
    case undefined:
    default:
      return asBug(error, file);
  }
}

function asBug(error: SerializedError, file: string): Error {
  const bug = new Error(`The import of ${file} failed: ${error.message}`);
  if (error.stack !== undefined) bug.stack = error.stack;
  return bug;
}
