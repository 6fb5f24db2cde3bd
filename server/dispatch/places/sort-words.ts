import { words } from '../../../shared/text/fold.ts';
import type { OwnPlaceSort } from '../../../shared/records/index.ts';

/** Words by which places of a sort are found, beside their names: "hydrant 12" finds the hydrant called "12". */
const WORDS: Readonly<Record<OwnPlaceSort, string>> = {
  hydrant: 'hydrant fire hydrant гидрант пожарный гидрант ПГ idrante hidrante poteau incendie Löschwasser',
  water: 'water pond tank водоём водоисточник бассейн Löschteich eau agua acqua',
  keyBox: 'key box keybox safe ключница ключи сейф Schlüsselkasten Schlüsseldepot coffre clés llaves',
  defibrillator: 'defibrillator AED дефибриллятор АНД défibrillateur DAE desfibrilador',
  gate: 'gate barrier ворота шлагбаум въезд Tor Schranke portail barrière puerta portão cancello',
  entrance: 'entrance door entry вход подъезд дверь Eingang Tür entrée porte entrada ingresso',
  station: 'station post станция пост часть подстанция Wache Station poste caserne estación',
  building: 'building hall здание корпус строение цех Gebäude Halle bâtiment edificio',
  house: 'house address дом адрес Haus Adresse maison adresse casa',
  road: 'road street way дорога улица проезд Straße Weg rue chemin calle strada',
  meetingPoint: 'meeting assembly point сбор место сбора Sammelplatz rassemblement reunión',
  landing: 'landing helipad площадка вертолётная Landeplatz hélistation helipuerto',
  hazard: 'hazard danger опасность Gefahr danger peligro pericolo',
  area: 'area beat sector zone участок сектор район зона Bereich Abschnitt secteur sector zona',
  other: '',
};

const folded = new Map<OwnPlaceSort, readonly string[]>();

export function sortWords(sort: OwnPlaceSort): readonly string[] {
  const known = folded.get(sort) ?? [...new Set(words(WORDS[sort]))];
  folded.set(sort, known);
  return known;
}
