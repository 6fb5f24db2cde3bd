import type { Message } from '../../../shared/records/index.ts';
import type { Look } from '../design/tones.ts';
import { CanvasLayer, hit, type Drawn, type Sheet } from './canvas-layer.ts';
import type { Ink } from './ink.ts';
import { label, LabelRoom, SymbolSheet } from './symbols.ts';

export interface TaskScene {
  readonly tasks: readonly Message[];
  readonly lookOf: (task: Message) => Look;
  readonly chosenId: number | undefined;
}

const REACH = 18;
/** Pixels: two that are nearer than about this could not be told apart. */
const CELL = 12;

/** Open tasks as plates on a pin, the mark of their status on it. */
export class TaskLayer {
  readonly layer = new CanvasLayer('tasks', (sheet) => this.paint(sheet));
  private scene: TaskScene = { tasks: [], lookOf: () => ({ tone: 'quiet', shape: 'circle', filled: false }), chosenId: undefined };
  private ink: Ink;
  private sheet: SymbolSheet;
  private drawn: Drawn<Message>[] = [];

  constructor(ink: Ink) {
    this.ink = ink;
    this.sheet = new SymbolSheet(ink, window.devicePixelRatio);
  }

  show(scene: TaskScene): void {
    this.scene = scene;
    this.layer.redraw();
  }

  recolour(ink: Ink): void {
    this.ink = ink;
    this.sheet = new SymbolSheet(ink, window.devicePixelRatio);
    this.layer.redraw();
  }

  at(x: number, y: number): Message | undefined {
    return hit(this.drawn, x, y, REACH);
  }

  private paint(sheet: Sheet): void {
    const at = { x: 0, y: 0 };
    const drawn: Drawn<Message>[] = [];
    const room = new LabelRoom();
    const { tasks, chosenId } = this.scene;
    const taken = new Set<number>(); // the most urgent, which comes first, stands for all that would lie over one another
    const chosen = tasks.find((task) => task.id === chosenId);
    const draw = (task: Message) => {
      if (!task.point) return;
      sheet.project(task.point.lat, task.point.lon, at);
      if (at.x < -30 || at.y < -30 || at.x > sheet.width + 30 || at.y > sheet.height + 40) return;
      const isChosen = task === chosen;
      const plate = isChosen ? 'chosen' : sheet.zoom < 14 ? 'dot' : 'pin'; // from afar pins would hide one another and the town
      const cell = Math.round(at.x / CELL) * 100_000 + Math.round(at.y / CELL);
      if (!isChosen && taken.has(cell)) return;
      taken.add(cell);
      this.sheet.putPlate(sheet.context, plate, this.scene.lookOf(task), at.x, at.y);
      const title = isChosen || sheet.zoom >= 16 ? clip(task.title) : '';
      if (title && (isChosen || room.claim(at.x - title.length * 3, at.y + 3, title.length * 6, 13))) label(sheet.context, title, this.ink, at.x, at.y + 4, isChosen);
      drawn.push({ item: task, x: at.x, y: plate === 'dot' ? at.y : at.y - 20 });
    };
    for (const task of tasks) if (task !== chosen) draw(task);
    if (chosen) draw(chosen); // on top
    this.drawn = drawn;
  }
}

const LONGEST = 28;
const clip = (text: string) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);
