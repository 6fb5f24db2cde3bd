/**
 * JSON as a call of the client's function, where it named one (`spec/routing.md` 9); the name has passed the
 * grammar of requests.
 */
export function wrapJsonp(jsonp: string | undefined, json: string): string {
  return jsonp === undefined ? json : `${jsonp}(${json})`;
}
