const BASE = 128;

/** Writes integers of up to 2^53 in 7 bits a byte, low bits first. */
export class ByteWriter {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #at = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  byte(value: number): void {
    this.#bytes[this.#at++] = value;
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= BASE) {
      this.byte((rest % BASE) + BASE);
      rest = Math.floor(rest / BASE);
    }
    this.byte(rest);
  }

  /** Writes a signed integer of up to 2^52. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  doubles(values: Float64Array): void {
    const view = new DataView(this.#bytes.buffer);
    for (const value of values) {
      view.setFloat64(this.#at, value, true);
      this.#at += Float64Array.BYTES_PER_ELEMENT;
    }
  }

  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#at);
  }
}

/** Reads the bytes of a {@link ByteWriter}. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @throws RangeError after the last byte. */
  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new RangeError('packed bars end too early');
    return value;
  }

  varint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.byte();
      if (byte < BASE) return value + byte * factor;
      value += (byte - BASE) * factor;
      factor *= BASE;
    }
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  signeds(count: number): Float64Array {
    const values = new Float64Array(count);
    for (let index = 0; index < count; index++) values[index] = this.signed();
    return values;
  }

  doubles(count: number): Float64Array {
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    const values = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      values[index] = view.getFloat64(this.#at, true);
      this.#at += Float64Array.BYTES_PER_ELEMENT;
    }
    return values;
  }
}
