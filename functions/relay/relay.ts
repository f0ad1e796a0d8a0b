import { setTimeout as wait } from 'node:timers/promises';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { MAX_ENTRIES, sendToQueue } from '../../shared/channels/queues.ts';
import { RELAYED_LANES, type RelayedLane, runsInTurn } from '../../shared/data/outbox/lanes.ts';
import type { CommonRuntime } from '../../shared/runtime.ts';
import { Outages } from './outages.ts';
import { type Pointer, pointerOf } from './pointer.ts';

/** Log line of messages that the sweeping jobs must find. An alarm counts it. */
export const LEFT_TO_SWEEP = 'messages are left to the sweep';

/** Longest wait of the other lanes for the most urgent one. */
const HEAD_START_MS = 100;

/** A message that was not handed over. */
interface Failure {
  readonly pointer: Pointer;
  readonly reason: string;
  /** True if another try is useless. */
  readonly final: boolean;
}

type Relay = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

const failAll = (pointers: readonly Pointer[], reason: string): Failure[] =>
  pointers.map((pointer) => ({ pointer, reason, final: false }));

interface Sending {
  readonly isRepeat: boolean;
}

/** Sends at most ten messages, and those that the queue did not accept once more. */
const send = async (url: string, pointers: readonly Pointer[], { isRepeat }: Sending): Promise<Failure[]> => {
  const byId = new Map(pointers.map((pointer) => [pointer.message.delivery_id, pointer]));
  const entries = [...byId].map(([id, { message, group }]) => ({ id, body: JSON.stringify(message), group }));
  const refused = (await sendToQueue(url, entries)).flatMap(({ id, code: reason, final }): Failure[] => {
    const pointer = byId.get(id);
    return pointer ? [{ pointer, reason, final }] : [];
  });
  const again = refused.flatMap(({ pointer, final }) => (final ? [] : [pointer]));
  if (isRepeat || again.length === 0) return refused;
  return [...refused.filter(({ final }) => final), ...(await attempt(url, again, { isRepeat: true }))];
};

const attempt = async (
  url: string,
  pointers: readonly Pointer[],
  sending: Sending = { isRepeat: false },
): Promise<Failure[]> => {
  try {
    return await send(url, pointers, sending);
  } catch (error) {
    return failAll(pointers, error instanceof Error ? error.name : typeof error);
  }
};

/** Sends the messages of a lane. One whose queue keeps groups in order gets one call after another. */
const sendAll = async (lane: RelayedLane, url: string, pointers: readonly Pointer[]): Promise<Failure[]> => {
  const calls = Array.from({ length: Math.ceil(pointers.length / MAX_ENTRIES) }, (_, call) =>
    pointers.slice(call * MAX_ENTRIES, (call + 1) * MAX_ENTRIES),
  );
  if (!runsInTurn(lane)) return (await Promise.all(calls.map((call) => attempt(url, call)))).flat();
  for (const [index, call] of calls.entries()) {
    const failures = await attempt(url, call);
    // The others follow later, so that no message overtakes one of its group.
    const [first] = failures;
    if (first) return [...failures, ...failAll(calls.slice(index + 1).flat(), first.reason)];
  }
  return [];
};

/** Waits until the most urgent lane is done, or has had its head start. */
const headStart = async (urgent: Promise<unknown>): Promise<void> => {
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([urgent, wait(HEAD_START_MS, undefined, { signal }).catch(() => undefined)]);
  done.abort();
};

/**
 * Creates the relay of a container. It hands each new message of a stream batch to the queue of its lane, the most
 * urgent lane first and the others at once. Messages that a queue does not take are reported, so that the stream repeats
 * them, for ten seconds. Older ones are left to the sweeping jobs, and so are all messages of a lane that takes nothing for
 * ten seconds, so that a lane that fails does not hold up the others.
 */
export const createRelay = (runtime: CommonRuntime): Relay => {
  const { clock, log, metrics } = runtime;
  const outages = new Outages();

  const handOver = async (lane: RelayedLane, pointers: readonly Pointer[]): Promise<Failure[]> => {
    if (pointers.length === 0) return [];
    const url = runtime.capability('queues').HUB_QUEUES[lane];
    if (url === undefined) return failAll(pointers, 'no queue');
    const now = clock().getTime();
    const left = pointers.filter(({ writtenAt }) => outages.isLeft(lane, writtenAt, now));
    const sent = pointers.filter((pointer) => !left.includes(pointer));
    const failures = await sendAll(lane, url, sent);
    const failed = failures.filter(({ final }) => !final).length;
    outages.note(lane, { sent: sent.length, failed, now: clock().getTime() });
    return [...failures, ...failAll(left, 'the lane rests')];
  };

  /** Returns the sequence numbers of the messages that the stream repeats. */
  const judge = (lane: RelayedLane, failures: readonly Failure[]): string[] => {
    const now = clock().getTime();
    const isRepeated = ({ pointer, final }: Failure) =>
      !final && outages.mayRepeat(lane, pointer.writtenAt, now);
    const { repeated = [], left = [] } = Object.groupBy(failures, (failure) =>
      isRepeated(failure) ? 'repeated' : 'left',
    );
    const reasons = (some: readonly Failure[]) => [...new Set(some.map(({ reason }) => reason))];
    if (repeated.length > 0) {
      log.warn('messages are handed over again', {
        lane,
        messages: repeated.length,
        reasons: reasons(repeated),
      });
    }
    if (left.length > 0) {
      log.error(LEFT_TO_SWEEP, { lane, messages: left.length, reasons: reasons(left) });
      metrics.count('LeftToSweep', { operation: lane });
    }
    return repeated.map(({ pointer }) => pointer.sequence);
  };

  return async ({ Records }) => {
    const pointers = Records.flatMap((record) => {
      const pointer = pointerOf(record);
      if (!pointer) {
        log.error('a record of the stream is no message', { sequence: record.dynamodb?.SequenceNumber });
      }
      return pointer ? [pointer] : [];
    });
    const byLane = Map.groupBy(pointers, ({ lane }) => lane);
    const relayLane = async (lane: RelayedLane) => judge(lane, await handOver(lane, byLane.get(lane) ?? []));
    const [first, ...others] = RELAYED_LANES;
    const urgent = relayLane(first);
    if (byLane.has(first)) await headStart(urgent);
    const repeated = await Promise.all([urgent, ...others.map(relayLane)]);
    return { batchItemFailures: repeated.flat().map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
