import * as z from 'zod';
import { describeError } from '../../shared/api/redact.ts';
import { attendAll } from '../../shared/attend-all.ts';
import { categoryTalliesSchema, reconcileCategories } from '../../shared/data/reconcile/categories.ts';
import { listOfPartition } from '../../shared/data/reconcile/list-kinds.ts';
import { reconcileList } from '../../shared/data/reconcile/lists.ts';
import { reconcileOwner } from '../../shared/data/reconcile/owners.ts';
import { reconcileReferrals } from '../../shared/data/reconcile/referrals.ts';
import { reconcileStrategy } from '../../shared/data/reconcile/strategies.ts';
import { removeStrayCard } from '../../shared/data/reconcile/strategy-cards.ts';
import { Tally } from '../../shared/data/reconcile/tally.ts';
import { EXPLORE_LIST } from '../../shared/data/strategies/listings.ts';
import { type Seen, scanPage, scanPlaceSchema } from '../../shared/data/table/scan.ts';
import { reconcileDeployment, removeUnknownActive } from '../../shared/lifecycle/reconcile/deployments.ts';
import { reconcileSums } from '../../shared/lifecycle/reconcile/owner-sums.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { type Batch, roundJob } from './round-job.ts';
import { weeklyRound } from './rounds.ts';

/** Parallel segments of the table scan. Must not change while a round runs. */
const SEGMENTS = 4;
const PAGE = 100;
/** Chunks of a list that a batch reads; a longer list continues in the next batch. */
const MAX_CHUNKS = 8;

const segmentSchema = z.object({
  from: scanPlaceSchema.optional(),
  ended: z.boolean().default(false),
  /** List whose entries the previous page ended in, before its head. */
  open: z.string().optional(),
});

const cursorSchema = z.object({
  segments: z.array(segmentSchema).default(() => Array.from({ length: SEGMENTS }, () => ({ ended: false }))),
  /** Lists that are still to be checked. */
  lists: z.array(z.object({ pk: z.string(), chunk: z.number() })).default([]),
  categories: categoryTalliesSchema.optional(),
});

type Cursor = z.output<typeof cursorSchema>;
type Segment = z.output<typeof segmentSchema>;

/** Item to compare with the stored facts. Returns the chunk at which a long list continues. */
interface Task {
  readonly kind: string;
  readonly pk: string;
  readonly run: (tally: Tally) => Promise<unknown>;
}

const listTask = (runtime: Runtime, pk: string, from: number | undefined): Task[] => {
  const known = listOfPartition(pk);
  if (!known) return [];
  const { kind, list } = known;
  const run = (tally: Tally) =>
    reconcileList(runtime.store, list, { kind: `list_${kind}`, from, maxChunks: MAX_CHUNKS }, tally);
  return [{ kind: `list_${kind}`, pk, run }];
};

const ENTRY = /^\d{12}$/;

/**
 * Finds the lists of a scan page: those whose heads it holds, and those whose entries it passes without a
 * head, which sorts after them.
 */
const listsIn = (items: readonly Seen[], { open, ended }: Segment) => {
  const heads = items.filter(({ entity, sk }) => entity === 'list' || sk === 'LIST').map(({ pk }) => pk);
  const entered = items.filter(({ pk, sk }) => ENTRY.test(sk) && listOfPartition(pk)).map(({ pk }) => pk);
  const passed = new Set([...(open === undefined ? [] : [open]), ...entered]);
  for (const pk of heads) passed.delete(pk);
  const last = items.at(-1);
  // Its head may be on the next page.
  const stillOpen = !ended && last && passed.has(last.pk) ? last.pk : undefined;
  if (stillOpen !== undefined) passed.delete(stillOpen);
  return { heads: [...new Set([...heads, ...passed])], open: stillOpen };
};

const tasksOf = (runtime: Runtime, items: readonly Seen[]): Task[] =>
  items.flatMap(({ pk, sk, entity, user_id, strategy_id, deployment_id }): Task[] => {
    const { store } = runtime;
    if (entity === 'user' && user_id !== undefined) {
      return [
        { kind: 'user', pk, run: (tally) => reconcileOwner(store, user_id, tally) },
        { kind: 'ended_totals', pk, run: (tally) => reconcileSums(store, user_id, tally) },
      ];
    }
    if (entity === 'deployment' && deployment_id !== undefined) {
      return [{ kind: 'deployment', pk, run: (tally) => reconcileDeployment(store, deployment_id, tally) }];
    }
    if ((entity === 'active_live' || entity === 'active_watcher') && deployment_id !== undefined) {
      const run = (tally: Tally) => removeUnknownActive(store, { pk, sk }, deployment_id, tally);
      return [{ kind: 'active_deployments', pk, run }];
    }
    if (entity === 'referral') {
      return [{ kind: 'referred_count', pk, run: (tally) => reconcileReferrals(store, pk, tally) }];
    }
    if (entity === 'strategy_card' && strategy_id !== undefined) {
      const run = (tally: Tally) => removeStrayCard(store, { pk, sk }, strategy_id, tally);
      return [{ kind: 'strategy_cards', pk, run }];
    }
    if (entity === 'strategy' && strategy_id !== undefined) {
      const run = (tally: Tally) => reconcileStrategy(runtime.store, strategy_id, tally);
      return [{ kind: 'strategy', pk, run }];
    }
    return [];
  });

const perform = async (runtime: Runtime, tasks: readonly Task[], tally: Tally): Promise<Cursor['lists']> => {
  const later: { pk: string; chunk: number }[] = [];
  const { failures } = await attendAll(
    tasks,
    async ({ pk, run }) => {
      const chunk = await run(tally);
      if (typeof chunk === 'number') later.push({ pk, chunk });
    },
    () => true,
  );
  for (const { item, error } of failures) {
    tally.add(item.kind, 'unreadable', item.pk);
    runtime.log.error('something could not be compared', { kind: item.kind, ...describeError(error) });
  }
  return later;
};

const scanSegment = async (runtime: Runtime, segment: Segment, index: number) => {
  if (segment.ended) return { segment, items: [], heads: [] };
  const place = { segment: index, segments: SEGMENTS, from: segment.from, limit: PAGE };
  const { items, next } = await scanPage(runtime.store, place);
  const { heads, open } = listsIn(items, { ...segment, ended: next === undefined });
  return { segment: { from: next, ended: next === undefined, open }, items, heads };
};

const goOn = async (
  runtime: Runtime,
  from: Cursor,
  tally: Tally,
): Promise<{ readonly cursor: Cursor | undefined; readonly done: number }> => {
  if (from.lists.length > 0) {
    const tasks = from.lists.flatMap(({ pk, chunk }) => listTask(runtime, pk, chunk));
    return { cursor: { ...from, lists: await perform(runtime, tasks, tally) }, done: 0 };
  }
  if (from.segments.some(({ ended }) => !ended)) {
    const found = await Promise.all(
      from.segments.map((segment, index) => scanSegment(runtime, segment, index)),
    );
    const items = found.flatMap((one) => one.items);
    const heads = found.flatMap((one) => one.heads);
    for (const pk of heads) if (!listOfPartition(pk)) tally.add('list_unknown', 'unreadable', pk);
    const tasks = [...heads.flatMap((pk) => listTask(runtime, pk, undefined)), ...tasksOf(runtime, items)];
    const lists = await perform(runtime, tasks, tally);
    return { cursor: { segments: found.map(({ segment }) => segment), lists }, done: items.length };
  }
  let categories: Cursor['categories'];
  const run = async (): Promise<void> => {
    categories = await reconcileCategories(runtime.store, from.categories, tally);
  };
  await perform(runtime, [{ kind: 'category_counts', pk: EXPLORE_LIST.pk, run }], tally);
  return { cursor: categories && { ...from, categories }, done: 0 };
};

/**
 * Compares the directories of all lists and all maintained counts with the stored facts, and repairs them.
 * Reads the whole table: an index may itself have lost entries.
 */
export const reconcileLists = roundJob({
  name: 'reconcile-lists',
  summary: 'Compares directories of lists and counts with the stored facts, and repairs them',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  round: weeklyRound,
  batch: async (runtime, { cursor }): Promise<Batch> => {
    const tally = new Tally();
    const from = cursorSchema.parse(cursor === undefined ? {} : JSON.parse(cursor));
    const { cursor: to, done } = await goOn(runtime, from, tally);
    return {
      cursor: to && JSON.stringify(to),
      done,
      counts: tally.counts,
      findings: tally.findings,
    };
  },
});
