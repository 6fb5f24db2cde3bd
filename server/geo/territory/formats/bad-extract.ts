/**
 * The file cannot be read as an extract; the message says what is wrong and where, in one sentence for the
 * user.
 */
export class BadExtract extends Error {
  override readonly name = 'BadExtract';
}
