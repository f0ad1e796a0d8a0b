import * as z from 'zod';
import { activePage } from '../data/books/active-deployments.ts';
import { pageOfOwned } from '../data/deployments/deployment-pages.ts';
import { type Deployment, findReadable } from '../data/deployments/deployments.ts';
import { findHalt, type Halt, releaseHalt, saveHalt } from '../data/switches/halts.ts';
import { isHeld } from '../data/switches/switch-changes.ts';
import type { Store } from '../data/table/store.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Runtime } from '../runtime.ts';
import { commandDeployment } from './deployment-commands.ts';
import type { Effect } from './effect.ts';
import { reportDamaged } from './report-damaged.ts';
import { notifyOfThrow } from './throw-notices.ts';

/** Deployments per page. Progress is saved after each page. */
const PAGE = 100;
const AT_ONCE = 20;

const cursorSchema = z.union([z.object({ seq: z.number() }), z.object({ at: z.string() })]);

type Cursor = z.output<typeof cursorSchema>;

interface Page {
  readonly ids: readonly number[];
  /** Errors of entries that cannot be read. */
  readonly damaged: readonly Error[];
  /** Undefined at the end. */
  readonly next: Cursor | undefined;
}

/** Returns whether a throw covers a deployment. A broker stops what trades at it, no notifications. */
const covers = ({ subject, actor }: Halt, { user_id, status, ...deployment }: Deployment): boolean => {
  if (isFinalDeploymentStatus(status)) return false;
  const brokerId = deployment.kind === 'live' ? deployment.broker_id : undefined;
  if (subject.level === 'service') return true;
  if (subject.level === 'broker') return brokerId === subject.broker_id;
  return user_id === subject.user_id && (actor.by !== 'broker' || brokerId === actor.broker_id);
};

/** Reads the next deployments of a user that a throw covers or that cannot be read: these fail alone. */
const pageOfUser = async (store: Store, halt: Halt, userId: string, after: number): Promise<Page> => {
  const damaged: Error[] = [];
  const { ids, next } = await pageOfOwned(store, userId, { after, limit: PAGE }, (error) =>
    damaged.push(error),
  );
  const { deployments, unreadable } = await findReadable(store, ids);
  const covered = deployments.filter((one) => covers(halt, one));
  return {
    ids: [...covered.map(({ deployment_id }) => deployment_id), ...unreadable],
    damaged,
    next: next === undefined ? undefined : { seq: next },
  };
};

/** Reads the next deployments that trade at a broker, or all of the service. */
const pageOfIndex = async (store: Store, { subject }: Halt, at: string | undefined): Promise<Page> => {
  const { entries, next } = await activePage(
    store,
    subject.level === 'broker' ? ['LIVE'] : ['LIVE', 'WATCH'],
    at,
    PAGE,
  );
  const isOther = (brokerId: number | null | undefined): boolean =>
    subject.level === 'broker' && brokerId !== undefined && brokerId !== subject.broker_id;
  return {
    ids: entries.filter(({ broker_id }) => !isOther(broker_id)).map(({ deployment_id }) => deployment_id),
    damaged: [],
    next: next === undefined ? undefined : { at: next },
  };
};

const pageOf = (store: Store, halt: Halt): Promise<Page> => {
  const cursor = halt.cursor === undefined ? undefined : cursorSchema.parse(JSON.parse(halt.cursor));
  const { subject } = halt;
  if (subject.level !== 'user')
    return pageOfIndex(store, halt, cursor && 'at' in cursor ? cursor.at : undefined);
  return pageOfUser(store, halt, subject.user_id, cursor && 'seq' in cursor ? cursor.seq : 0);
};

interface Halted {
  /** Owner of a deployment that the throw covers. */
  readonly owner: string | undefined;
  readonly isNew: boolean;
}

/**
 * Halts a deployment once for a throw. The throw notifies the owner once and is in the owner's trail once, so both are
 * left out here: these lists take some tens of entries a second.
 */
const haltOne = async (runtime: Runtime, halt: Halt, deploymentId: number): Promise<Halted> => {
  const { throw_id, reason, flatten } = halt;
  let owner: string | undefined;
  let isNew = false;
  const note = (before: Deployment | undefined): void => {
    owner = before && covers(halt, before) ? before.user_id : undefined;
    isNew = false;
  };
  const amend = ({ deployment, ...effect }: Effect, before: Deployment): Effect | undefined => {
    if (owner === undefined || before.held?.throw_id === throw_id) return undefined;
    isNew = true;
    const held = deployment.held && { ...deployment.held, throw_id };
    return { ...effect, deployment: { ...deployment, held }, notifications: [], isAuditedElsewhere: true };
  };
  const command = { action: 'halt', by: 'kill_switch', reason, flatten } as const;
  await commandDeployment(runtime, deploymentId, command, { check: note, amend });
  return { owner, isNew };
};

/** Returns whether the switch is still thrown by the actor. */
const isThrown = (runtime: Runtime, { subject, actor }: Halt): Promise<boolean> =>
  isHeld(runtime.store, subject, actor, (error) =>
    reportDamaged(runtime, error, { operation: 'halt_deployments' }),
  );

const NOTHING_LEFT: Page = { ids: [], damaged: [], next: undefined };

/** Result of halting a page. */
interface Did {
  readonly halted: number;
  readonly failures: readonly unknown[];
}

const haltPage = async (
  runtime: Runtime,
  halt: Halt,
  { ids, damaged }: Page,
  notified: Set<string>,
): Promise<Did> => {
  const failures: unknown[] = [...damaged];
  const owners = new Set<string>();
  let halted = 0;
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const batch = ids.slice(start, start + AT_ONCE);
    const settled = await Promise.allSettled(batch.map((id) => haltOne(runtime, halt, id)));
    for (const outcome of settled) {
      if (outcome.status === 'rejected') failures.push(outcome.reason);
      else {
        if (outcome.value.isNew) halted++;
        if (outcome.value.owner !== undefined) owners.add(outcome.value.owner);
      }
    }
  }
  const others = halt.is_repeated ? [] : [...owners].filter((owner) => !notified.has(owner));
  for (let start = 0; start < others.length; start += AT_ONCE) {
    const batch = others.slice(start, start + AT_ONCE);
    const settled = await Promise.allSettled(batch.map((owner) => notifyOfThrow(runtime, halt, owner)));
    for (const [index, outcome] of settled.entries()) {
      const owner = batch[index];
      if (outcome.status === 'rejected') failures.push(outcome.reason);
      else if (owner !== undefined) notified.add(owner);
    }
  }
  return { halted, failures };
};

/** Returns the progress after a page. A walk with failures repeats. */
const progressOf = (before: Halt, next: Cursor | undefined, did: Did, now: Date) => {
  const failures = before.failures + did.failures.length;
  const halted = before.halted + did.halted;
  if (next) return { halted, failures, cursor: JSON.stringify(next) };
  if (failures === 0) return { halted, cursor: undefined, finished_at: now.toISOString() };
  return { halted, cursor: undefined, failures: 0, failed_rounds: before.failed_rounds + 1 };
};

/** Result of a run of the work of a throw. */
export interface HaltReport {
  readonly halted: number;
  /** True if work is left, or another worker has it. */
  readonly more: boolean;
}

/**
 * Halts the deployments that a throw covers, page by page, each exactly once. Progress is saved after every page, so
 * the work goes on after a crash or a time limit. A failing deployment, or a damaged entry, does not block the others; the walk repeats
 * until none fails, or the switch is re-armed.
 *
 * @throws AggregateError at the end of a run with failures; finished work is kept.
 */
export const haltDeployments = async (
  runtime: Runtime,
  found: Halt,
  hasTime: () => boolean,
): Promise<HaltReport> => {
  const { store, clock } = runtime;
  const notified = new Set<string>();
  const errors: unknown[] = [];
  // Takes the lease.
  let halt = found.finished_at === undefined ? await saveHalt(store, found, {}, clock()) : undefined;
  let halted = 0;
  let isEnd = false;
  while (halt && !isEnd && hasTime()) {
    const page = (await isThrown(runtime, halt)) ? await pageOf(store, halt) : NOTHING_LEFT;
    const { next } = page;
    const did = await haltPage(runtime, halt, page, notified);
    halted += did.halted;
    errors.push(...did.failures);
    isEnd = next === undefined;
    halt = await saveHalt(store, halt, progressOf(halt, next, did, clock()), clock());
  }
  if (halt && !isEnd) await releaseHalt(store, halt, clock());
  if (errors.length > 0) {
    throw new AggregateError(errors, `${errors.length} deployments or owners of a kill switch failed`);
  }
  return { halted, more: halt?.finished_at === undefined };
};

/** Takes up the work of a throw; no-op if it is finished or unknown. */
export const takeUpHalt = async (
  runtime: Runtime,
  throwId: string,
  hasTime: () => boolean,
): Promise<HaltReport> => {
  const halt = await findHalt(runtime.store, throwId);
  return halt ? haltDeployments(runtime, halt, hasTime) : { halted: 0, more: false };
};
