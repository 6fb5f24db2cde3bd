declare module 'unbzip2-stream' {
  interface Unbzip2 {
    on(event: 'data', listener: (chunk: Buffer) => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    write(chunk: Buffer): boolean;
    end(): void;
  }
  /** Synchronous within `write` and `end`. */
  export default function unbzip2Stream(): Unbzip2;
}
