/**
 * Wraps JSON in a call of the client's function, if named (README rule 7). The query grammar has validated
 * the name.
 */
export function wrapJsonp(jsonp: string | undefined, json: string): string {
  return jsonp === undefined ? json : `${jsonp}(${json})`;
}
