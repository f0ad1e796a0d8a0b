/** Encodings of files. */
export type Encoding = 'utf8' | 'utf16le';

/** Bytes of a file, on a disk or in a browser. */
export interface CandleBytes {
  readonly size: number;
  /** Reads the first bytes. */
  readonly head: (bytes: number) => Promise<Uint8Array>;
  /** Reads the text from its beginning, in parts. */
  readonly parts: (encoding: Encoding) => AsyncIterable<string>;
}
