import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BookMemory } from '../../../shared/data/books/book-memory.ts';
import { type ExactBooks, exactBooks } from '../../support/exact-books.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { openHub } from '../../support/open-hub.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { enterAll } from '../../support/trading.ts';
import {
  disordered,
  newOwner,
  onTheBus,
  type PlannedEvent,
  plans,
  SPAN_MS,
  takeAll,
} from '../../support/trading-events.ts';
import { type TradingState, tradingStateOf } from '../../support/trading-state.ts';
import { Fraction } from '../../unit/domain/fractions.ts';
import type { Habits } from '../../unit/domain/ledger-histories.ts';

const hub = await openHub(furnishWithInstruments);

const DEPLOYMENTS = 2;
const WORKERS = 4;

const historyAndDisorder = (maxOrders: number, habits: Habits) =>
  plans(DEPLOYMENTS, maxOrders, habits).chain((history) =>
    fc.tuple(fc.constant(history), disordered(history)),
  );

type Take = (owner: Awaited<ReturnType<typeof newOwner>>) => Promise<void>;

/** Returns the state of the table after events were applied and their list entries written. */
const stateAfter = async (take: Take): Promise<TradingState> => {
  const owner = await newOwner(hub, DEPLOYMENTS);
  await take(owner);
  while ((await enterAll(hub)) > 0);
  return tradingStateOf(hub.runtime.store, [owner]);
};

/** Leaves out notifications, which depend on the order of arrival. */
const books = ({ deployments, users }: TradingState) => ({
  deployments,
  users: users.map(({ lists, books: own }) => ({ lists, own })),
});

const inOrder = (events: readonly PlannedEvent[]): Promise<TradingState> =>
  stateAfter((owner) => takeAll(hub, owner, events));

const close = (amount: string | undefined, exact: Fraction): void => {
  expect(amount).toBeDefined();
  expect(Fraction.of(amount ?? '0').isCloseTo(exact, 12)).toBe(true);
};

/** Compares the stored books with a recomputation from all fills. */
const expectPlain = (stored: TradingState['deployments'][number], plain: ExactBooks): void => {
  const { head, contract_sizes, quotes } = stored.ledger;
  close(head.gross, plain.gross);
  close(head.fees, plain.fees);
  close(head.swap, plain.swap);
  close(head.lots, plain.lots);
  close(head.traded_value, plain.traded);
  const signs = plain.trades.map((net) => net.sign());
  expect([head.trades.count, head.trades.wins, head.trades.losses]).toEqual([
    signs.length,
    signs.filter((sign) => sign > 0).length,
    signs.filter((sign) => sign < 0).length,
  ]);
  const sum = (nets: readonly Fraction[]) => nets.reduce((total, net) => total.plus(net), Fraction.of('0'));
  close(head.trades.won, sum(plain.trades.filter((net) => net.sign() > 0)));
  close(head.trades.lost, sum(plain.trades.filter((net) => net.sign() < 0)));
  const held = Object.entries(head.symbols).filter(([, { position }]) => position !== null);
  expect(held.map(([symbol]) => symbol).sort()).toEqual([...plain.open.keys()].sort());
  for (const [symbol, { position }] of held) {
    close(position?.quantity, plain.open.get(symbol)?.quantity ?? Fraction.of('0'));
    close(position?.cost, plain.open.get(symbol)?.cost ?? Fraction.of('0'));
  }
  for (const [symbol, price] of plain.prices) close(quotes[symbol]?.at(-1)?.[1], price);
  for (const [symbol, size] of plain.sizes) close(contract_sizes[symbol], size);
  expect(stored.book).toEqual([...plain.statuses.keys()].sort());
};

describe('the books of live deployments', () => {
  test('are the same for every order of arrival, with repeats', async () => {
    await fc.assert(
      fc.asyncProperty(historyAndDisorder(6, { unruly: true }), async ([history, arrived]) => {
        const half = arrived.length >> 1;
        const state = await stateAfter(async (owner) => {
          // A consumer that remembers its writes applies the second half.
          await takeAll(hub, owner, arrived.slice(0, half));
          await enterAll(hub);
          await takeAll(hub, owner, arrived.slice(half), new BookMemory());
        });
        expect(books(state)).toEqual(books(await inOrder(history)));
      }),
      { numRuns: soakable(1, 6), endOnFailure: true },
    );
  });

  test('equal a recomputation from all fills', async () => {
    await fc.assert(
      fc.asyncProperty(historyAndDisorder(6, { crowded: true }), async ([history, arrived]) => {
        const { deployments } = await inOrder(arrived);
        for (const [place, stored] of deployments.entries()) {
          expectPlain(stored, exactBooks(history.filter(({ deployment }) => deployment === place)));
        }
      }),
      { numRuns: soakable(1, 6), endOnFailure: true },
    );
  });

  test('are the same if workers apply the same events at once', async () => {
    await fc.assert(
      fc.asyncProperty(historyAndDisorder(3, { busts: true }), async ([history, arrived]) => {
        const { runtime } = hub;
        const madeAt = runtime.clock().getTime();
        const later = { ...runtime, clock: () => new Date(madeAt + SPAN_MS) };
        const state = await stateAfter(async (owner) => {
          // Each event goes to two workers: neighbouring queues share events.
          const work = async (worker: number): Promise<void> => {
            const memory = new BookMemory();
            for (const [index, event] of arrived.entries()) {
              const first = index % WORKERS;
              if (worker !== first && worker !== (first + 1) % WORKERS) continue;
              await takeEvent(later, onTheBus(owner, madeAt, event), { memory });
            }
          };
          const enter = async (): Promise<void> => {
            await Promise.all([enterAll(hub), enterAll(hub)]);
          };
          await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
          await enter();
        });
        expect(books(state)).toEqual(books(await inOrder(history)));
      }),
      { numRuns: soakable(1, 4), endOnFailure: true },
    );
  });
});
