import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import {
  isWithinBudget,
  settleShared,
  takeShared,
  type WorkBudgets,
  type WorkRequest,
} from '../../../shared/data/backtests/work-budget.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { adjust, spend } from '../../../shared/data/table/budgets.ts';

/** Refuses work that the budgets of the day do not cover: of the user, of an API key, or of users that share one. */
export const spentWork = (now: Date, { own: { endsAt } }: WorkBudgets): HubError =>
  new HubError(
    'work_exhausted',
    'The backtests of today have used up the budget. It is renewed at midnight UTC.',
    { retryAfterS: (endsAt - now.getTime()) / 1000 },
  );

const beyondPlan = (): HubError =>
  new HubError(
    'quota_reached',
    'This takes more work than your account has in a day. Choose a shorter range, larger bars or fewer symbols.',
  );

/** Budgets of a caller, and the stored one of its own. */
export interface KnownBudgets {
  readonly budgets: WorkBudgets;
  readonly workItem: Item | undefined;
}

/** Result of work, and the work that really ran. */
interface Ran<T> {
  readonly value: T;
  readonly ran: number;
}

/**
 * Takes work from the budgets that users share, and runs what takes it from the user's own. Settles what really ran: all is
 * returned if that fails, so that nobody uses up the work of others with requests that are refused.
 *
 * @throws HubError work_exhausted, quota_reached
 */
export const withWork = async <T>(
  { store, now }: Pick<Call, 'store' | 'now'>,
  { budgets, workItem }: KnownBudgets,
  work: number,
  run: (request: WorkRequest) => Promise<Ran<T>>,
): Promise<T> => {
  const request = { ...budgets, work };
  if (work > budgets.own.max) throw beyondPlan();
  if (!isWithinBudget(workItem, request) || !(await takeShared(store, request)))
    throw spentWork(now, budgets);
  let ran = 0;
  try {
    const result = await run(request);
    ran = result.ran;
    return result.value;
  } finally {
    await settleShared(store, request, ran);
  }
};

/**
 * Runs a computation whose result is not stored, and charges it like a backtest: its estimate first, then what really ran.
 * One that fails is charged, too.
 *
 * @throws HubError work_exhausted, quota_reached
 */
export const withCharge = async <T>(
  call: Pick<Call, 'store' | 'now'>,
  known: KnownBudgets,
  work: number,
  run: () => Promise<Ran<T>>,
): Promise<T> => {
  const { store, now } = call;
  const { own } = known.budgets;
  const outcome = await withWork<PromiseSettledResult<Ran<T>>>(call, known, work, async () => {
    if (!(await spend(store, own, work))) throw spentWork(now, known.budgets);
    const [done] = await Promise.allSettled([run()]);
    if (done.status === 'rejected') return { value: done, ran: work };
    const { ran } = done.value;
    if (ran !== work) await adjust(store, own.key, ran - work);
    return { value: done, ran };
  });
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value.value;
};
