import { GIVEN_NAMES } from './given-names.ts';

/**
 * Words that replace each other in names of streets and places, in folded form, and frequent words with
 * little weight. Groups overlap on purpose: `st` is a street and a saint.
 */
const GROUPS: readonly (readonly string[])[] = [
  ['street', 'st', 'str'],
  ['road', 'rd'],
  ['avenue', 'av', 'ave', 'avda', 'avd', 'avenida', 'aven'],
  ['lane', 'ln'],
  ['drive', 'dr', 'drv'],
  ['square', 'sq', 'sqr'],
  ['boulevard', 'bulvara', 'bulvare', 'blvd', 'bvd', 'bd', 'boul', 'bulvar', 'bulevar', 'bulevardul', 'br'],
  ['court', 'ct'],
  [
    'place',
    'pl',
    'plaza',
    'pza',
    'plz',
    'platz',
    'plac',
    'praca',
    'pc',
    'pca',
    'piazza',
    'piaz',
    'placa',
    'ploshchad',
    'plosha',
    'pjazza',
    'misrah',
  ],
  ['crescent', 'cres', 'cr'],
  ['terrace', 'ter', 'terr'],
  ['gardens', 'gdns', 'gdn'],
  ['highway', 'hwy', 'hw'],
  ['interstate', 'i'],
  ['parkway', 'pkwy'],
  ['circle', 'cir'],
  ['close', 'cl'],
  ['mount', 'mt', 'mont', 'monte'],
  ['fort', 'ft'],
  ['junction', 'jct'],
  ['bypass', 'byp'],
  ['hospital', 'hosp', 'hospiz'],
  ['station', 'sta', 'stn', 'bahnhof', 'bhf', 'hbf', 'hauptbahnhof'],
  ['north', 'n'],
  ['south', 's'],
  ['east', 'e'],
  ['west', 'w'],
  ['northwest', 'nw'],
  ['northeast', 'ne'],
  ['southwest', 'sw'],
  ['southeast', 'se'],
  [
    'saint',
    'st',
    'sainte',
    'ste',
    'san',
    'sankt',
    'skt',
    'sant',
    'santa',
    'santo',
    'sta',
    'sto',
    'sao',
    's',
    'sveti',
    'sveta',
    'sv',
    'sviatogo',
    'sviatoi',
    'szent',
    'swietego',
    'sw',
    'sint',
  ],
  ['doctor', 'dr', 'doktor', 'dott', 'doutor', 'docteur', 'doktora'],
  ['general', 'gen', 'generala', 'gral'],
  ['professor', 'prof', 'professora'],
  ['colonel', 'col', 'cel', 'coronel'],
  ['captain', 'capt', 'cap', 'kap', 'kapitan', 'kapitana'],
  ['major', 'maj', 'maior'],
  ['president', 'pres', 'presidente', 'prezidenta'],
  ['engineer', 'eng', 'ing', 'engenheiro', 'inzhenera'],
  ['marshal', 'mar', 'mal', 'marechal', 'marshala', 'marechale'],
  ['admiral', 'adm', 'admirala', 'almirante'],
  ['monsignor', 'mons', 'monsinjur', 'monseigneur', 'mgr'],
  ['father', 'fr', 'patri', 'padre', 'pere', 'pe', 'p', 'dun', 'don'],
  ['reverend', 'rev'],
  ['archbishop', 'arcisqof'],
  ['academician', 'ak', 'akad', 'akademika'],
  ['lieutenant', 'lt', 'leitenanta'],
  ['sergeant', 'sgt', 'sierzhanta'],
  ['king', 'kg'],
  ['princess', 'princesse'],
  ['prince', 'prins'],
  ['rua', 'r'],
  ['travessa', 'tv', 'trav'],
  ['estrada', 'est', 'estr'],
  ['largo', 'lg', 'lgo'],
  ['alameda', 'al'],
  ['rodovia', 'rod'],
  ['calle', 'carrer', 'c', 'cl', 'cll'],
  ['passeig', 'pg', 'paseo'],
  ['avinguda', 'avenida', 'av', 'avda'],
  ['passatge', 'ptge', 'pasaje', 'pje'],
  ['carretera', 'ctra', 'carr'],
  ['paseo', 'pso'],
  ['via', 'v'],
  ['viale', 'vle'],
  ['corso', 'cso'],
  ['vicolo', 'vic'],
  ['chemin', 'ch', 'che'],
  ['impasse', 'imp'],
  ['allee', 'al', 'all'],
  ['passage', 'pass', 'psg'],
  ['faubourg', 'fg', 'fbg'],
  ['quai', 'q'],
  ['route', 'rte', 'rt'],
  ['rue', 'r'],
  ['strasse', 'str'],
  ['gasse', 'g'],
  ['weg', 'w'],
  ['straat', 'str'],
  ['laan', 'ln'],
  ['strada', 'str'],
  ['ulica', 'ul'],
  ['aleja', 'al'],
  ['osiedle', 'os'],
  ['gata', 'g'],
  ['gade', 'g'],
  ['vei', 'veien', 'v', 'vegen'],
  ['utca', 'u'],
  ['cadde', 'caddesi', 'cad', 'cd'],
  ['sokak', 'sok', 'sk', 'sokagi'],
  ['ulitsa', 'ul', 'ulitsy', 'ulitse', 'ulitsu', 'vulitsia', 'vulytsia', 'vul'],
  ['prospekt', 'prospekta', 'prospekte', 'pr', 'prt', 'prosp', 'prkt'],
  ['pereulok', 'pereulka', 'pereulke', 'per', 'provulok', 'prov'],
  ['proezd', 'proezda', 'proezde', 'pr', 'prd'],
  ['naberezhnaia', 'naberezhnoi', 'nab', 'nabia', 'naberezhna'],
  ['shosse', 'sh'],
  ['tupik', 'tup'],
  ['alleia', 'al'],
  ['ploshchad', 'ploshchadi', 'pl', 'plosha', 'ploshcha'],
  ['liniia', 'lin'],
  ['mikroraion', 'mkr', 'mk', 'mikroraiona'],
  ['kvartal', 'kv', 'kvl'],
  ['poselok', 'pos', 'p'],
  ['derevnia', 'der', 'd'],
  ['selo', 's'],
  ['gorod', 'g', 'gor'],
  ['bolshaia', 'bolshoi', 'b', 'bol'],
  ['malaia', 'malyi', 'm', 'mal'],
  ['novaia', 'nov'],
  ['staraia', 'st', 'star'],
  ['imeni', 'im'],
  ['verkhniaia', 'verkh', 'v'],
  ['nizhniaia', 'nizh', 'n'],
  ['bolnitsa', 'btsa'],
  ['velikaia', 'vel'],
  ['triq', 'tr', 'trieq'],
  ['trejqet', 'trejqa'],
  ['sqaq', 'sq'],
  ['great', 'gt'],
  ['upper', 'up'],
  ['lower', 'lr'],
  ['maria', 'm'],
  ['jose', 'j'],
  ['number', 'no', 'nr', 'num', 'numero', 'nomer', 'numru'],
];

/** Kinds of streets. They are optional in a match, and decide between similar names. */
const KINDS = new Set(
  `street st str road rd avenue av ave avenida avda lane ln drive dr square sq boulevard blvd bvd bd bulvar br bulevar court ct place pl plaza platz plac praca piazza placa crescent terrace
  gardens highway hwy circle close way alley row walk path rua r travessa tv estrada largo alameda rodovia calle carretera camino paseo via viale corso vicolo strada chemin impasse allee passage
  route rue quai ruelle strasse gasse weg straat laan ulica ul aleja osiedle gata gade vei veien utca ut cadde caddesi cad sokak ulitsa vulitsia vul prospekt pr prt pereulok per proezd naberezhnaia nab shosse
  tupik alleia ploshchad ulitsy ulitse ulitsu prospekta prospekte pereulka pereulke proezda proezde naberezhnoi ploshchadi bulvara bulvare triq trejqet trejqa sqaq misrah pjazza dahlet vjal carrer passeig pg avinguda passatge ptge ctra`.split(
    /\s+/,
  ),
);

/** Articles, prepositions, conjunctions: almost without weight, but part of the name. */
const PARTICLES = new Set(
  `a the of de do da dos das del della delle dei di du des le la les los las el il l d al et e und i y and und van von der den dem am im an in zu zur
  na po u v im imeni ta tal tad tan tar tas tat tax taz id is it ir iz ix ic ghal s t no nr num numero nomer`.split(
    /\s+/,
  ),
);

/** Towns with numbered streets prefix each with a compass direction; callers omit it. */
const COMPASS = new Set('north south east west n w northwest nw northeast ne southwest sw southeast se'.split(' '));

const OF_WORD = new Map<string, Set<string>>();
for (const group of [...GROUPS, ...GIVEN_NAMES]) {
  for (const word of group) {
    const others = OF_WORD.get(word) ?? new Set<string>();
    OF_WORD.set(word, others);
    for (const other of group) if (other !== word) others.add(other);
  }
}

const ADJECTIVE_ENDINGS = ['aia', 'oi', 'uiu', 'yi', 'ii', 'oe', 'ogo', 'iaia', 'ei', 'ego', 'om'];
const ADJECTIVE = new RegExp(`^(.{3,}?)(${ADJECTIVE_ENDINGS.join('|')})$`);
const COMPOUND = /^(.{4,}?)s?(?:strasse|str|gasse|weg|platz|allee|straat|laan|gatan|vagen|gade|vej|gata|veien)$/;

/** Other spellings of a folded word: its abbreviations, or the full form. */
export function spellingsOf(word: string): readonly string[] {
  // "St Lukes" is "San Luqa".
  const others = [
    ...(OF_WORD.get(word) ??
      (word.length >= 5 && word.endsWith('s') ? OF_WORD.get(word.slice(0, -1)) : undefined) ??
      []),
  ];
  // Crews and callers use any grammatical case: "на Мирной", "угол Мирной".
  const [, stem, ending] = ADJECTIVE.exec(word) ?? [];
  if (stem !== undefined) for (const other of ADJECTIVE_ENDINGS) if (other !== ending) others.push(stem + other);
  // "St Pauls" and "St Paul's" and "St Paul".
  if (word.length >= 4 && !/\d/.test(word)) others.push(word.endsWith('s') ? word.slice(0, -1) : `${word}s`);
  // "Hauptstr." and "Hauptstrasse": German joins name and kind of street.
  if (word.length > 6 && word.endsWith('strasse')) others.push(`${word.slice(0, -7)}str`);
  if (word.length > 5 && word.endsWith('str')) others.push(`${word}asse`);
  if (word.length > 6 && word.endsWith('straat')) others.push(`${word.slice(0, -6)}str`);
  return others;
}

/**
 * The name in a compound of name and kind: `feldkircher` of `feldkircherstrasse`, which others write
 * separately.
 */
export function nameInCompound(word: string): string | undefined {
  return COMPOUND.exec(word)?.[1];
}

/** The weight of a word in a name, 0 to 1. */
export function weightOf(word: string): number {
  if (KINDS.has(word) || COMPASS.has(word)) return 0.35;
  if (PARTICLES.has(word)) return 0.15;
  return word.length === 1 ? 0.5 : 1;
}

/** Does it name a kind of street? "St" may be a saint as well. */
export function saysStreet(word: string): boolean {
  return word.length >= 4 && KINDS.has(word);
}

/** Is it so frequent that a match may lack it? */
export function isWeak(word: string): boolean {
  return KINDS.has(word) || COMPASS.has(word) || PARTICLES.has(word);
}
