/** Returns a number of a memory; NaN outside of it. */
export const at = (memory: Float64Array, slot: number): number => memory[slot] ?? Number.NaN;

/** Assigns places in the memory of a program. The places are fixed at compiling. */
export class Layout {
  readonly #parts: { readonly slot: number; readonly count: number; readonly value: number }[] = [];
  #size = 0;

  /** Takes numbers that begin with a value. Returns the place of the first. */
  take(count: number, value: number): number {
    const slot = this.#size;
    this.#parts.push({ slot, count, value });
    this.#size += count;
    return slot;
  }

  /** Returns the memory before the first bar. */
  initial(): Float64Array {
    const memory = new Float64Array(this.#size);
    for (const { slot, count, value } of this.#parts) memory.fill(value, slot, slot + count);
    return memory;
  }
}

/** Encodes a memory for storing. */
export const saveMemory = (memory: Float64Array): string =>
  Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength).toString('base64');

/**
 * Puts a stored memory back.
 *
 * @throws RangeError if it is of another size.
 */
export const restoreMemory = (memory: Float64Array, saved: string): void => {
  const bytes = Buffer.from(saved, 'base64');
  if (bytes.byteLength !== memory.byteLength) throw new RangeError('the saved memory has another size');
  new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength).set(bytes);
};
