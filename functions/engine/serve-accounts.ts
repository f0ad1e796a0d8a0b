import { attendAll } from '../../shared/attend-all.ts';
import type { EngineProgram } from '../../shared/data/engine/programs.ts';
import {
  type AccountSub,
  findSubs,
  type Sub,
  type SubsPage,
} from '../../shared/data/engine/subscriptions.ts';
import { NewerRecordError } from '../../shared/data/table/newer-record.ts';
import type { Span } from '../../shared/lifecycle/engine-accounts/advance-account.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { clearFailure, noteFailure } from './failing-accounts.ts';
import { isPassing } from './passing-errors.ts';
import { ENGINE } from './report-bars.ts';
import { serveAccount } from './serve-account.ts';

/** Subscriptions that one Query reads. */
const PAGE = 200;

/** The function has no time for further deployments. Another run goes on where it stopped. */
export class OutOfTimeError extends Error {
  constructor() {
    super('there is no time for further deployments');
    this.name = 'OutOfTimeError';
  }
}

/** Result of serving subscriptions. */
export interface Served {
  readonly count: number;
  /** Number of accounts that hold a trade or an order. */
  readonly active: number;
  /** Conflicts and outages, which a repeat mends. They do not block other deployments. */
  readonly failures: readonly unknown[];
  /** True if an account could not be served that still may be: it needs the bars since the saved state. */
  readonly isBehind: boolean;
}

interface Pages {
  readonly kind: Sub['kind'];
  /** Start of the last bar. */
  readonly end: number;
  /** Returns whether the account is active afterwards. */
  readonly attend: (sub: Sub) => Promise<boolean>;
  /** Runs before the first one. */
  readonly before?: (() => Promise<void>) | undefined;
  /** Deployments to leave out; those that are served are added. */
  readonly seen?: Set<number> | undefined;
}

/** Reports subscriptions that cannot be read. Returns whether a newer version can read one: it serves it later. */
const reportUnreadable = ({ log, metrics }: EngineRuntime, failures: SubsPage['failures']): boolean => {
  for (const { sk, error } of failures) {
    const isNewer = error instanceof NewerRecordError;
    log.error('a subscription cannot be read', { subscription: sk, is_newer: isNewer });
    metrics.count('SubscriptionsUnreadable', ENGINE);
  }
  return failures.some(({ error }) => error instanceof NewerRecordError);
};

/**
 * Serves all subscriptions of a kind, page by page. One that cannot be served or read does not block the others.
 *
 * @throws OutOfTimeError
 */
export const servePages = async (
  engine: EngineRuntime,
  { program_id }: EngineProgram,
  { kind, end, attend, before, seen = new Set() }: Pages,
): Promise<Served> => {
  const failures: unknown[] = [];
  let isBehind = false;
  let count = 0;
  let active = 0;
  let after: string | undefined;
  for (;;) {
    const page = await findSubs(engine.store, program_id, kind, { limit: PAGE, after });
    const subs = page.subs.filter(({ deployment_id }) => !seen.has(deployment_id));
    for (const { deployment_id } of subs) seen.add(deployment_id);
    if (count === 0 && subs.length > 0) await before?.();
    const attendOne = async (sub: Sub): Promise<void> => {
      try {
        if (await attend(sub)) active += 1;
      } catch (error) {
        if (isPassing(error)) throw error;
        if (await noteFailure(engine, sub, end, error)) isBehind = true;
        // The next bar settles it again.
        else active += 1;
        return;
      }
      if (sub.failing) await clearFailure(engine, sub);
    };
    const { done, failures: failed } = await attendAll(subs, attendOne, engine.hasTime);
    if (reportUnreadable(engine, page.failures)) isBehind = true;
    failures.push(...failed.map(({ error }) => error));
    count += subs.length;
    if (done < subs.length) throw new OutOfTimeError();
    after = page.last;
    if (after === undefined) return { count, active, failures, isBehind };
  }
};

const isAccount = (sub: Sub): sub is AccountSub => sub.kind !== 'N';

/** Serves the paper accounts of a program that are flat, or those that are active. */
export const serveAccounts = (
  engine: EngineRuntime,
  program: EngineProgram,
  span: Span,
  kind: AccountSub['kind'],
  { save, ...pages }: { readonly save?: boolean } & Pick<Pages, 'before' | 'seen'> = {},
): Promise<Served> =>
  servePages(engine, program, {
    ...pages,
    kind,
    end: span.end,
    attend: async (sub) => isAccount(sub) && (await serveAccount(engine, span, sub, { save })).isActive,
  });
