/** Bytes of a file from an offset on, and the size of the whole file. */
export interface ObjectPiece {
  readonly size: number;
  readonly bytes: Buffer;
}

/**
 * A place outside of the station for the bytes of files, by their SHA-256 in hex. Stations share it. Each method
 * rejects when the place does not answer, or answers an error.
 */
export interface ObjectStore {
  /** For people: which place it is. Another place has another name. */
  readonly name: string;
  has(sha256: string): Promise<boolean>;
  /** Stores the file at `path`. Resolves when the place confirmed the bytes of that SHA-256. */
  put(sha256: string, path: string): Promise<void>;
  /** At most `length` bytes; undefined: the object is not there. */
  read(sha256: string, offset: number, length: number): Promise<ObjectPiece | undefined>;
  /** Also resolves when there is no such object. */
  remove(sha256: string): Promise<void>;
  close(): void;
}
