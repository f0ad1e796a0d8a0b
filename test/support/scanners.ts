import * as z from 'zod';
import type { ScanRuntime } from '../../functions/engine/scan/report-matches.ts';
import { runScanners } from '../../functions/engine/scan/run-scanners.ts';
import { ScannedMemory } from '../../functions/engine/scan/scanned-memory.ts';
import { feedOf, keepScanned, scannerWrites } from '../../shared/data/engine/scanners.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { type Bar, columnsOf } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import { resolveParams } from '../../shared/domain/engine/rules/params.ts';
import { rulesHash } from '../../shared/domain/engine/rules/rules-hash.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import { observeBars } from '../../shared/domain/engine/running/frames.ts';
import { type RunningProgram, startProgram } from '../../shared/domain/engine/running/running-program.ts';
import { keepMatches } from './functions/engine.ts';
import type { TestHub } from './hub.ts';
import { rulesWith } from './rules.ts';
import { build, person } from './strategies.ts';

const MINUTE = 60_000;

/** Rules that match at closes above 100. */
const ABOVE_100 = rulesWith({ left: { price: 'close' }, op: 'gt', right: 100 });

const resolved = (rules: unknown) => {
  const result = resolveParams(rulesSchema.parse(rules), {});
  if ('rules' in result) return result.rules;
  throw new Error('the rules do not fit their defaults');
};

/** Returns the start of a minute, counted from a fixed one. */
export const minute = (index: number): number => Date.UTC(2026, 2, 2, 9, 0) + index * MINUTE;

/** A feed of one-minute bars, whose programs and scanners run in this process. */
export class ScannedFeed {
  readonly #hub: TestHub;
  readonly #source: string;
  readonly #programs = new Map<string, RunningProgram>();
  readonly #scan: ScanRuntime;

  constructor(hub: TestHub, source: string) {
    this.#hub = hub;
    this.#source = source;
    this.#scan = { ...hub.runtime, memory: { scanned: new ScannedMemory() }, hasTime: () => true };
  }

  /** Deploys a scanner of rules over symbols, as the engine starts it after minute 0. */
  async scanner(symbols: readonly string[], rules: unknown = ABOVE_100) {
    const { user_id } = await person(this.#hub);
    const { body: strategy } = await build(this.#hub, { user_id, timeframe: '1m' });
    const { body } = await this.#hub.call('POST /deploy_scanner', {
      query: { keygen: strategy.keygen, universe_id: 'forex-majors' },
    });
    const id: number = body.deployment_id;
    const { store } = this.#hub.runtime;
    await store.update(
      keys.deployment(id),
      { update: 'SET engine = :hub', values: { ':hub': 'hub' } },
      z.object({}),
    );
    const at = minute(0);
    const instruments = symbols.map((symbol) => ({
      symbol,
      program_id: symbol,
      source: '1m' as const,
      feed: this.#source,
      calendar: 'always',
      from: at,
      at,
    }));
    await keepScanned(store, id, { instruments, skipped: 0 });
    const group = { timeframe: '1m' as const, feed: feedOf('1m', this.#source) };
    await store.transact(
      scannerWrites({ deployment_id: id, rules_hash: rulesHash(resolved(rules)) }, group, at),
    );
    return { user_id, id };
  }

  /** Closes the bar of a minute: advances the program of each symbol, which keeps its matches. */
  async close(index: number, closes: Readonly<Record<string, number>>, rules: unknown = ABOVE_100) {
    const own = resolved(rules);
    const hash = rulesHash(own);
    for (const [symbol, close] of Object.entries(closes)) {
      const key = `${hash}#${symbol}`;
      const running =
        this.#programs.get(key) ?? startProgram(own, '1m', marketTimeOf(calendarById('always')));
      const known = this.#programs.has(key);
      this.#programs.set(key, running);
      const bar: Bar = { start: minute(index), open: close, high: close, low: close, close, volume: 1 };
      // The first bar of a program is not evaluated.
      const bars = columnsOf(known ? [bar] : [{ ...bar, start: bar.start - MINUTE }, bar]);
      await keepMatches(
        this.#scan,
        { symbol, timeframe: '1m', rules_hash: hash },
        { timeframe: '1m', calendar: 'always', source: this.#source },
        { running, frames: [observeBars(running, bars)], after: bar.start - 1 },
      );
    }
  }

  /** Takes the watermark after a minute. */
  complete(index: number, symbols?: readonly string[], runtime: Partial<ScanRuntime> = {}) {
    const through = minute(index + 1);
    return runScanners(
      { ...this.#scan, ...runtime },
      { source: this.#source, timeframe: '1m', through, symbols },
      Number.NEGATIVE_INFINITY,
    );
  }
}

/** Reads the notifications of matches, oldest first: the symbols of each, with the time of their bar. */
export const matchesOfUser = async (hub: TestHub, user_id: string) => {
  const { body } = await hub.call('GET /get_deployment_notifications', { query: { user_id, size: '100' } });
  return body.items
    .filter(({ kind }: { kind: string }) => kind === 'scanner_match')
    .toReversed()
    .map(({ created_at, data }: { created_at: string; data: { matches: { symbol: string }[] } }) => ({
      at: Date.parse(created_at),
      symbols: data.matches.map(({ symbol }) => symbol),
    }));
};
