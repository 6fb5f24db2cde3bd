import { shortened } from '../../../../shared/text/characters.ts';
import type { Task } from '../../../../shared/records/index.ts';
import type { Look } from '../../ui/design/tones.ts';
import { CanvasLayer, hit, type DrawnItem, type DrawingSurface } from './canvas-layer.ts';
import type { Ink } from '../ink.ts';
import { LabelRoom, SymbolSheet, type Plate } from '../symbols.ts';

interface TaskScene {
  readonly tasks: readonly Task[];
  readonly lookOf: (task: Task) => Look;
  readonly chosenId: number | undefined;
}

const REACH = 18;
/** Pixels: closer symbols could not be told apart. */
const CELL = 12;

/** Open tasks as plates on a pin, the mark of their status on it. */
export class TaskLayer {
  readonly layer = new CanvasLayer('tasks', (sheet) => this.paint(sheet));
  private scene: TaskScene = {
    tasks: [],
    lookOf: () => ({ tone: 'quiet', shape: 'circle', filled: false }),
    chosenId: undefined,
  };
  private sheet: SymbolSheet;
  private drawn: DrawnItem<Task>[] = [];

  constructor(ink: Ink) {
    this.sheet = new SymbolSheet(ink, window.devicePixelRatio);
  }

  show(scene: TaskScene): void {
    this.scene = scene;
    this.layer.redraw();
  }

  recolour(ink: Ink): void {
    this.sheet = new SymbolSheet(ink, window.devicePixelRatio);
    this.layer.redraw();
  }

  at(x: number, y: number): Task | undefined {
    return hit(this.drawn, x, y, REACH);
  }

  private paint(sheet: DrawingSurface): void {
    const { tasks, chosenId } = this.scene;
    const seen: DrawnItem<Task>[] = [];
    let chosen: DrawnItem<Task> | undefined;
    // the most urgent, which comes first, stands for all that would lie over one another
    const taken = new Set<number>();
    const at = { x: 0, y: 0 };
    for (const task of tasks) {
      if (!task.point) continue;
      sheet.project(task.point.lat, task.point.lon, at);
      if (!sheet.shows(at, 40)) continue;
      const drawn = { item: task, x: at.x, y: at.y };
      const cell = Math.round(at.x / CELL) * 100_000 + Math.round(at.y / CELL);
      if (task.id === chosenId) chosen = drawn;
      else if (!taken.has(cell)) seen.push(drawn);
      taken.add(cell);
    }
    seen.reverse(); // the most urgent lie on top
    const plate = sheet.zoom < 14 ? 'dot' : 'pin'; // from afar pins would hide one another and the town
    const room = new LabelRoom();
    for (const one of seen) this.paintOne(sheet, one, plate, sheet.zoom >= 16 ? room : undefined);
    if (chosen) this.paintOne(sheet, chosen, 'chosen', new LabelRoom());
    // A pin is clicked on its plate, not on its tip.
    this.drawn = [...(plate === 'dot' ? seen : seen.map(raised)), ...(chosen ? [raised(chosen)] : [])];
  }

  private paintOne(
    { context }: DrawingSurface,
    { item, x, y }: DrawnItem<Task>,
    plate: Plate,
    room: LabelRoom | undefined,
  ): void {
    this.sheet.putPlate(context, plate, this.scene.lookOf(item), x, y);
    const title = room ? shortened(item.title, LONGEST) : '';
    if (title && room!.claim(x - title.length * 3, y + 3, title.length * 6, 13))
      this.sheet.putLabel(context, title, x, y + 4, plate === 'chosen');
  }
}

const raised = ({ item, x, y }: DrawnItem<Task>): DrawnItem<Task> => ({ item, x, y: y - 20 });

const LONGEST = 28;
