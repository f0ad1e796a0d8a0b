/** Calls and units of a request. */
export interface Units {
  readonly calls: number;
  /** Read request units, of 4 KB consistent or 8 KB eventually consistent. */
  readonly read: number;
  /** Write request units, of 1 KB, indexes included; twice as many in a transaction. */
  readonly write: number;
}

const toThousandths = (number: number): number => Number(number.toFixed(3));

/** Multiplies units. */
export const scaled = (units: Units, by: number): Units => ({
  calls: toThousandths(units.calls * by),
  read: toThousandths(units.read * by),
  write: toThousandths(units.write * by),
});

/** Adds units. */
export const sumOf = (left: Units, right: Units): Units => ({
  calls: toThousandths(left.calls + right.calls),
  read: toThousandths(left.read + right.read),
  write: toThousandths(left.write + right.write),
});

/** Subtracts units. */
export const less = (left: Units, right: Units): Units => sumOf(left, scaled(right, -1));
