/** A text from outside in which no `@` calls a user: a character without width stands before their names. */
export function withoutMentions(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}._%+-])@/gu, '@\u200B');
}
