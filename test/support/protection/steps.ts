import * as fc from 'fast-check';
import type { Trouble } from '../alpaca.ts';

/** Step of a history of a real account. */
export type Step =
  | {
      readonly kind: 'enter';
      readonly side: 'buy' | 'sell';
      readonly type: 'market' | 'limit' | 'stop';
      readonly quantity: number;
      readonly hasTarget: boolean;
    }
  | { readonly kind: 'price'; readonly percent: number }
  | { readonly kind: 'pass'; readonly minutes: number }
  | { readonly kind: 'run' }
  /** The stop follows the price at a distance. */
  | { readonly kind: 'move'; readonly percent: number }
  | { readonly kind: 'exit'; readonly portion: 0.5 | 1; readonly flatten: boolean }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'command'; readonly action: 'pause' | 'halt' | 'resume' | 'throw' | 're-arm' }
  | { readonly kind: 'hand'; readonly act: 'cancel' | 'close' | 'sell' | 'move' | 'buy' }
  | { readonly kind: 'trouble'; readonly troubles: readonly (Trouble | undefined)[] }
  | { readonly kind: 'death'; readonly calls: number; readonly isAfter: boolean }
  | { readonly kind: 'venue'; readonly pendingMs: number; readonly liquidity: number | undefined }
  | { readonly kind: 'repeat'; readonly place: number };

/** Beyond each stop and target, near to them, and in between. */
const percent = fc.constantFrom(-11, -6, -3, -1.5, -0.4, 0.4, 1.5, 3, 6, 11);

const trouble = fc.constantFrom<Trouble | undefined>(
  undefined,
  undefined,
  'lost',
  'cut',
  'dropped',
  'limited',
  'throttled',
  'down',
  'failed',
);

const enter = fc.record({
  kind: fc.constant('enter' as const),
  side: fc.constantFrom('buy', 'sell'),
  type: fc.constantFrom('market', 'market', 'limit', 'stop'),
  quantity: fc.integer({ min: 1, max: 10 }),
  hasTarget: fc.boolean(),
});

const COMMON: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<Step> }[] = [
  { weight: 7, arbitrary: enter },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('price'), percent }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass'), minutes: fc.constantFrom(1, 2, 30, 300, 1200) }),
  },
  { weight: 8, arbitrary: fc.constant({ kind: 'run' }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('move'), percent: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('exit'),
      portion: fc.constantFrom(0.5, 1),
      flatten: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('command'),
      action: fc.constantFrom(
        'pause',
        'halt',
        'resume',
        'resume',
        'resume',
        'throw',
        're-arm',
        're-arm',
        're-arm',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('venue'),
      pendingMs: fc.constantFrom(0, 0, 1_000, 8_000),
      liquidity: fc.constantFrom(undefined, undefined, 2, 3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat'), place: fc.nat(30) }) },
];

const TROUBLES: typeof COMMON = [
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('trouble'),
      troubles: fc.array(trouble, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('death'),
      calls: fc.integer({ min: 1, max: 30 }),
      isAfter: fc.boolean(),
    }),
  },
];

const HANDS: typeof COMMON = [
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('hand'),
      act: fc.constantFrom('cancel', 'close', 'sell', 'move', 'buy'),
    }),
  },
];

/** Surroundings of a history. */
export interface Setting {
  readonly symbol: 'AAPL' | 'BTCUSD';
  /** False for a broker that lets orders sell more than the position. */
  readonly checksAvailability: boolean;
}

export interface History extends Setting {
  readonly steps: readonly Step[];
}

/** Histories, optionally with trouble and deaths, or with an owner who trades by hand. */
export const histories = (
  { withTrouble = false, withHands = false }: { withTrouble?: boolean; withHands?: boolean },
  length: number,
): fc.Arbitrary<History> => {
  const steps = fc.oneof(...COMMON, ...(withTrouble ? TROUBLES : []), ...(withHands ? HANDS : []));
  return fc.record({
    symbol: fc.constantFrom('AAPL', 'AAPL', 'BTCUSD'),
    checksAvailability: withHands ? fc.constant(true) : fc.boolean(),
    // The first entry makes most of what follows matter.
    steps: fc
      .tuple(enter, fc.array(steps, { minLength: 1, maxLength: length, size: 'max' }))
      .map(([first, rest]) => [first, ...rest]),
  });
};
