import * as z from 'zod';
import { attendAll } from '../../../shared/attend-all.ts';
import type { Match } from '../../../shared/data/engine/matches.ts';
import { removeScanner, type Scanner, type ScannerGroup } from '../../../shared/data/engine/scanners.ts';
import { NewerRecordError } from '../../../shared/data/table/newer-record.ts';
import { takeMatches } from '../../../shared/lifecycle/reports/take-matches.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { isPermanent } from '../fail-deployment.ts';
import type { InstrumentsBySymbol, ScannedMemory } from './scanned-memory.ts';

/** Dependencies of runs of scanners. */
export interface ScanRuntime extends Runtime {
  readonly memory: { readonly scanned: ScannedMemory };
  /** Tells whether there is time for another step of a few seconds. */
  readonly hasTime: () => boolean;
}

/** Groups the matches of a scanner by their bar, oldest first. */
const barsOf = (matches: readonly Match[], instruments: InstrumentsBySymbol): Map<number, Match[]> => {
  const bars = new Map<number, Match[]>();
  for (const match of matches) {
    const instrument = instruments.get(match.symbol);
    if (!instrument || match.start <= instrument.at) continue;
    const bar = bars.get(match.start) ?? [];
    bar.push(match);
    bars.set(match.start, bar);
  }
  return new Map([...bars].toSorted(([left], [right]) => left - right));
};

/** Reports the matches of one scanner, bar by bar. Removes a scanner that has ended. */
const reportTo = async (
  runtime: ScanRuntime,
  group: ScannerGroup,
  { deployment_id }: Scanner,
  bars: ReadonlyMap<number, readonly Match[]>,
): Promise<void> => {
  for (const [start, matches] of bars) {
    try {
      if (await takeMatches(runtime, { deployment_id, start, matches })) continue;
      await removeScanner(runtime.store, group, deployment_id);
    } catch (error) {
      if (!(isPermanent(error) || error instanceof NewerRecordError)) throw error;
      // Messages of Zod hold values.
      const reason = error instanceof z.ZodError ? 'the deployment cannot be read' : error.message;
      runtime.log.warn('a scanner is skipped', { deployment_id, reason });
      runtime.metrics.count('ScannersSkipped', { operation: 'engine' });
    }
    return;
  }
};

/**
 * Reports matches to scanners of the same rules, to each those of its universe. A scanner that fails does not block the
 * others.
 *
 * @throws AggregateError if scanners failed or time ran out. A repeat reports nothing twice.
 */
export const reportMatches = async (
  runtime: ScanRuntime,
  group: ScannerGroup,
  scanners: readonly Scanner[],
  matches: readonly Match[],
): Promise<void> => {
  if (matches.length === 0) return;
  const instruments = await runtime.memory.scanned.find(
    runtime.store,
    scanners.map(({ deployment_id }) => deployment_id),
  );
  const work = scanners.map((scanner, index) => ({
    scanner,
    bars: barsOf(matches, instruments[index] ?? new Map()),
  }));
  const { done, failures } = await attendAll(
    work,
    ({ scanner, bars }) => reportTo(runtime, group, scanner, bars),
    runtime.hasTime,
  );
  if (failures.length === 0 && done === work.length) return;
  throw new AggregateError(
    failures.map(({ error }) => error),
    `${failures.length + work.length - done} of ${work.length} scanners have not run`,
  );
};
