/** The note of a history entry that a crew made: for people, and with the vehicle's id for programs. */
export function crewNote(vehicleId: number, name: string, words = ''): string {
  return `Crew ${vehicleId}, ${name}${words === '' ? '' : `: ${words}`}`;
}

/** The vehicle whose crew made the entry; 0: none did. */
export function crewOfNote(note: string): number {
  return Number(/^Crew (\d{1,10}), /.exec(note)?.[1] ?? 0);
}

/** Whether the note of a crew has words of it: it gave its task back. @param name of its vehicle */
export function isGivingBack(note: string, name: string): boolean {
  return note.includes(': ') && note !== crewNote(crewOfNote(note), name);
}

/** A comment of a crew has no author: it begins with the vehicle's name. Undefined: a user wrote it. */
export function saidByCrew(comment: {
  readonly authorId: number;
  readonly text: string;
}): { readonly crew: string; readonly text: string } | undefined {
  const colon = comment.text.indexOf(': ');
  if (comment.authorId !== 0 || colon <= 0) return undefined;
  return { crew: comment.text.slice(0, colon), text: comment.text.slice(colon + 2) };
}
