/** Collects differences between expected and computed values. */
export class Differences {
  readonly list: string[] = [];

  same(name: string, actual: unknown, expected: unknown): void {
    if (!Object.is(actual, expected)) this.list.push(`${name}: ${actual} instead of ${expected}`);
  }

  /** Compares numbers relative to their size, or to 1 if they are smaller. */
  close(name: string, actual: number | null | undefined, expected: number | null, tolerance: number): void {
    if (actual === expected) return;
    const isClose =
      typeof actual === 'number' &&
      expected !== null &&
      Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected));
    if (!isClose) this.list.push(`${name}: ${actual} instead of ${expected}`);
  }
}
