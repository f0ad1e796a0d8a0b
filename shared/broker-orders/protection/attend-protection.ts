import { type Protection, saveProtection } from '../../data/execution/protections.ts';
import { decimal, toText, zero } from '../../domain/money.ts';
import { PROTECTIVE_LEVELS } from '../../domain/orders/protective-ids.ts';
import { type Access, BROKER_DOUBTS, type ExecutionRuntime } from '../execution-runtime.ts';
import { leaseUntil } from '../lease.ts';
import { isToLift, isTrading, nextStep, type Step, unprotectedOf, withJoining } from './exit-plan.ts';
import { filledByExits, isEnd, isLifted, isOver, isReported, remainingOf, withoutOld } from './figures.ts';
import { doStep } from './keep-exits.ts';
import { CLOSE_REFUSED, cancelEntry, notifyUnprotected, REFUSED } from './refused-exit.ts';
import { sendReports, withReports } from './reports.ts';
import { type Listed, seeExits } from './see-exits.ts';

/** Pauses between looks at exits that are not as wanted yet. */
const LOOKS_MS = [100, 250, 500, 1000];
/** Steps of one look. */
const MAX_STEPS = 12;
const SECOND_MS = 1000;
const SOON_MS = 5 * SECOND_MS;
const MINUTE_MS = 60 * SECOND_MS;
/** Longest time without a stop that is not reported, in milliseconds. */
const GAP_MS = 10 * SECOND_MS;

/** Time without a stop after which its owner is notified, in milliseconds. */
const LASTING_MS = 2 * MINUTE_MS;

const GAP = 'gap';
const LASTING = 'lasting';
const OF_GAPS: ReadonlySet<string> = new Set([GAP, LASTING, REFUSED, CLOSE_REFUSED]);

/** Begins the next round of a trade whose protective orders have ended in the books, if its entry has filled further. */
const withRound = (protection: Protection): Protection => {
  const hasEnded = PROTECTIVE_LEVELS.some((level) => isEnd(protection.reports[level]));
  if (!hasEnded || remainingOf(protection).eq(0)) return protection;
  if (!isLifted(protection) || !isReported(protection)) return protection;
  const { taken = '0', exited_before: before } = protection;
  const filled = filledByExits(protection);
  const booked = PROTECTIVE_LEVELS.reduce(
    (sum, level) => sum.plus(protection.reports[level]?.filled_quantity ?? '0'),
    zero(),
  );
  // Fees that the broker took were booked with the last fill, and must not be again.
  const fees = booked.gt(filled) ? booked.minus(filled) : zero();
  return {
    ...protection,
    round: protection.round + 1,
    exited_before: toText(filled.plus(fees).plus(before)),
    taken: fees.gt(0) ? toText(decimal(taken).minus(fees)) : protection.taken,
    exits: [],
    sums: {},
    reports: {},
    is_closing: undefined,
  };
};

const stateOf = (protection: Protection, step: Step): Protection['state'] => {
  if (isOver(protection)) return isReported(protection) ? 'ended' : 'changing';
  if (protection.lifted_for.length > 0) return 'lifted';
  if (remainingOf(protection).eq(0)) return isLifted(protection) ? 'waiting' : 'changing';
  if (protection.cap === '0') return 'missing';
  if (protection.is_closing) return 'closing';
  if (protection.refused_at !== undefined) return 'refused';
  return step.do === 'wait' && unprotectedOf(protection).eq(0) ? 'standing' : 'changing';
};

/** Returns whether the exits are as they can be now, so that no further look is due within seconds. */
const isSettled = (protection: Protection, step: Step): boolean => {
  if (step.do !== 'wait') return false;
  if (isToLift(protection)) return isLifted(protection);
  return protection.state === 'standing' || protection.state === 'refused' || protection.state === 'waiting';
};

/** Notes since when a position has no stop. Reports it once to the operator, and to its owner if it lasts. */
const withGap = async (work: ExecutionRuntime, protection: Protection): Promise<Protection> => {
  const now = work.clock().getTime();
  if (unprotectedOf(protection).eq(0) || protection.lifted_for.length > 0) {
    const reported = protection.reported.filter((name) => !OF_GAPS.has(name));
    return { ...protection, gap_since: undefined, reported };
  }
  const gap_since = protection.gap_since ?? now;
  const reported = new Set(protection.reported);
  const isTold = reported.has(REFUSED) || reported.has(CLOSE_REFUSED);
  if (isTrading(protection, now)) {
    if (now >= gap_since + GAP_MS && !reported.has(GAP) && !isTold) {
      work.log.error(BROKER_DOUBTS.unprotected, { deployment_id: protection.deployment_id });
      reported.add(GAP);
    }
    if (now >= gap_since + LASTING_MS && !reported.has(LASTING) && !isTold) {
      const { reason = 'The stop does not rest there.' } = protection;
      await notifyUnprotected(work, protection, `${reason} The stop is tried every minute.`);
      reported.add(LASTING);
    }
  }
  return { ...protection, gap_since, reported: [...reported] };
};

const dueAfter = (work: ExecutionRuntime, protection: Protection, step: Step): number | undefined => {
  const now = work.clock().getTime();
  if (protection.state === 'ended') return undefined;
  if (!isReported(protection)) return now + SOON_MS;
  const until = step.do === 'wait' ? step.until : undefined;
  const usual = isSettled(protection, step) || until !== undefined ? MINUTE_MS : SOON_MS;
  return until === undefined ? now + usual : Math.min(Math.max(until, now + SECOND_MS), now + usual);
};

/** Stores the reports that follow from the exits, then sends them: a run that dies in between leaves them due. */
const report = async (work: ExecutionRuntime, protection: Protection): Promise<Protection> => {
  const next = withReports(protection, work.clock().getTime());
  if (isReported(next)) return next;
  const saved = await saveProtection(work.store, { ...next, due_at: leaseUntil(work) }, work.clock());
  return sendReports(work, saved);
};

/** Looks at the exits of a trade once, and does what they lack, until the broker's word has to be awaited. */
const look = async (
  work: ExecutionRuntime,
  before: Protection,
  access: Access,
  listed: Listed | undefined,
): Promise<{ readonly protection: Protection; readonly step: Step }> => {
  let protection = before;
  let known = listed;
  for (let count = 1; ; count += 1) {
    protection = withJoining(withRound(withoutOld(await seeExits(work, protection, access, known))));
    const step = nextStep(protection, work.clock().getTime());
    if (step.do === 'wait' || count === MAX_STEPS) return { protection, step };
    const seen = protection;
    protection = await doStep(work, protection, step, access);
    known = undefined;
    // Waits for the account, or for the broker's word on a cancel.
    const isHeld = protection.is_short_of === true || protection.exits === seen.exits;
    if (isHeld) return { protection, step: nextStep(protection, work.clock().getTime()) };
  }
};

/**
 * Brings the exits of a trade to what they should be: sees what became of them, places what lacks, moves or cancels the
 * others, and reports what was filled. Looks again for about two seconds while the broker's word is awaited.
 *
 * @param taken a protection that this run has stored last.
 * @throws OrderTakenError, AccessRefusedError, BrokerLaterError
 */
export const attendProtection = async (
  work: ExecutionRuntime,
  taken: Protection,
  access: Access,
  { listed, isBrief = false }: { readonly listed?: Listed | undefined; readonly isBrief?: boolean } = {},
): Promise<Protection> => {
  let { protection, step } = await look(work, taken, access, listed);
  for (const pause of isBrief ? [] : LOOKS_MS) {
    protection = { ...protection, state: stateOf(protection, step) };
    if (isSettled(protection, step) || !work.hasTime()) break;
    await work.sleep(pause);
    ({ protection, step } = await look(work, protection, access, undefined));
  }
  // Further fills of the entry would open the trade again.
  if (filledByExits(protection).gt(0) && !protection.is_entry_over) {
    await cancelEntry(work, protection, access);
  }
  protection = await report(work, protection);
  protection = { ...(await withGap(work, protection)), state: stateOf(protection, step) };
  return saveProtection(
    work.store,
    { ...protection, due_at: dueAfter(work, protection, step) },
    work.clock(),
  );
};

/** Takes a protection for this run alone. @throws OrderTakenError */
export const takeProtection = (work: ExecutionRuntime, protection: Protection): Promise<Protection> =>
  saveProtection(work.store, { ...protection, due_at: leaseUntil(work) }, work.clock());
