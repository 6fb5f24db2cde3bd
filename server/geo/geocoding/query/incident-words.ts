/** Words of callers for incidents, in folded form, typed before or after the place. */
const INCIDENT = new Set(
  `fire smoke burning blaze accident crash collision rta rtc mva mvc incident emergency injured injury injuries unconscious collapse collapsed fall fallen fell stroke attack cardiac arrest overdose bleeding stabbing shooting
  fight assault robbery burglary theft flood flooding leak alarm explosion urgent urgently asap now please pls help send need needs needed there is reported report reports caller says said called calling trapped hit run over
  pozhar gorit goriat zagoranie dym dtp avariia stolknovenie naezd draka napadenie grabezh krazha strelba vzryv potop zatoplenie utechka signalizatsiia srochno skoree pozhaluista pomogite pomoshch nuzhna nuzhen nuzhno prishlite vyezd
  postradavshie postradavshii postradavshaia ranenyi ranenye bez soznaniia liudi upal upala insult infarkt plokho
  unfall brand brennt verletzt notfall hilfe incendie feu blesse urgence incendio incidente accidente choque fuoco ferito herido`.split(
    /\s+/,
  ),
);
/** Countable things, singular and plural: "2 cars". */
const ONE = new Set(
  'car vehicle person casualty victim mashina avto postradavshii chelovek auto voiture coche'.split(' '),
);
const SEVERAL = new Set(
  'cars vehicles persons people casualties victims mashiny mashin avto postradavshikh chelovek cheloveka autos voitures coches'.split(
    ' ',
  ),
);
/** Words between these: "there is a fire". */
const BETWEEN = new Set('a an the and of on un une ein eine'.split(' '));
/** Words that lead from the incident to the place. */
const LEADING = new Set('at on in the na v vo po u'.split(' '));

/**
 * The query without words of the incident: "fire at Mater Dei, send help". Returns it without those after the
 * place, and also without those before it, because "fire" may begin a name. A number before a countable may
 * be that of a house: then both variants are returned, without it first. Empty when there are no such words,
 * or nothing else.
 */
export function withoutIncident(words: readonly string[]): (readonly string[])[] {
  let end = words.length;
  let withNumber: number | undefined;
  for (;;) {
    const last = words[end - 1];
    if (last === undefined) return [];
    if (end > 1 && isCount(words[end - 2]!, last)) {
      withNumber = end - 1;
      end -= 2;
    } else if (tells(last)) end--;
    else break;
  }
  let first = 0;
  for (let at = 0; at < end;) {
    if (at + 1 < end && isCount(words[at]!, words[at + 1]!)) first = at += 2;
    else if (tells(words[at]!)) first = at += 1;
    else if (BETWEEN.has(words[at]!)) at++;
    else break;
  }
  if (first > 0) while (first < end - 1 && LEADING.has(words[first]!)) first++;
  const ends = [end, ...(withNumber === undefined ? [] : [withNumber])];
  return ends.flatMap((to) => [
    ...(to < words.length ? [words.slice(0, to)] : []),
    ...(first > 0 && first < to ? [words.slice(first, to)] : []),
  ]);
}

function tells(word: string): boolean {
  return INCIDENT.has(word) || ONE.has(word) || SEVERAL.has(word);
}

/** "2 cars", "1 car"; in "12 car" the number belongs to something else. */
function isCount(number: string, counted: string): boolean {
  return number === '1' ? ONE.has(counted) : /^\d{1,3}$/.test(number) && SEVERAL.has(counted);
}
