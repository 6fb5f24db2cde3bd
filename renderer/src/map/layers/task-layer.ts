import { shortened } from '../../../../shared/text/characters.ts';
import type { Task } from '../../../../shared/records/index.ts';
import type { TaskPriority } from '../../../../shared/tasks/priority.ts';
import { CanvasLayer, hit, type DrawnItem, type DrawingSurface } from './canvas-layer.ts';
import type { Ink } from '../ink.ts';
import { LabelRoom, SymbolSheet } from '../symbols.ts';
import { plateMiddle, type Plate } from '../task-plate.ts';

/** The data of a task that the map draws. */
export type PlacedTask = Pick<Task, 'id' | 'title' | 'point'>;

interface TaskScene<T> {
  readonly tasks: readonly T[];
  readonly priorityOf: (task: T) => TaskPriority;
  /** An emergency that nobody was sent to. */
  readonly isWorst: (task: T) => boolean;
  readonly chosenId: number | undefined;
}

const REACH = 18;
/** Pixels: closer symbols could not be distinguished. */
const CELL = 12;

/** Open tasks as plates on a pin, the mark of their status on it. */
export class TaskLayer<T extends PlacedTask = Task> {
  readonly layer = new CanvasLayer('tasks', (sheet) => this.paint(sheet));
  private scene: TaskScene<T> = {
    tasks: [],
    priorityOf: () => 3,
    isWorst: () => false,
    chosenId: undefined,
  };
  private sheet: SymbolSheet;
  private drawn: DrawnItem<T>[] = [];

  constructor(ink: Ink) {
    this.sheet = new SymbolSheet(ink, window.devicePixelRatio);
  }

  show(scene: TaskScene<T>): void {
    this.scene = scene;
    this.layer.redraw();
  }

  recolour(ink: Ink): void {
    this.sheet = new SymbolSheet(ink, window.devicePixelRatio);
    this.layer.redraw();
  }

  at(x: number, y: number): T | undefined {
    return hit(this.drawn, x, y, REACH);
  }

  /** Claims the place of the chosen task's title in the room of another layer. */
  claimChosen(sheet: DrawingSurface, room: LabelRoom): void {
    const { tasks, chosenId } = this.scene;
    const chosen = chosenId === undefined ? undefined : tasks.find(({ id }) => id === chosenId);
    if (!chosen?.point) return;
    const at = { x: 0, y: 0 };
    sheet.project(chosen.point.lat, chosen.point.lon, at);
    claimTitle(room, shortened(chosen.title, LONGEST), at.x, at.y);
  }

  private paint(sheet: DrawingSurface): void {
    const { tasks, chosenId } = this.scene;
    const seen: DrawnItem<T>[] = [];
    let chosen: DrawnItem<T> | undefined;
    // the most urgent, which comes first, represents all overlapping ones
    const taken = new Map<number, DrawnItem<T>>();
    const others = new Map<number, number>();
    const at = { x: 0, y: 0 };
    for (const task of tasks) {
      if (!task.point) continue;
      sheet.project(task.point.lat, task.point.lon, at);
      if (!sheet.shows(at, 40)) continue;
      const drawn = { item: task, x: at.x, y: at.y };
      const cell = Math.round(at.x / CELL) * 100_000 + Math.round(at.y / CELL);
      const first = taken.get(cell);
      if (task.id === chosenId) chosen = drawn;
      else if (first) others.set(first.item.id, (others.get(first.item.id) ?? 0) + 1);
      else seen.push(drawn);
      if (!first) taken.set(cell, drawn);
    }
    seen.reverse(); // the most urgent lie on top
    const near = sheet.zoom >= 14; // from afar plates would hide one another and the town
    const plateOf = (task: T): Plate => (!near ? 'dot' : this.scene.isWorst(task) ? 'worst' : 'pin');
    const room = new LabelRoom();
    for (const one of seen) {
      this.paintOne(sheet, one, plateOf(one.item), sheet.zoom >= 16 ? room : undefined);
      const more = others.get(one.item.id);
      if (more) this.sheet.putLabel(sheet.context, `+${more}`, one.x + (near ? 26 : 17), one.y - (near ? 26 : 8), true);
    }
    if (chosen) this.paintOne(sheet, chosen, 'chosen', new LabelRoom());
    // A task is clicked on its plate, not on its tip.
    this.drawn = [...seen.map((one) => raised(one, plateOf(one.item))), ...(chosen ? [raised(chosen, 'chosen')] : [])];
  }

  private paintOne(
    { context }: DrawingSurface,
    { item, x, y }: DrawnItem<T>,
    plate: Plate,
    room: LabelRoom | undefined,
  ): void {
    this.sheet.putPlate(context, plate, this.scene.priorityOf(item), x, y);
    const title = room ? shortened(item.title, LONGEST) : '';
    if (title && claimTitle(room!, title, x, y)) this.sheet.putLabel(context, title, x, y + 4, plate === 'chosen');
  }
}

function raised<T>({ item, x, y }: DrawnItem<T>, plate: Plate): DrawnItem<T> {
  return { item, x, y: y - plateMiddle(plate) };
}

const claimTitle = (room: LabelRoom, title: string, x: number, y: number) =>
  room.claim(x - title.length * 3, y + 3, title.length * 6, 13);

const LONGEST = 28;
