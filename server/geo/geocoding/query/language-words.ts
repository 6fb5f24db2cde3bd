/** Languages whose words for streets the search knows (ISO 639-1). */
export const STREET_LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'ca',
  'pt',
  'it',
  'nl',
  'pl',
  'sv',
  'da',
  'no',
  'hu',
  'tr',
  'ru',
  'uk',
  'mt',
] as const;
export type StreetLanguage = (typeof STREET_LANGUAGES)[number];

/** Frequent words of one language, folded. */
interface LanguageWords {
  /** Kinds of streets. */
  readonly kinds: string;
  /** Articles, prepositions, conjunctions. */
  readonly particles: string;
  /** Words between the two streets of a corner. */
  readonly joints: string;
}

const WORDS: Readonly<Record<StreetLanguage, LanguageWords>> = {
  en: {
    kinds:
      'street st str road rd avenue av ave lane ln drive dr square sq boulevard blvd bvd bd court ct place pl plaza crescent terrace gardens highway hwy circle cir close way alley row walk path trail trl cove parkway pkwy mews cres terr gdns sq ct',
    particles: 'the of and no st nr num',
    joints: 'and with',
  },
  de: {
    kinds: 'strasse str gasse weg platz allee',
    particles: 'und von der den dem des am im an in zu zur nr',
    joints: 'und u mit',
  },
  fr: {
    kinds:
      'rue r avenue av ave boulevard bd bld boul chemin impasse imp allee passage route rte quai ruelle venelle cours clos place pl',
    particles: 'de du des la le les et no st numero',
    joints: 'et avec',
  },
  es: {
    kinds:
      'calle callejon avenida avda av plaza plazuela camino carretera ctra paseo via bulevar travesia pasaje ronda cuesta glorieta',
    particles: 'de del la el los las no numero',
    joints: 'y e con',
  },
  ca: {
    kinds:
      'carrer carrero avinguda avda av passeig pg passatge ptge placa pl carretera ctra via travessia baixada rambla ronda cami',
    particles: 'de del la el les no numero',
    joints: 'i amb',
  },
  pt: {
    kinds: 'rua r avenida av travessa tv estrada largo praca alameda rodovia br via',
    particles: 'de da do dos das no numero',
    joints: 'e com',
  },
  it: {
    kinds: 'via viale vle corso cso vicolo vlo strada piazza pzza piazzale largo lgo salita contrada galleria',
    particles: 'di del della delle dei la le il numero',
    joints: 'e con',
  },
  nl: { kinds: 'straat laan weg str', particles: 'van der den de nr', joints: 'en' },
  pl: {
    kinds: 'ulica ul aleja al osiedle plac pl bulwar szosa zaulek rynek',
    particles: 'na im nr',
    joints: 'i oraz z',
  },
  sv: { kinds: 'gata', particles: 'nr', joints: 'och' },
  da: { kinds: 'gade', particles: 'nr', joints: 'og' },
  no: { kinds: 'vei veien gata', particles: 'nr', joints: 'og' },
  hu: { kinds: 'utca ut', particles: '', joints: '' },
  tr: { kinds: 'cadde caddesi cad sokak', particles: 'no', joints: '' },
  ru: {
    kinds:
      'ulitsa ulitsy ulitse ulitsu ul prospekt prospekta prospekte pr prt pereulok pereulka pereulke per proezd proezda proezde naberezhnaia naberezhnoi nab shosse tupik alleia ploshchad ploshchadi bulvar bulvara bulvare',
    particles: 'na po im imeni nomer',
    joints: 'i s',
  },
  uk: {
    kinds:
      'vulitsia vulytsia vul prospekt prosp pr prt provulok prov proizd shose shosse bulvar bul naberezhna nab plosha maidan uzviz aleia tupik',
    particles: 'na im imeni nomer',
    joints: 'i z ta',
  },
  mt: {
    kinds: 'triq trejqet trejqa sqaq misrah pjazza dahlet vjal',
    particles: 'ta tal tad tan tar tas tat tax taz id is it ir iz ix ic il ghal numru',
    joints: 'u ma',
  },
};

/** Of many languages, mostly behind an apostrophe. */
const LETTERS = 'a l d i y e u v s t';
/** Towns with numbered streets prefix each with a compass direction; callers omit it. */
const COMPASS = new Set('north south east west n w northwest nw northeast ne southwest sw southeast se'.split(' '));

/** Polish signs say "Lipowa" for "ulica Lipowa", and some Russian and Ukrainian ones do. */
const LEFT_OUT = new Set('ulica ul ulitsa vulitsia vul'.split(' '));

/** Ends of German, Dutch and Scandinavian streets, which join name and kind. */
const ENDINGS: readonly (readonly [string, StreetLanguage])[] = [
  ['strasse', 'de'],
  ['gasse', 'de'],
  ['platz', 'de'],
  ['straat', 'nl'],
  ['laan', 'nl'],
  ['gatan', 'sv'],
  ['vagen', 'sv'],
  ['gade', 'da'],
  ['veien', 'no'],
];
const SHORTEST_HEAD = 3;
/** Fewest letters of a word that tells a language, and the share of such words that a spoken language has. */
const TELLING = 4;
const SPOKEN = 0.01;

type WordList = ReadonlyMap<string, readonly StreetLanguage[]>;

const KINDS = listOf('kinds');
const PARTICLES = listOf('particles');
const JOINTS = listOf('joints');

function listOf(which: keyof LanguageWords): WordList {
  const list = new Map<string, StreetLanguage[]>();
  for (const language of STREET_LANGUAGES)
    for (const word of WORDS[language][which].split(' ').filter((text) => text !== '')) {
      const languages = list.get(word) ?? [];
      list.set(word, languages);
      languages.push(language);
    }
  if (which === 'particles') for (const letter of LETTERS.split(' ')) list.set(letter, [...STREET_LANGUAGES]);
  return list;
}

/** The languages of the streets of a territory, by its words and how many things have each. */
export function spokenLanguages(terms: readonly string[], counts: readonly number[]): Set<StreetLanguage> {
  const things = new Map<StreetLanguage, number>();
  let all = 0;
  terms.forEach((term, i) => {
    const language = languageOf(term);
    if (language === undefined) return;
    things.set(language, (things.get(language) ?? 0) + counts[i]!);
    all += counts[i]!;
  });
  return new Set(STREET_LANGUAGES.filter((language) => (things.get(language) ?? 0) > SPOKEN * all));
}

/** The one language in which a word is a kind of street. */
function languageOf(term: string): StreetLanguage | undefined {
  if (term.length < TELLING) return undefined;
  const languages = KINDS.get(term);
  if (languages) return languages.length === 1 ? languages[0] : undefined;
  return ENDINGS.find(([end]) => term.length >= end.length + SHORTEST_HEAD && term.endsWith(end))?.[1];
}

/**
 * Words that say little in a territory: kinds of streets, articles, directions. A word of a language that is spoken
 * neither there nor by the user counts only where nothing bears it: in Munich `Tal` is a street and not an article.
 */
export class FrequentWords {
  readonly #languages: ReadonlySet<StreetLanguage>;
  readonly #isName: (word: string) => boolean;

  constructor(languages: Iterable<StreetLanguage>, isName: (word: string) => boolean) {
    this.#languages = new Set(languages);
    this.#isName = isName;
  }

  /** The same with the language of a user, if it is known. */
  with(language: string | undefined): FrequentWords {
    const own = STREET_LANGUAGES.find((one) => one === language?.split('-')[0]);
    return own === undefined || this.#languages.has(own)
      ? this
      : new FrequentWords([...this.#languages, own], this.#isName);
  }

  /** The weight of a word in a name, 0 to 1. */
  weightOf(word: string): number {
    if (this.isKind(word) || COMPASS.has(word)) return 0.35;
    if (this.#counts(PARTICLES, word)) return 0.15;
    return word.length === 1 ? 0.5 : 1;
  }

  /** Does it name a kind of street? "St" may be a saint as well. */
  saysStreet(word: string, leastLetters = 4): boolean {
    return word.length >= leastLetters && this.isKind(word);
  }

  /** Is it so frequent that a match may lack it? */
  isWeak(word: string): boolean {
    return this.isKind(word) || COMPASS.has(word) || this.#counts(PARTICLES, word);
  }

  /** Does it join the two streets of a corner? */
  joins(word: string): boolean {
    return this.#counts(JOINTS, word);
  }

  /** Is it a word for a plain street, which signs of its language leave out? */
  isLeftOut(word: string): boolean {
    return LEFT_OUT.has(word) && this.isKind(word);
  }

  /** Is it a kind of street? */
  isKind(word: string): boolean {
    return this.#counts(KINDS, word);
  }

  #counts(list: WordList, word: string): boolean {
    const languages = list.get(word);
    return languages !== undefined && (languages.some((one) => this.#languages.has(one)) || !this.#isName(word));
  }
}
