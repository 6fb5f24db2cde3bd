/** What callers say has happened, in folded form, as it is typed before or after where. */
const INCIDENT = new Set(
  `fire smoke burning blaze accident crash collision rta rtc mva mvc incident emergency injured injury injuries unconscious collapse collapsed fall fallen fell stroke attack cardiac arrest overdose bleeding stabbing shooting
  fight assault robbery burglary theft flood flooding leak alarm explosion urgent urgently asap now please pls help send need needs needed there is reported report reports caller says said called calling trapped hit run over
  pozhar gorit goriat zagoranie dym dtp avariia stolknovenie naezd draka napadenie grabezh krazha strelba vzryv potop zatoplenie utechka signalizatsiia srochno skoree pozhaluista pomogite pomoshch nuzhna nuzhen nuzhno prishlite vyezd
  postradavshie postradavshii postradavshaia ranenyi ranenye bez soznaniia chelovek cheloveka liudi upal upala insult infarkt plokho
  unfall brand brennt verletzt notfall hilfe incendie accident feu blesse urgence incendio incidente accidente choque fuoco ferito herido`.split(/\s+/),
);
/** What is counted: "2 cars". */
const COUNTED = new Set('car cars vehicle vehicles person persons people casualty casualties victim victims mashina mashiny mashin avto postradavshikh chelovek cheloveka liudei autos voitures coches'.split(' '));
/** What leads from what has happened to where. */
const LEADING = new Set('at on in the na v vo po u'.split(' '));

/**
 * The words without those that tell what has happened: "fire at Mater Dei, send help". Without those behind where it happened, and without those before it
 * as well, since "fire" may begin a name. Nothing when there are none, or nothing else.
 */
export function withoutIncident(words: readonly string[]): (readonly string[])[] {
  let end = words.length;
  for (;;) {
    const last = words[end - 1];
    if (last === undefined) return [];
    if (INCIDENT.has(last)) end--;
    else if (COUNTED.has(last)) end -= end > 1 && /^\d{1,3}$/.test(words[end - 2]!) ? 2 : 1;
    else break;
  }
  let first = 0;
  while (first < end && INCIDENT.has(words[first]!)) first++;
  if (first > 0) while (first < end - 1 && LEADING.has(words[first]!)) first++;
  return [...(end < words.length ? [words.slice(0, end)] : []), ...(first > 0 ? [words.slice(first, end)] : [])];
}
