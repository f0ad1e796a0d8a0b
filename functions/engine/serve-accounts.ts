import type { EngineProgram } from '../../shared/data/engine/programs.ts';
import { type AccountSub, findSubs, type Sub } from '../../shared/data/engine/subscriptions.ts';
import { attendAll } from '../jobs/attend-all.ts';
import type { Span } from './advance-account.ts';
import type { EngineRuntime } from './engine-runtime.ts';
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
  /** Failures that a repeat may mend. They do not block other deployments. */
  readonly failures: readonly unknown[];
}

/**
 * Serves all subscriptions of a kind, page by page.
 *
 * @param attend returns whether the account is active afterwards.
 * @param before runs before the first one.
 * @throws OutOfTimeError
 */
export const servePages = async (
  engine: EngineRuntime,
  { program_id }: EngineProgram,
  kind: Sub['kind'],
  attend: (sub: Sub) => Promise<boolean>,
  before: () => Promise<void> = async () => undefined,
): Promise<Served> => {
  const failures: unknown[] = [];
  let count = 0;
  let active = 0;
  let after: string | undefined;
  for (;;) {
    const page = await findSubs(engine.store, program_id, kind, { limit: PAGE, after });
    const { subs } = page;
    if (count === 0 && subs.length > 0) await before();
    const attendOne = async (sub: Sub): Promise<void> => {
      if (await attend(sub)) active += 1;
    };
    const { done, failures: failed } = await attendAll(subs, attendOne, engine.hasTime);
    failures.push(...page.failures, ...failed.map(({ error }) => error));
    count += subs.length;
    if (done < subs.length) throw new OutOfTimeError();
    after = page.last;
    if (after === undefined) return { count, active, failures };
  }
};

const isAccount = (sub: Sub): sub is AccountSub => sub.kind !== 'N';

/** Serves the paper accounts of a program that are flat, or those that are active. */
export const serveAccounts = (
  engine: EngineRuntime,
  program: EngineProgram,
  span: Span,
  kind: AccountSub['kind'],
  options: { readonly save?: boolean; readonly before?: () => Promise<void> } = {},
): Promise<Served> =>
  servePages(
    engine,
    program,
    kind,
    async (sub) => isAccount(sub) && (await serveAccount(engine, span, sub, { save: options.save })),
    options.before,
  );
