/** What callers say has happened, in folded form, as it is typed before or after where. */
const INCIDENT = new Set(
  `fire smoke burning blaze accident crash collision rta rtc mva mvc incident emergency injured injury injuries unconscious collapse collapsed fall fallen fell stroke attack cardiac arrest overdose bleeding stabbing shooting
  fight assault robbery burglary theft flood flooding leak alarm explosion urgent urgently asap now please pls help send need needs needed there is reported report reports caller says said called calling trapped hit run over
  pozhar gorit goriat zagoranie dym dtp avariia stolknovenie naezd draka napadenie grabezh krazha strelba vzryv potop zatoplenie utechka signalizatsiia srochno skoree pozhaluista pomogite pomoshch nuzhna nuzhen nuzhno prishlite vyezd
  postradavshie postradavshii postradavshaia ranenyi ranenye bez soznaniia liudi upal upala insult infarkt plokho
  unfall brand brennt verletzt notfall hilfe incendie feu blesse urgence incendio incidente accidente choque fuoco ferito herido`.split(
    /\s+/,
  ),
);
/** What is counted, one of it and several: "2 cars". */
const ONE = new Set(
  'car vehicle person casualty victim mashina avto postradavshii chelovek auto voiture coche'.split(' '),
);
const SEVERAL = new Set(
  'cars vehicles persons people casualties victims mashiny mashin avto postradavshikh chelovek cheloveka autos voitures coches'.split(
    ' ',
  ),
);
/** What stands between these words: "there is a fire". */
const BETWEEN = new Set('a an the and of on un une ein eine'.split(' '));
/** What leads from what has happened to where. */
const LEADING = new Set('at on in the na v vo po u'.split(' '));

/**
 * The words without those that tell what has happened: "fire at Mater Dei, send help". Without those behind
 * where it happened, and without those before it as well, since "fire" may begin a name. A number before what
 * is counted may be that of a house: then both are given, without it first. Nothing when there are none, or
 * nothing else.
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

/** "2 cars", "1 car"; of "12 car" the number is something else's. */
function isCount(number: string, counted: string): boolean {
  return number === '1' ? ONE.has(counted) : /^\d{1,3}$/.test(number) && SEVERAL.has(counted);
}
