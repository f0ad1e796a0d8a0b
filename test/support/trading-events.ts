import fc from 'fast-check';
import type { BookMemory } from '../../shared/data/books/book-memory.ts';
import {
  CONTRACT_SIZES,
  type Habits,
  type HubEvent,
  histories,
  START,
} from '../unit/domain/ledger-histories.ts';
import { takeEvent } from './functions/execution-events.ts';
import type { TestHub } from './hub.ts';
import { deployTrading, trader } from './trading.ts';
import type { Owner } from './trading-state.ts';

/** An event of one of several deployments, given by its index; `after` is in milliseconds since their creation. */
export interface PlannedEvent {
  readonly deployment: number;
  readonly type: string;
  readonly after: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Length of the histories of {@link plans}, with spare time. */
export const SPAN_MS = 9 * 86_400_000;

const since = (at: string): number => Date.parse(at) - START;

export const planned = (deployment: number, event: HubEvent): PlannedEvent => {
  if (event.kind === 'quote') {
    const { occurred_at, ...detail } = event.quote;
    return { deployment, type: 'Quote Marked', after: since(occurred_at), detail };
  }
  if (event.kind === 'swap') {
    const { occurred_at, ...detail } = event.charge;
    return { deployment, type: 'Swap Charged', after: since(occurred_at), detail };
  }
  const { occurred_at, ...detail } = event.update;
  const contract_size = CONTRACT_SIZES[detail.symbol];
  return {
    deployment,
    type: 'Order Updated',
    after: since(occurred_at),
    detail: { ...detail, contract_size },
  };
};

/** Status reports of a deployment: its start, and possibly a failure, a resumption and a stop. */
const lives = (deployment: number): fc.Arbitrary<PlannedEvent[]> =>
  fc
    .record({
      started: fc.nat(1000),
      failed: fc.option(fc.integer({ min: 1000, max: 100_000_000 }), { nil: undefined }),
      again: fc.option(fc.integer({ min: 100_000_000, max: 200_000_000 }), { nil: undefined }),
      stopped: fc.option(fc.integer({ min: 200_000_000, max: 700_000_000 }), { nil: undefined }),
    })
    .map(({ started, failed, again, stopped }) => {
      const event = (type: string, after: number | undefined, detail: PlannedEvent['detail'] = {}) =>
        after === undefined ? [] : [{ deployment, type, after, detail }];
      return [
        ...event('Deployment Started', started),
        ...event('Deployment Error', failed, { message: 'The engine lost its feed.' }),
        ...event('Deployment Started', again),
        ...event('Deployment Stopped', stopped, { stop_reason: 'completed' }),
      ];
    });

/** Histories of several deployments in order. */
export const plans = (deployments: number, maxOrders: number, habits: Habits): fc.Arbitrary<PlannedEvent[]> =>
  fc
    .tuple(
      ...Array.from({ length: deployments }, (_, deployment) =>
        fc
          .tuple(lives(deployment), histories(maxOrders, habits))
          .map(([life, history]) => [...life, ...history.map((event) => planned(deployment, event))]),
      ),
    )
    .map((all) => all.flat().sort((left, right) => left.after - right.after));

/** Returns all events, some of them repeated, in any order. */
export const disordered = (events: readonly PlannedEvent[]): fc.Arbitrary<PlannedEvent[]> =>
  fc.shuffledSubarray([...events]).chain((again) => {
    const all = [...events, ...again];
    return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
  });

/** Creates a trader with new paper deployments. */
export const newOwner = async (
  hub: TestHub,
  deployments: number,
  symbol = ['AAPL', ...Object.keys(CONTRACT_SIZES)].join(),
): Promise<Owner> => {
  const { user_id, keygen } = await trader(hub, { symbol });
  const made: number[] = [];
  while (made.length < deployments) made.push((await deployTrading(hub, keygen)).body.deployment_id);
  return { user_id, deployments: made };
};

/** Returns an event in the form of the bus. */
export const onTheBus = (
  { deployments }: Pick<Owner, 'deployments'>,
  madeAt: number,
  { deployment, type, after, detail }: PlannedEvent,
) => ({
  'detail-type': type,
  source: 'engine',
  detail: {
    version: 1,
    deployment_id: deployments[deployment],
    occurred_at: new Date(madeAt + after).toISOString(),
    ...detail,
  },
});

/** Applies events one by one, at a time after all of them. */
export const takeAll = async (
  { runtime }: TestHub,
  owner: Owner,
  events: readonly PlannedEvent[],
  memory?: BookMemory,
): Promise<void> => {
  const madeAt = runtime.clock().getTime();
  const later = { ...runtime, clock: () => new Date(madeAt + SPAN_MS) };
  for (const event of events) await takeEvent(later, onTheBus(owner, madeAt, event), { memory });
};
