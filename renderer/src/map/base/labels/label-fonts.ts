import type { Feature } from 'protomaps-leaflet';
import { nameIn } from './lettering.ts';

/** Those of the labels. Sizes do not matter: a face has all of them. */
const FONTS = ['400 12px Roboto', '500 12px Roboto'];

/** Loads the faces of a font that have the letters of a text. */
type LoadFont = (font: string, text: string) => Promise<unknown>;

/**
 * Loads the letters of labels before the labels are measured. Each script has files of its own, which are loaded
 * when a label first needs them.
 */
export class LabelFonts {
  private readonly name: (feature: Feature) => string | undefined;
  private readonly loadFont: LoadFont;
  private readonly asked = new Set<string>();
  private loading: Promise<unknown> = Promise.resolve();

  constructor(language: string, loadFont: LoadFont = (font, text) => document.fonts.load(font, text)) {
    this.name = nameIn(language);
    this.loadFont = loadFont;
  }

  /** Resolves when the labels of these features can be measured; a face that does not come is done without. */
  async ready(features: Iterable<Feature>): Promise<void> {
    const known = this.asked.size;
    for (const feature of features)
      for (const text of [this.name(feature), feature.props['ref'], feature.props['number']])
        if (typeof text === 'string') for (const letter of text) this.asked.add(letter);
    const letters = [...this.asked].slice(known).join('');
    if (letters !== '')
      this.loading = Promise.allSettled([this.loading, ...FONTS.map((font) => this.loadFont(font, letters))]);
    await this.loading;
  }
}
