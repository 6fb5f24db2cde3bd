import type { Geometry } from 'geojson';

export const SEVERITIES = ['unknown', 'minor', 'moderate', 'severe', 'extreme'] as const;
/** In rising order. */
export type Severity = (typeof SEVERITIES)[number];

/** The causes of a DATEX II message that have words of their own in the console. */
export const ROAD_EVENTS = [
  'roadClosed',
  'lanesClosed',
  'roadworks',
  'accident',
  'obstruction',
  'roadConditions',
  'weather',
  'traffic',
  'publicEvent',
  'other',
] as const;
export type RoadEvent = (typeof ROAD_EVENTS)[number];

/** A warning in one language. */
export interface WarningText {
  /** As the publisher writes it (RFC 3066); empty: not said. */
  readonly language: string;
  readonly event: string;
  readonly headline: string;
  readonly description: string;
  readonly instruction: string;
  readonly area: string;
}

/** One warning of a feed, in any format. */
export interface ReadWarning {
  /** The same for the same warning in every look at the feed. */
  readonly key: string;
  /** Keys, without a part, of the messages that this one replaces. */
  readonly replaces: readonly string[];
  readonly sender: string;
  /** Epoch ms; of the message or its last version. */
  readonly sentAt: number;
  readonly severity: Severity;
  /** The event on the road, when the message is DATEX II. */
  readonly road: RoadEvent | null;
  readonly from: number;
  /** Exclusive; null: as long as the feed lists it. */
  readonly until: number | null;
  /** It holds at certain hours or days only, which it does not say in a form that we read. */
  readonly isPartial: boolean;
  readonly texts: readonly WarningText[];
  /** Codes of its areas, such as `EMMA_ID=DE123`. */
  readonly codes: readonly string[];
  /** Longitude first; null: it names its area only. */
  readonly geometry: Geometry | null;
  /** The line has the ends of a stretch of road only; the road between them is to be found. */
  readonly hasEndsOnly: boolean;
  /** Share of the usual speed on the roads there: 0 closes them; null: it says nothing about roads. */
  readonly factor: number | null;
  readonly link: string;
}

/** A message that a feed names by its address. */
export interface LinkedMessage {
  readonly url: string;
  /** Changes with the message. */
  readonly version: string;
  /** The warning as the entry of the feed has it, when the address has no message that we read. */
  readonly entry: ReadWarning | null;
}

/** The content of a feed, or of one message. */
export interface ReadFeed {
  readonly format: 'cap' | 'atom' | 'rss' | 'datex';
  readonly warnings: readonly ReadWarning[];
  /** Keys, without a part, of the messages that newer ones replace or cancel. */
  readonly ended: readonly string[];
  readonly links: readonly LinkedMessage[];
  /** Messages that are exercises, tests or for somebody else. */
  readonly ignored: number;
  /** How many warnings are for other places, or less severe. */
  readonly elsewhere: number;
  /** Messages that could not be read, in English; the first 20. */
  readonly problems: readonly string[];
}

/** Positions of one warning. */
export const MOST_POSITIONS = 20_000;
/** Warnings, and messages by address, of one feed. */
export const MOST_WARNINGS = 5_000;

/** The findings of a reader while it goes through a document. */
export class FeedContent {
  readonly warnings: ReadWarning[] = [];
  readonly ended: string[] = [];
  readonly links: LinkedMessage[] = [];
  readonly problems: string[] = [];
  ignored = 0;
  elsewhere = 0;
  readonly #isWanted: (warning: ReadWarning) => boolean;

  /** @param isWanted which warnings are kept: the feed of a country has many more than a station wants */
  constructor(isWanted: (warning: ReadWarning) => boolean) {
    this.#isWanted = isWanted;
  }

  add(warnings: readonly ReadWarning[]): void {
    for (const warning of warnings)
      if (!this.#isWanted(warning)) this.elsewhere++;
      else if (this.warnings.length < MOST_WARNINGS) this.warnings.push(warning);
      else this.problem(`The feed has more than ${MOST_WARNINGS} warnings.`);
  }

  addLink({ entry, ...link }: LinkedMessage): void {
    if (this.links.length < MOST_WARNINGS)
      this.links.push({ ...link, entry: entry && this.#isWanted(entry) ? entry : null });
    else this.problem(`The feed has more than ${MOST_WARNINGS} warnings.`);
  }

  problem(text: string): void {
    if (this.problems.length < 20 && !this.problems.includes(text)) this.problems.push(text);
  }
}
