/** The note of a history entry that a crew made: for people, and with the vehicle's id for programs. */
export function crewNote(vehicleId: number, name: string, words = ''): string {
  return `Crew ${vehicleId}, ${name}${words === '' ? '' : `: ${words}`}`;
}

/** The vehicle whose crew made the entry; 0: none did. */
export function crewOfNote(note: string): number {
  return Number(/^Crew (\d{1,10}), /.exec(note)?.[1] ?? 0);
}
