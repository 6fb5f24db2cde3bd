import { Readable } from 'node:stream';
import type { AttachOrder, Files } from '../../dispatch/files/index.ts';
import type { EmergencyCall } from './services.ts';

/** A picture as a caller might have sent it, drawn here so that the demo needs no photographs. */
interface Sketch {
  readonly fits: RegExp;
  readonly name: { readonly en: string; readonly ru: string };
  readonly drawing: string;
}

const STREET = (sky: string) =>
  `<rect width="800" height="600" fill="${sky}"/><path d="M0 330H800V600H0Z" fill="#6f7479"/><path d="M0 330H800V352H0Z" fill="#a9a69f"/><path d="M40 470h90m90 0h90m90 0h90m90 0h90m90 0h90" stroke="#e8e6de" stroke-width="8"/>`;
const HOUSE = (x: number, colour: string) =>
  `<g transform="translate(${x} 120)"><path d="M0 0H170V215H0Z" fill="${colour}"/><path d="M-12 0L85-62 182 0Z" fill="#7d5a4a"/>${[0, 1, 2].flatMap((column) => [0, 1].map((row) => `<path d="M${18 + column * 50} ${28 + row * 80}h34v46h-34z" fill="#dfe8ee" stroke="#5b5148" stroke-width="3"/>`)).join('')}</g>`;
const CAR = (x: number, y: number, colour: string, turn: number) =>
  `<g transform="translate(${x} ${y}) rotate(${turn})"><path d="M-90 0V-34L-58-38-34-70H40L66-38 92-32V0Z" fill="${colour}"/><path d="M-44-40L-28-62H-2V-40ZM6-40V-62H36L52-40Z" fill="#cfdde6"/><circle cx="-52" r="19" fill="#23262a"/><circle cx="54" r="19" fill="#23262a"/><circle cx="-52" r="8" fill="#9aa1a7"/><circle cx="54" r="8" fill="#9aa1a7"/></g>`;
const CLOUDS = (colour: string, ...at: [number, number, number][]) =>
  at.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}" opacity="0.75"/>`).join('');

const SKETCHES: readonly Sketch[] = [
  {
    fits: /fallen (?:tree|branches)/i,
    name: { en: 'tree.jpg', ru: 'дерево.jpg' },
    drawing: `${STREET('#c3d2dc')}${HOUSE(60, '#c9b79c')}${HOUSE(540, '#b9c3a9')}<path d="M120 520L640 400 650 424 130 548Z" fill="#6d4f35"/><path d="M480 440l70-90M540 426l90-40M430 452l-20-96" stroke="#6d4f35" stroke-width="12"/>${CLOUDS('#4e7a43', [600, 360, 74], [680, 420, 66], [540, 330, 56], [420, 350, 44], [640, 470, 52])}`,
  },
  {
    fits: /smoke|on fire|burning/i,
    name: { en: 'smoke.jpg', ru: 'дым.jpg' },
    drawing: `${STREET('#d3d6d8')}${HOUSE(300, '#bfae98')}<path d="M350 148h34v46h-34z" fill="#e3822f"/><path d="M354 194q6-30 14-40 10 14 14 40z" fill="#f4c34a"/>${CLOUDS('#54585d', [372, 130, 40], [398, 88, 52], [450, 44, 66], [530, 20, 74])}`,
  },
  {
    fits: /collided|hit by a car/i,
    name: { en: 'cars.jpg', ru: 'машины.jpg' },
    drawing: `${STREET('#b9cad6')}${HOUSE(20, '#c4b8ad')}${CAR(310, 500, '#8fa3b4', 8)}${CAR(500, 470, '#d4b04c', -24)}<path d="M392 440l20-36 6 34 30-24-14 38 34 0-30 22" fill="none" stroke="#fff" stroke-width="6"/>`,
  },
  {
    fits: /burst|flooded/i,
    name: { en: 'water.jpg', ru: 'вода.jpg' },
    drawing: `${STREET('#ccd6da')}${HOUSE(560, '#bdb1a0')}<path d="M90 480q120-60 300-30t330 30q-60 70-320 66T90 480Z" fill="#8db6cf"/><path d="M330 460q-16-150 20-220 36 70 20 220z" fill="#b9d7e6"/><path d="M350 240q-70 20-90 120M350 240q70 20 90 120" fill="none" stroke="#d6e8f1" stroke-width="14"/>`,
  },
  {
    fits: /street lamps/i,
    name: { en: 'pole.jpg', ru: 'опора.jpg' },
    drawing: `${STREET('#a8b3c0')}${HOUSE(40, '#b8b0a5')}<path d="M470 520L610 130" stroke="#5d5348" stroke-width="18"/><path d="M560 190l100 36" stroke="#5d5348" stroke-width="12"/><path d="M0 160Q300 240 580 195T800 420M640 218Q700 330 660 520" fill="none" stroke="#22262a" stroke-width="4"/>`,
  },
  {
    fits: /hole in|manhole/i,
    name: { en: 'road.jpg', ru: 'дорога.jpg' },
    drawing: `${STREET('#c6d1d6')}${HOUSE(80, '#c2bba9')}<ellipse cx="430" cy="500" rx="150" ry="46" fill="#2f3236"/><ellipse cx="430" cy="492" rx="132" ry="34" fill="#4a4036"/><path d="M290 470l-60-30M560 520l80 30M520 460l60-36" stroke="#44484c" stroke-width="6"/>`,
  },
];

/** Photos for the demo's calls, uploaded and ready to be attached. */
export interface Sketches {
  /** Empty for subjects without photos. */
  photosOf(call: EmergencyCall, language: 'en' | 'ru'): AttachOrder[];
}

/** Draws and uploads each sketch once. */
export async function uploadSketches(files: Files, userId: number): Promise<Sketches> {
  const { default: sharp } = await import('sharp');
  const uuids = await Promise.all(
    SKETCHES.map(async ({ drawing, name }) => {
      const jpeg = await sharp(
        Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">${drawing}</svg>`),
      )
        .flatten()
        .jpeg({ quality: 82 })
        .toBuffer();
      return (await files.receive(Readable.from([jpeg]), { name: name.en, userId })).uuid;
    }),
  );
  return {
    photosOf({ en }, language) {
      const index = SKETCHES.findIndex(({ fits }) => fits.test(en));
      return index < 0 ? [] : [{ kind: 'photo', uuid: uuids[index]!, name: SKETCHES[index]!.name[language] }];
    },
  };
}
