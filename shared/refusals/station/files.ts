import type { RefusalEntries } from '../kinds.ts';

/** Uploads and pictures. */
export const files = {
  missing: { kind: 'not-found', text: 'There is no such file.' },
  noFile: { kind: 'not-found', text: 'There is no file {name}.' },
  noUpload: { kind: 'invalid', text: 'There is no upload {file}.' },
  foreign: { kind: 'forbidden', text: 'Somebody else uploaded this file.' },
  large: { kind: 'too-large', text: 'The file is larger than {megabytes} MB.' },
  quota: {
    kind: 'too-large',
    text: 'Your unused uploads may take at most {megabytes} MB. Delete some, or wait a day.',
  },
  mayNotUpload: {
    kind: 'forbidden',
    text: 'You may not upload files: your role may neither create tasks nor attach files to them.',
  },
  unscalable: { kind: 'invalid', text: 'The file is not a picture that can be scaled.' },
  unscalableNamed: { kind: 'invalid', text: '“{name}” is not a picture that can be scaled.' },
  infected: { kind: 'invalid', text: 'The virus scanner found {name} in the file.' },
  notScanned: {
    kind: 'away',
    text: 'The virus scanner could not check the file. Try again, or tell an administrator.',
  },
  pending: { kind: 'not-found', text: 'The file {name} is pending: it has not arrived from another station yet.' },
} as const satisfies RefusalEntries;
