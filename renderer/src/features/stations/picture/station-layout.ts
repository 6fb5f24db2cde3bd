/** A link between two stations, by their ids. */
export interface StationLink {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** A point of the picture, in px. */
export interface PicturePoint {
  readonly x: number;
  readonly y: number;
}

/** A placed station; `x`, `y` is its upper left corner. */
export interface PlacedCard extends PicturePoint {
  readonly id: string;
}

interface PlacedLink {
  readonly id: string;
  /** For an SVG path. */
  readonly path: string;
  /** Where the middle of its words goes. */
  readonly words: PicturePoint;
}

interface StationLayout {
  readonly width: number;
  readonly height: number;
  readonly cardWidth: number;
  readonly cards: readonly PlacedCard[];
  readonly links: readonly PlacedLink[];
}

/** A field of the grid on which stations stand. */
interface GridCell {
  readonly column: number;
  readonly row: number;
}
type Placement = ReadonlyMap<string, GridCell>;

export const CARD_HEIGHT = 84;
const NARROWEST_CARD = 190;
const WIDEST_CARD = 240;
/** Between columns there is room for the words of a link. */
const NARROWEST_GAP = 128;
const WIDEST_GAP = 200;
const ROW_GAP = 68;
const MARGIN = 12;
/** Of the words of a link. */
const WORDS: Readonly<{ width: number; height: number }> = { width: 124, height: 28 };
/** In one column links run at the left of the cards. */
const LANE = 14;

/** Costs of a placement. Links are short and straight; they do not pass behind a card and rarely cross. */
const DIAGONAL = 0.7;
const VERTICAL = 1.15;
const BEHIND_A_CARD = 30;
const CROSSING = 5;
/** Above this number of stations the first placement stays. */
const MAX_IMPROVED = 24;

/**
 * Places stations and links of any graph into a picture of this width. `stations` begins with the own one.
 * The placement depends only on the arguments, so stations do not move when their state changes.
 *
 * Each station takes the free cell of a grid with the least cost, in the order of its distance from the own
 * one. Then single stations move and pairs swap as long as that lowers the cost: local search (Aarts and
 * Lenstra, Local Search in Combinatorial Optimization, 1997).
 */
export function layOutStations(
  stations: readonly string[],
  links: readonly StationLink[],
  width: number,
): StationLayout {
  const inner = Math.max(NARROWEST_CARD, width - 2 * MARGIN);
  const columns = Math.max(1, Math.floor((inner + NARROWEST_GAP) / (NARROWEST_CARD + NARROWEST_GAP)));
  const known = links.filter(({ from, to }) => from !== to && stations.includes(from) && stations.includes(to));
  const order = inOrderOfDistance(stations, known);
  return columns === 1 ? stacked(order, known, width) : onGrid(order, known, width, columns);
}

/** Breadth first from the own station; those that no link reaches come last. */
function inOrderOfDistance(stations: readonly string[], links: readonly StationLink[]): string[] {
  const order = stations.slice(0, 1);
  for (let next = 0; next < stations.length; next++) {
    if (next === order.length) order.push(stations.find((id) => !order.includes(id))!);
    const id = order[next]!;
    const neighbours = stations.filter((other) =>
      links.some(({ from, to }) => (from === id && to === other) || (to === id && from === other)),
    );
    for (const other of neighbours) if (!order.includes(other)) order.push(other);
  }
  return order;
}

function onGrid(
  order: readonly string[],
  links: readonly StationLink[],
  width: number,
  columns: number,
): StationLayout {
  const placement = improved(placed(order, links, columns), order, links, columns);
  const [left, right] = extent([...placement.values()].map(({ column }) => column));
  const [top, bottom] = extent([...placement.values()].map(({ row }) => row));
  const used = right - left + 1;
  const inner = width - 2 * MARGIN;
  const cardWidth = Math.min(WIDEST_CARD, Math.floor((inner - (columns - 1) * NARROWEST_GAP) / columns));
  const gap = used === 1 ? 0 : Math.min(WIDEST_GAP, Math.floor((inner - used * cardWidth) / (used - 1)));
  const height = 2 * MARGIN + (bottom - top + 1) * CARD_HEIGHT + (bottom - top) * ROW_GAP;
  const start = Math.round((width - used * cardWidth - (used - 1) * gap) / 2);
  const cards = order.map((id) => {
    const { column, row } = placement.get(id)!;
    return {
      id,
      x: start + (column - left) * (cardWidth + gap),
      y: MARGIN + (row - top) * (CARD_HEIGHT + ROW_GAP),
    };
  });
  const boxes = new Map(cards.map((card) => [card.id, boxOf(card, cardWidth)]));
  const taken: CardBox[] = [];
  const drawn = links.map(({ id, from, to }) => {
    const others = [...boxes].filter(([other]) => other !== from && other !== to).map(([, box]) => box);
    const curve = around(boxes.get(from)!, boxes.get(to)!, others);
    const words = placeWords(curve, [...boxes.values()], taken);
    taken.push(wordsBox(words));
    return { id, path: pathOf(curve), words };
  });
  return { width, height, cardWidth, cards, links: drawn };
}

/** One below the other, in a narrow window. */
function stacked(order: readonly string[], links: readonly StationLink[], width: number): StationLayout {
  const lanes = links.length;
  const x = MARGIN + Math.min(lanes, 6) * LANE;
  const cardWidth = width - x - MARGIN;
  const pitch = CARD_HEIGHT + WORDS.height + 16;
  const cards = order.map((id, index) => ({ id, x, y: MARGIN + index * pitch }));
  const placeOf = (id: string) => order.indexOf(id);
  const drawn = links.map(({ id, from, to }, index) => {
    const [upper, lower] = [placeOf(from), placeOf(to)].sort((one, other) => one - other) as [number, number];
    const lane = x - ((index % 6) + 1) * LANE;
    const [begin, end] = [cards[upper]!.y + CARD_HEIGHT / 2, cards[lower]!.y + CARD_HEIGHT / 2];
    return {
      id,
      path: `M${x} ${begin}H${lane}V${end}H${x}`,
      words: { x: lane + WORDS.width / 2, y: cards[lower]!.y - 8 - WORDS.height / 2 },
    };
  });
  return { width, height: 2 * MARGIN + order.length * pitch - (pitch - CARD_HEIGHT), cardWidth, cards, links: drawn };
}

/** The first placement: one station after another on the best free cell. */
function placed(order: readonly string[], links: readonly StationLink[], columns: number): Map<string, GridCell> {
  const placement = new Map<string, GridCell>();
  for (const id of order) {
    const cells = placement.size === 0 ? [{ column: 0, row: 0 }] : freeCells(placement, columns);
    const present = links.filter(
      ({ from, to }) => (from === id || placement.has(from)) && (to === id || placement.has(to)),
    );
    let best = cells[0]!;
    let least = Infinity;
    for (const cell of cells) {
      placement.set(id, cell);
      const cost = costOf(placement, order[0]!, present);
      if (cost < least) [best, least] = [cell, cost];
    }
    placement.set(id, best);
  }
  return placement;
}

function improved(
  start: Map<string, GridCell>,
  order: readonly string[],
  links: readonly StationLink[],
  columns: number,
): Map<string, GridCell> {
  if (order.length > MAX_IMPROVED) return start;
  const [own] = order as [string];
  const movable = order.slice(1);
  const placement = new Map(start);
  let cost = costOf(placement, own, links);
  /** Keeps the change when the picture is better with it. */
  const attempt = (changes: readonly (readonly [string, GridCell])[]): boolean => {
    const before = changes.map(([id]) => [id, placement.get(id)!] as const);
    for (const [id, cell] of changes) placement.set(id, cell);
    const next = fits(placement, columns) ? costOf(placement, own, links) : Infinity;
    if (next < cost - 1e-9) return ((cost = next), true);
    for (const [id, cell] of before) placement.set(id, cell);
    return false;
  };
  for (let better = true; better;) {
    better = false;
    for (const id of movable) {
      for (const cell of freeCells(placement, columns)) better = attempt([[id, cell]]) || better;
      for (const other of movable)
        if (other !== id)
          better =
            attempt([
              [id, placement.get(other)!],
              [other, placement.get(id)!],
            ]) || better;
    }
  }
  return placement;
}

/** Free cells around what is placed, nearest first. */
function freeCells(placement: Placement, columns: number): GridCell[] {
  const cells = [...placement.values()];
  const [left, right] = extent(cells.map(({ column }) => column));
  const [top, bottom] = extent(cells.map(({ row }) => row));
  const taken = new Set(cells.map(({ column, row }) => `${column} ${row}`));
  const free: GridCell[] = [];
  for (let row = top - 1; row <= bottom + 1; row++)
    for (
      let column = Math.max(left - 1, right - columns + 1);
      column <= Math.min(right + 1, left + columns - 1);
      column++
    )
      if (!taken.has(`${column} ${row}`)) free.push({ column, row });
  return free;
}

function fits(placement: Placement, columns: number): boolean {
  const [left, right] = extent([...placement.values()].map(({ column }) => column));
  return right - left < columns;
}

/** Of two equal cells the right one comes first, then the left one, the lower one and the upper one. */
function costOf(placement: Placement, own: string, links: readonly StationLink[]): number {
  const centre = placement.get(own)!;
  let cost = 0;
  for (const { column, row } of placement.values()) {
    const [right, down] = [column - centre.column, row - centre.row];
    cost += 0.02 * (right * right + down * down) + (right < 0 ? 0.001 : 0) + (down < 0 ? 0.003 : down > 0 ? 0.002 : 0);
  }
  const segments = links.map(({ from, to }) => ({ from, to, a: placement.get(from)!, b: placement.get(to)! }));
  for (const [index, { from, to, a, b }] of segments.entries()) {
    const [across, down] = [Math.abs(a.column - b.column), Math.abs(a.row - b.row)];
    const length = across + VERTICAL * down + (across > 0 && down > 0 ? DIAGONAL : 0);
    cost += length * length;
    for (const [id, cell] of placement) if (id !== from && id !== to && passes(a, b, cell)) cost += BEHIND_A_CARD;
    for (const other of segments.slice(index + 1)) {
      const meets = [other.from, other.to].some((id) => id === from || id === to);
      if (!meets && cross(a, b, other.a, other.b)) cost += CROSSING;
    }
  }
  return cost;
}

/** Whether the straight line between two cells passes behind the card on a third one. */
function passes(a: GridCell, b: GridCell, cell: GridCell): boolean {
  const pitch = NARROWEST_CARD + NARROWEST_GAP;
  const middle = (at: GridCell) => ({ x: at.column * pitch, y: at.row * (CARD_HEIGHT + ROW_GAP) });
  const { x, y } = middle(cell);
  const box = { left: x - 99, right: x + 99, top: y - 46, bottom: y + 46 };
  return hits(middle(a), middle(b), box);
}

function cross(a: GridCell, b: GridCell, c: GridCell, d: GridCell): boolean {
  const side = (p: GridCell, q: GridCell, r: GridCell) =>
    Math.sign((q.column - p.column) * (r.row - p.row) - (q.row - p.row) * (r.column - p.column));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

interface CardBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function boxOf({ x, y }: PicturePoint, width: number): CardBox {
  return { left: x, right: x + width, top: y, bottom: y + CARD_HEIGHT };
}
function wordsBox({ x, y }: PicturePoint): CardBox {
  const { width, height } = WORDS;
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}
const overlap = (one: CardBox, other: CardBox) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
const middleOf = ({ left, right, top, bottom }: CardBox): PicturePoint => ({
  x: (left + right) / 2,
  y: (top + bottom) / 2,
});
const within = ({ x, y }: PicturePoint, box: CardBox) => x > box.left && x < box.right && y > box.top && y < box.bottom;

/** Whether the segment meets the box (Liang and Barsky 1984). */
function hits(a: PicturePoint, b: PicturePoint, box: CardBox): boolean {
  let [enter, leave] = [0, 1];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  for (const [step, room] of [
    [-dx, a.x - box.left],
    [dx, box.right - a.x],
    [-dy, a.y - box.top],
    [dy, box.bottom - a.y],
  ] as const) {
    if (step === 0 && room < 0) return false;
    if (step < 0) enter = Math.max(enter, room / step);
    else if (step > 0) leave = Math.min(leave, room / step);
  }
  return enter <= leave;
}

/** A quadratic Bézier curve. */
interface Curve {
  readonly a: PicturePoint;
  readonly control: PicturePoint;
  readonly b: PicturePoint;
}
const STEPS = Array.from({ length: 41 }, (_, index) => index / 40);

function at({ a, control, b }: Curve, t: number): PicturePoint {
  const mix = (of: (point: PicturePoint) => number) =>
    (1 - t) ** 2 * of(a) + 2 * t * (1 - t) * of(control) + t ** 2 * of(b);
  return { x: mix(({ x }) => x), y: mix(({ y }) => y) };
}

/** From card to card: straight, or bent as little as it takes to pass the other cards. */
function around(from: CardBox, to: CardBox, others: readonly CardBox[]): Curve {
  const [a, b] = [middleOf(from), middleOf(to)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy);
  let best: Curve | undefined;
  let least = Infinity;
  for (const bend of [0, 90, -90, 150, -150, 230, -230, 320, -320]) {
    const control = { x: (a.x + b.x) / 2 - (dy / length) * bend, y: (a.y + b.y) / 2 + (dx / length) * bend };
    const curve = { a, control, b };
    const behind = others.filter((box) => STEPS.some((t) => within(at(curve, t), box))).length;
    if (behind < least) [best, least] = [curve, behind];
    if (behind === 0) break;
  }
  return best!;
}

function pathOf({ a, control, b }: Curve): string {
  const point = ({ x, y }: PicturePoint) => `${Math.round(x)} ${Math.round(y)}`;
  return `M${point(a)}Q${point(control)} ${point(b)}`;
}

/** The middle of the part that no card hides, or the next place where the words cover nothing. */
function placeWords(curve: Curve, cards: readonly CardBox[], taken: readonly CardBox[]): PicturePoint {
  const open = STEPS.map((t) => at(curve, t)).filter((point) => !cards.some((box) => within(point, box)));
  const middle = open[Math.floor(open.length / 2)] ?? at(curve, 0.5);
  const byDistance = open.toSorted(
    (one, other) => Math.hypot(one.x - middle.x, one.y - middle.y) - Math.hypot(other.x - middle.x, other.y - middle.y),
  );
  const free = byDistance.find((point) => ![...cards, ...taken].some((box) => overlap(wordsBox(point), box)));
  const { x, y } = free ?? byDistance.find((point) => !taken.some((box) => overlap(wordsBox(point), box))) ?? middle;
  return { x: Math.round(x), y: Math.round(y) };
}

function extent(values: readonly number[]): [least: number, most: number] {
  return [Math.min(...values), Math.max(...values)];
}
