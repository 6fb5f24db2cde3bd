/** A wrong setting. The message is a sentence for the user who started the program. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}
