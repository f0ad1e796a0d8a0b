/**
 * Kinds of orders with which an adapter protects the trade of an entry: its stop, its target, and the market order that
 * closes it at once where the stop cannot rest.
 */
export const PROTECTIVE_LEVELS = ['stop', 'target', 'close'] as const;
export type ProtectiveLevel = (typeof PROTECTIVE_LEVELS)[number];

const LETTERS = { stop: 's', target: 't', close: 'c' } as const;
const LEVELS: Readonly<Record<string, ProtectiveLevel>> = { s: 'stop', t: 'target', c: 'close' };
const PROTECTIVE_ID = /^(?<entry>.+):(?<letter>[stc])(?<round>[1-9]\d{0,8})$/;

/** A protective order of the order book. */
export interface Protective {
  /** Order that opened the trade. */
  readonly entry: string;
  readonly level: ProtectiveLevel;
  /** Begins at 1. Increases when the entry fills further after its trade was closed. */
  readonly round: number;
}

/**
 * Returns the id under which a protective order is in the order book. It is one order for the life of a trade, however
 * often its adapter replaces it at the broker.
 */
export const protectiveIdOf = ({ entry, level, round }: Protective): string =>
  `${entry}:${LETTERS[level]}${round}`;

/** Returns the protective order of an id; undefined for the id of another order. */
export const protectiveOf = (clientOrderId: string): Protective | undefined => {
  const { entry, letter, round } = PROTECTIVE_ID.exec(clientOrderId)?.groups ?? {};
  const level = LEVELS[letter ?? ''];
  return entry !== undefined && level ? { entry, level, round: Number(round) } : undefined;
};
