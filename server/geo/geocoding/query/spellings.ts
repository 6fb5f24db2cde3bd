import { GIVEN_NAMES } from './given-names.ts';

/**
 * Words that replace each other in names of streets and places, in folded form. Groups overlap on purpose: `st` is
 * a street and a saint.
 */
const GROUPS: readonly (readonly string[])[] = [
  ['street', 'st', 'str'],
  ['road', 'rd'],
  ['avenue', 'av', 'ave', 'avda', 'avd', 'avenida', 'aven'],
  ['lane', 'ln'],
  ['drive', 'dr', 'drv'],
  ['square', 'sq', 'sqr'],
  ['boulevard', 'bulvara', 'bulvare', 'blvd', 'bvd', 'bd', 'bld', 'boul', 'bulvar', 'bulevar', 'bulevardul', 'br'],
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
    'pzza',
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
  ['trail', 'trl'],
  ['alley', 'aly'],
  ['heights', 'hts'],
  ['expressway', 'expy'],
  ['freeway', 'fwy'],
  ['turnpike', 'tpke'],
  ['cove', 'cv'],
  ['crossing', 'xing'],
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
  ['general', 'gen', 'generala', 'generale', 'gral', 'gal'],
  ['professor', 'prof', 'professora'],
  ['colonel', 'col', 'cel', 'coronel'],
  ['captain', 'capt', 'cap', 'kap', 'kapitan', 'kapitana'],
  ['major', 'maj', 'maior'],
  ['president', 'pres', 'presidente', 'prezidenta'],
  ['engineer', 'eng', 'ing', 'engenheiro', 'inzhenera'],
  ['marshal', 'mar', 'mal', 'marechal', 'marshala', 'marechale'],
  ['admiral', 'adm', 'admirala', 'almirante'],
  ['cardinal', 'cardinale', 'card'],
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
  ['avinguda', 'avenida', 'av', 'avda', 'avgda'],
  ['passatge', 'ptge', 'pasaje', 'pje'],
  ['carretera', 'ctra', 'carr', 'crta'],
  ['paseo', 'pso', 'po'],
  ['travesia', 'travessia', 'trva', 'trv', 'tva', 'tr'],
  ['callejon', 'cjon', 'cllon'],
  ['camino', 'cno', 'cmno'],
  ['rambla', 'rbla'],
  ['ronda', 'rda'],
  ['mossen', 'mn'],
  ['via', 'v'],
  ['viale', 'vle'],
  ['corso', 'cso'],
  ['vicolo', 'vic', 'vlo'],
  ['piazzale', 'ple', 'pzzale'],
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
  ['bulvar', 'bul'],
  ['shose', 'sh'],
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
