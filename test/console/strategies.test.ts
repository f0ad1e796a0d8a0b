import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { formatsFor } from '../../functions/console/app/format.ts';
import {
  addressOf,
  inCategory,
  termOf,
  viewOf,
  WHOLE_CATALOGUE,
} from '../../functions/console/app/screens/explore/view.ts';
import { ownAddressOf, ownViewOf } from '../../functions/console/app/screens/strategies/view.ts';
import { recordCosts } from '../../functions/console/app/screens/strategy/record/record-costs.ts';
import { type Like, type Likeable, likeStore } from '../../functions/console/app/strategies/like-store.ts';
import { recordEffect, rulesEffect } from '../../functions/console/app/strategies/record-effects.ts';
import {
  originTexts,
  recordStates,
  recordText,
  stateText,
} from '../../functions/console/app/strategies/record-texts.ts';
import { sentenceDiff } from '../../functions/console/app/strategies/sentence-diff.ts';
import { barsText, symbolsText, visibilityOf } from '../../functions/console/app/strategies/texts.ts';

describe('the difference of two sentences', () => {
  test('marks the words that changed', () => {
    expect(
      sentenceDiff(
        'Buys when SMA(10) crosses above SMA(30).',
        'Buys when SMA(20) crosses above SMA(30), at once.',
      ),
    ).toEqual([
      { kind: 'same', text: 'Buys when' },
      { kind: 'removed', text: 'SMA(10)' },
      { kind: 'added', text: 'SMA(20)' },
      { kind: 'same', text: 'crosses above' },
      { kind: 'removed', text: 'SMA(30).' },
      { kind: 'added', text: 'SMA(30), at once.' },
    ]);
  });

  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  test('has every word of both, in order', () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const parts = sentenceDiff(before.join(' '), after.join(' '));
        const side = (other: string) =>
          parts.filter(({ kind }) => kind !== other).flatMap(({ text }) => text.split(' '));
        expect(side('added')).toEqual(before);
        expect(side('removed')).toEqual(after);
        if (before.join() === after.join()) expect(parts.every(({ kind }) => kind === 'same')).toBe(true);
      }),
    );
  });

  test('shows very long sentences as a whole', () => {
    const long = 'word '.repeat(1_001).trim();
    expect(sentenceDiff(long, 'short')).toEqual([
      { kind: 'removed', text: long },
      { kind: 'added', text: 'short' },
    ]);
  });
});

describe('likes', () => {
  const strategy: Likeable = { strategy_id: 7, is_liked: false, like_count: 3 };

  const storeWith = (send: (id: number, isLiked: boolean) => Promise<Likeable>) => {
    let state: ReadonlyMap<number, Like> = new Map();
    return likeStore(
      {
        read: () => state,
        write: (next) => {
          state = next;
        },
      },
      send,
    );
  };

  test('are forgotten for the next user, also one that is still being sent', async () => {
    const { promise, resolve } = Promise.withResolvers<Likeable>();
    const store = storeWith(() => promise);
    const liking = store.toggle(strategy);
    store.forget();
    expect(store.likeOf(strategy)).toEqual({ isLiked: false, count: 3 });
    resolve({ ...strategy, is_liked: true, like_count: 9 });
    await liking;
    expect(store.likeOf(strategy)).toEqual({ isLiked: false, count: 3 });
  });

  test('show at once, then as the service counted', async () => {
    const { promise, resolve } = Promise.withResolvers<Likeable>();
    const sent: [number, boolean][] = [];
    const store = storeWith((...like) => {
      sent.push(like);
      return promise;
    });
    const liking = store.toggle(strategy);
    expect(store.likeOf(strategy)).toEqual({ isLiked: true, count: 4 });
    await store.toggle(strategy);
    expect(sent).toEqual([[7, true]]);
    resolve({ ...strategy, is_liked: true, like_count: 9 });
    await liking;
    expect(store.likeOf(strategy)).toEqual({ isLiked: true, count: 9 });
  });

  test('are taken back when the service refuses them', async () => {
    const store = storeWith(() => Promise.reject(new Error('refused')));
    await expect(store.toggle({ ...strategy, is_liked: true })).rejects.toThrow('refused');
    expect(store.likeOf({ ...strategy, is_liked: true })).toEqual({ isLiked: true, count: 3 });
  });

  test('show newer answers of lists, but not while a like is sent', async () => {
    const { promise, resolve } = Promise.withResolvers<Likeable>();
    const store = storeWith(() => promise);
    const liking = store.toggle(strategy);
    store.refreshed([strategy]);
    expect(store.likeOf(strategy).isLiked).toBe(true);
    resolve({ ...strategy, is_liked: true, like_count: 4 });
    await liking;
    const newer = { ...strategy, is_liked: true, like_count: 20 };
    store.refreshed([newer]);
    expect(store.likeOf(newer)).toEqual({ isLiked: true, count: 20 });
  });
});

describe('the address of Explore', () => {
  test('has what is searched, and nothing for the whole catalogue', () => {
    expect(addressOf(WHOLE_CATALOGUE)).toBe('/explore');
    const view = {
      words: 'golden & cross',
      category: 'swing',
      isLiked: true,
      sort: 'sharpe',
      isProven: true,
      isLow: true,
      page: 3,
    } as const;
    const address = addressOf(view);
    expect(viewOf(new URLSearchParams(address.split('?')[1]))).toEqual(view);
    expect(termOf(view)).toBe('golden & cross swing');
  });

  test.each([
    'page=0',
    'page=x',
    'page=1e99',
    'category=%3Cb%3E',
    'category=all',
    'liked=yes',
    'sort=likes',
    'days=30',
    'drawdown=50',
  ])('ignores %s', (query) => {
    expect(viewOf(new URLSearchParams(query))).toEqual(WHOLE_CATALOGUE);
  });

  test('finds no strategy in a category that only its name has', () => {
    const [named, listed] = [{ categories: ['forex', 'swing'] }, { categories: ['crypto', 'intraday'] }];
    expect(inCategory([named, listed], 'crypto')).toEqual([listed]);
    expect(inCategory([named, listed], '')).toEqual([named, listed]);
  });
});

describe('the address of own strategies', () => {
  test('has the choice, and nothing for the usual one', () => {
    const usual = { isCopied: false, isArchived: false, words: '', page: 1 };
    expect(ownAddressOf(usual)).toBe('/strategies');
    const view = { isCopied: true, isArchived: true, words: 'gold', page: 2 };
    expect(ownViewOf(new URLSearchParams(ownAddressOf(view).split('?')[1]))).toEqual(view);
    expect(ownViewOf(new URLSearchParams('page=-3&copied=yes'))).toEqual(usual);
  });
});

describe('a track record', () => {
  const record = {
    since: '2026-03-03T12:00:00.000Z',
    as_of: '2026-07-01T12:00:00.000Z',
    status: 'running',
    sample_sufficient: true,
    unranked: null,
    author_records: null,
  };

  test('says its length', () => {
    expect(recordText(record)).toMatch(/^record of 120 days, from bars after .*2026$/);
    expect(recordText({ ...record, as_of: '2026-03-05T01:00:00.000Z' })).toContain('record of 1 day,');
    expect(recordText({ ...record, as_of: null })).toMatch(/^from bars after/);
  });

  test('says among how many records of its author it is', () => {
    expect(recordText({ ...record, author_records: 1200 })).toMatch(/2026, 1 of 1,200 of its author$/);
    expect(recordText({ ...record, author_records: 1 })).toMatch(/2026, the only one of its author$/);
  });

  test('says why it is not ranked', () => {
    expect(stateText(record)).toBeUndefined();
    expect(stateText({ ...record, sample_sufficient: false })).toContain('Below 90 days');
    expect(stateText({ ...record, status: 'stale' })).toContain('no new bars');
    expect(stateText({ ...record, unranked: 'order_size' })).toContain('large for its market');
    expect(stateText({ ...record, unranked: 'of_a_newer_version' })).toBe('It is not ranked.');
  });
});

describe('a track record as evidence', () => {
  const record = {
    started_at: '2026-03-03T12:00:00.000Z',
    as_of: '2026-07-01T12:00:00.000Z',
    ended_at: null,
    hidden_at: null,
    status: 'running',
    sample_sufficient: true,
    unranked: null,
  } as const;

  test('says its origin', () => {
    const origin = {
      ...record,
      last_bar: '2026-06-30T04:00:00Z',
      timeframe: '1d',
      version: 2,
      terms: 't-1',
    } as const;
    expect(originTexts(origin).join(' ')).toMatch(
      /^Made by the hub from bars after .*2026; nobody can edit it\. 120 days, with bars up to .*2026\. Version 2 of the record, terms “t-1”\.$/,
    );
    expect(originTexts({ ...origin, as_of: null, last_bar: null }).join(' ')).toContain('No bar yet.');
  });

  test.each([
    [{}, []],
    [{ status: 'stale' }, ['no new bars']],
    [{ status: 'waiting', reason: 'currencies_differ' }, ['several currencies']],
    [
      { unranked: 'order_size', sample_sufficient: false },
      ['large for its market', 'Below 90 days it says little'],
    ],
    [
      { status: 'ended', ended_at: '2026-08-01T00:00:00Z', hidden_at: '2026-08-02T00:00:00Z' },
      ['It ended on'],
    ],
    [{ hidden_at: '2026-08-02T00:00:00Z' }, ['has not been public since']],
  ] as const)('says where it stands: %j', (change, said) => {
    const texts = recordStates({ ...record, ...change });
    expect(texts).toEqual(said.map((part) => expect.stringContaining(part)));
  });

  test('says the costs of each instrument, or of all', () => {
    const account = {
      starting_capital: 100_000,
      commission_rate: 0,
      commission_fixed: 0,
      commission_per_unit: 0,
      commission_min: 0,
      spread_rate: 0,
      slippage_rate: 0,
      margin: 1,
      maintenance: 0,
      financing: 'instrument',
      fill_at: 'next_open',
      stop_basis: 'fill',
      entry_bar: 'worst',
      close_at_end: 'mark',
    } as const;
    const leg = (symbol: string, commission_rate: number) => ({
      symbol,
      share: 1,
      source: 's',
      calendar: 'XNYS',
      size_step: 1,
      contract_size: 1,
      commission_rate,
      slippage_rate: 0.0002,
      limit_through: 0.01,
    });
    const costsOf = (...legs: ReturnType<typeof leg>[]) =>
      recordCosts({ account, currency: 'USD', legs }, formatsFor('en-US', 'UTC')).slice(1);
    expect(costsOf(leg('SPY', 0.0005), leg('QQQ', 0.0005))).toEqual([
      'With costs: commission 0.05%, slippage 0.02%, overnight charges of the instrument.',
    ]);
    expect(costsOf(leg('SPY', 0.0005), leg('BTCUSD', 0.001))).toEqual([
      'SPY: With costs: commission 0.05%, slippage 0.02%, overnight charges of the instrument.',
      'BTCUSD: With costs: commission 0.1%, slippage 0.02%, overnight charges of the instrument.',
    ]);
    expect(recordCosts({ account: null, currency: null, legs: [] })).toEqual([]);
  });

  test('is announced before it begins, is hidden or ends', () => {
    const begins = 'From now on the hub keeps a record of these rules; it cannot be paused or edited.';
    const change = { from: 'private', to: 'explore', hasRules: true } as const;
    expect(recordEffect(change)).toContain(begins);
    expect(recordEffect({ ...change, to: 'link' })).toBeUndefined();
    expect(recordEffect({ ...change, from: 'profile' })).toBeUndefined();
    expect(recordEffect({ ...change, hasRules: false })).toContain('not verified');
    expect(recordEffect({ ...change, from: 'profile', to: 'private' })).toContain('hidden from others');
    expect(rulesEffect('profile', true)).toContain('begins a new one; the old one stays visible');
    expect(rulesEffect('profile', false)).toContain(begins);
    expect(rulesEffect('link', true)).toBeUndefined();
  });
});

test('names bars and symbols', () => {
  expect(['1d', '15m', '4h', 'odd'].map(barsText)).toEqual([
    '1-day bars',
    '15-minute bars',
    '4-hour bars',
    'odd',
  ]);
  expect(symbolsText(['A', 'B', 'C', 'D'])).toBe('A, B, C, D');
  expect(symbolsText(['A', 'B', 'C', 'D', 'E'])).toBe('A, B, C and 2 more');
});

test('says who can see a strategy', () => {
  const seen = [0, 2, 1].map((publish_state) => visibilityOf({ publish_state, is_listed: false }));
  expect([...seen, visibilityOf({ publish_state: 1, is_listed: true })]).toEqual([
    'private',
    'link',
    'profile',
    'explore',
  ]);
});
