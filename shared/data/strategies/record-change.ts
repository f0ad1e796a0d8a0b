import { recordIdentity, sharesOf } from '../../domain/track-records/identity.ts';
import { integerId, textId } from '../../ids.ts';
import { RECORD_KIND, recordEventWrite } from '../backtests/record-events.ts';
import { keys } from '../table/keys.ts';
import type { Key, Write } from '../table/writes.ts';
import { figuresSource } from './figures-source.ts';
import { newReported, reportedPerformance } from './reported.ts';
import { NO_PERFORMANCE, type Strategy } from './strategies.ts';
import { performanceOf, type TrackRecord } from './track-records.ts';

/** Time and randomness of a change. */
export interface Making {
  readonly now: Date;
  readonly random: (bytes: number) => Buffer;
}

/** Fields of a strategy that name its track record, and the figures that it shows. */
export type RecordFields = Pick<
  Strategy,
  'record_id' | 'record_version' | 'record_identity' | 'reported' | 'performance'
>;

/** Change of the track record of a strategy. */
export interface RecordChange {
  /** Fields of the strategy to set; undefined if nothing changes. */
  readonly fields: RecordFields | undefined;
  readonly writes: readonly Write[];
}

const NOTHING: RecordChange = { fields: undefined, writes: [] };

const currentKey = ({ user_key, record_id }: Strategy): Key | undefined =>
  record_id === undefined ? undefined : keys.trackRecord(user_key, record_id);

/** Returns the key of the record that publishing a strategy may go on with, as a list. */
export const recordKeysOf = (strategy: Strategy): Key[] => {
  const key = currentKey(strategy);
  return key ? [key] : [];
};

const changeWrite = (
  key: Key,
  set: Partial<TrackRecord> & { due_kind?: string; due_at?: number },
): Write => ({
  key,
  set,
  if: { condition: 'attribute_exists(pk)' },
});

const newRecord = (strategy: Strategy, rulesHash: string, { now, random }: Making): TrackRecord => {
  const subject = { rules_hash: rulesHash, legs: strategy.legs, timeframe: strategy.timeframe };
  const shares = sharesOf(subject);
  return {
    record_id: integerId(now, random),
    author: strategy.user_key,
    user_id: strategy.user_id,
    strategy_id: strategy.strategy_id,
    version: (strategy.record_version ?? 0) + 1,
    identity: recordIdentity(subject),
    strategy_name: strategy.strategy_name,
    symbols: shares.map(({ symbol }) => symbol),
    timeframe: strategy.timeframe,
    shares: shares.map(({ share }) => share),
    rules_hash: rulesHash,
    salt: textId(random),
    started_at: now.toISOString(),
    status: 'queued',
    state: 'computing',
    attempts: 0,
    trades: 0,
    start: 0,
    state_parts: 0,
  };
};

/** Ends the current record, if there is one, and begins the next. */
const begin = (before: Strategy, record: TrackRecord, { now, random }: Making): RecordChange => {
  const former = currentKey(before);
  const { record_id, version, identity } = record;
  return {
    fields: {
      record_id,
      record_version: version,
      record_identity: identity,
      reported: before.reported,
      performance: performanceOf(record),
    },
    writes: [
      ...(former
        ? [
            changeWrite(former, {
              ended_at: now.toISOString(),
              was_open: before.rules_visibility === 'open',
              due_kind: RECORD_KIND,
              due_at: now.getTime(),
            }),
          ]
        : []),
      {
        put: {
          ...record,
          ...keys.trackRecord(record.author, record_id),
          entity: 'track_record',
          due_kind: RECORD_KIND,
          due_at: now.getTime(),
        },
        if: { condition: 'attribute_not_exists(pk)' },
      },
      recordEventWrite(record, textId(random), now),
    ],
  };
};

/** Returns the fields of a strategy that name its record and hold what was reported. */
const namesOf = ({ record_id, record_version, record_identity, reported }: Strategy) => ({
  record_id,
  record_version,
  record_identity,
  reported,
});

/**
 * Returns how publishing or withdrawing a strategy without rules changes its figures. Its sums go on from its first
 * publication, so that withdrawing it forgets no loss.
 */
const reportedChange = (before: Strategy, after: Strategy, { now }: Making): RecordChange => {
  const isReported = figuresSource(after) === 'reported';
  if (isReported === (figuresSource(before) === 'reported')) return NOTHING;
  const reported = isReported ? (before.reported ?? newReported(now)) : before.reported;
  const performance = isReported && reported ? reportedPerformance(reported) : NO_PERFORMANCE;
  return { fields: { ...namesOf(before), reported, performance }, writes: [] };
};

/**
 * Returns how the track record of a strategy changes with the strategy: publication begins one, or goes on with the one of
 * the same rules, symbols, shares and timeframe; withdrawing hides it; another identity ends it and begins the next.
 * Without rules, publication shows what is reported.
 *
 * @param record record that the strategy names, for a publication.
 */
export const recordChange = (
  before: Strategy,
  after: Strategy,
  making: Making,
  record?: TrackRecord,
): RecordChange => {
  const was = figuresSource(before) === 'record';
  const { rules_hash: rulesHash } = after;
  if (figuresSource(after) !== 'record' || rulesHash === undefined) {
    const key = was ? currentKey(before) : undefined;
    if (!key) return reportedChange(before, after, making);
    return {
      fields: { ...namesOf(before), performance: NO_PERFORMANCE },
      writes: [changeWrite(key, { hidden_at: making.now.toISOString() })],
    };
  }
  const next = newRecord(after, rulesHash, making);
  const isSame = before.record_identity === next.identity;
  if (was && isSame) return NOTHING;
  if (!isSame || !record || record.ended_at !== undefined) return begin(before, next, making);
  return {
    fields: { ...namesOf(before), performance: performanceOf(record) },
    writes: [changeWrite(keys.trackRecord(record.author, record.record_id), { hidden_at: undefined })],
  };
};
