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
const CHOSEN_MARK = 9;
/** pixels */
const CELL = 6;

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
    const taken = new Set<number>(); // from afar one dot stands for all that would lie over one another
    const chosen = tasks.find((task) => task.id === chosenId);
    const draw = (task: Message) => {
      if (!task.point) return;
      sheet.project(task.point.lat, task.point.lon, at);
      if (at.x < -30 || at.y < -30 || at.x > sheet.width + 30 || at.y > sheet.height + 40) return;
      const isChosen = task === chosen;
      const small = sheet.zoom < 14 && !isChosen;
      const cell = Math.round(at.x / CELL) * 100_000 + Math.round(at.y / CELL);
      if (small && taken.has(cell)) return;
      taken.add(cell);
      if (small) this.dot(sheet.context, task, at.x, at.y);
      else this.pin(sheet.context, task, at.x, at.y, isChosen);
      const title = isChosen || sheet.zoom >= 16 ? clip(task.title) : '';
      if (title && (isChosen || room.claim(at.x - title.length * 3, at.y + 3, title.length * 6, 13))) label(sheet.context, title, this.ink, at.x, at.y + 4, isChosen);
      drawn.push({ item: task, x: at.x, y: small ? at.y : at.y - 20 });
    };
    for (const task of tasks) if (task !== chosen) draw(task);
    if (chosen) draw(chosen); // on top
    this.drawn = drawn;
  }

  /** From afar the pins would hide one another and the town. */
  private dot(context: CanvasRenderingContext2D, task: Message, x: number, y: number): void {
    const look = this.scene.lookOf(task);
    context.beginPath();
    context.roundRect(x - 8, y - 8, 16, 16, 4);
    context.lineWidth = 2;
    context.strokeStyle = this.ink.tones[look.tone];
    context.fillStyle = this.ink.panel;
    context.fill();
    context.stroke();
    this.sheet.put(context, { look, hollow: false, radius: 4.5 }, x, y);
  }

  /** The tip stands on the place. */
  private pin(context: CanvasRenderingContext2D, task: Message, x: number, y: number, isChosen: boolean): void {
    const look = this.scene.lookOf(task);
    const half = isChosen ? 15 : 12;
    const middle = y - half - 7;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - 5, middle + half - 1);
    context.lineTo(x + 5, middle + half - 1);
    context.closePath();
    context.roundRect(x - half, middle - half, 2 * half, 2 * half, 5);
    context.lineJoin = 'round';
    context.lineWidth = isChosen ? 5 : 3.5;
    context.strokeStyle = isChosen ? this.ink.accent : this.ink.tones[look.tone];
    context.stroke();
    context.fillStyle = this.ink.panel;
    context.fill();
    this.sheet.put(context, { look, hollow: false, radius: isChosen ? CHOSEN_MARK : 7 }, x, middle);
  }
}

const LONGEST = 28;
const clip = (text: string) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);
