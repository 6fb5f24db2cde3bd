declare module 'fontkit' {
  export interface Font {
    readonly unitsPerEm: number;
    layout(text: string): {
      readonly glyphs: readonly { readonly path: { toSVG(): string } }[];
      readonly positions: readonly { readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number }[];
      readonly advanceWidth: number;
    };
  }
  export function create(bytes: Uint8Array): Font;
}
