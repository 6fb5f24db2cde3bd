/**
 * Kinds of refusals: programs decide by them, and they give the HTTP status. Every kind has one row in the
 * status table of `server/http/app/errors.ts`; a new one does not compile until it has one.
 */
export type RefusalKind =
  | 'invalid' // the request is wrong: a field is missing, has a wrong type or names something that does not exist
  | 'unauthorized' // no valid token
  | 'wrong-login'
  | 'too-many-attempts'
  | 'forbidden' // visible, but not permitted
  | 'not-found' // missing or invisible
  | 'wrong-method' // the path exists, and does not answer this method
  | 'conflict'
  | 'standby' // the station follows another one and takes no changes
  | 'away' // another program that has to answer does not; can be repeated when it is back
  | 'too-large'
  | 'disk-full' // nothing was stored; can be repeated when there is space
  | 'disk-failed' // the last writes may be lost; no more are accepted until the station restarts
  | 'busy' // an import is running, a worker is being replaced: try again
  | 'no-territory'
  | 'bug'; // an error of the program: only the log knows more

/** The refusals of a room. `text` is the English sentence; `{name}` stands for a parameter. */
export type RefusalEntries = Readonly<Record<string, { readonly kind: RefusalKind; readonly text: string }>>;
