import type * as z from 'zod';
import type { ScannerDeployment } from '../../../shared/data/deployments/deployments.ts';
import { asScannerRun, feedOf, type Scanned } from '../../../shared/data/engine/scanners.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { parseItem } from '../../../shared/data/table/parse-item.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { universeSchema } from '../../../shared/domain/instruments/instrument-records.ts';
import type { deploymentEngineOut } from '../records/deployment-engine.ts';

/** Symbols without candles that an answer names. */
const MAX_WITHOUT = 20;

type Presented = NonNullable<z.output<typeof deploymentEngineOut>['scanner']>;

const runKeys = ({ timeframe }: ScannerDeployment, { instruments }: Scanned): Key[] =>
  [...new Set(instruments.map(({ source, feed }) => feedOf(source, feed)))].map((feed) =>
    keys.scannerRun(timeframe, feed),
  );

/** Returns the keys that tell how far a scanner has run. */
export const scannerKeys = (deployment: ScannerDeployment, scanned: Scanned | undefined): Key[] => [
  keys.universe(deployment.universe_id),
  ...(scanned ? runKeys(deployment, scanned) : []),
];

const symbolsOf = (item: Item | undefined): readonly string[] =>
  item ? parseItem(universeSchema, item).symbols : [];

const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

/** Presents the instruments and the last run of a scanner. @param items read at {@link scannerKeys}. */
export const presentScan = (
  deployment: ScannerDeployment,
  scanned: Scanned | undefined,
  items: Items,
): Presented => {
  const watched = scanned?.instruments.map(({ symbol }) => symbol) ?? [];
  const known = new Set(watched);
  const universe = symbolsOf(itemWith(items, keys.universe(deployment.universe_id)));
  const without = scanned ? [...new Set(universe)].filter((symbol) => !known.has(symbol)) : [];
  const runs = scanned
    ? runKeys(deployment, scanned).flatMap((key) => asScannerRun(itemWith(items, key)) ?? [])
    : [];
  const last = runs.length === 0 ? undefined : Math.max(...runs.map(({ closed }) => closed));
  return {
    waits_for: waitingOf(scanned, last),
    watched_count: watched.length,
    watched,
    without_candles_count: scanned?.skipped ?? 0,
    without_candles: without.slice(0, MAX_WITHOUT),
    last_run_at: iso(last),
  };
};

const waitingOf = (scanned: Scanned | undefined, last: number | undefined): string => {
  if (!scanned) return 'waits for the engine to find the candles of its universe';
  if (scanned.instruments.length === 0) return 'has no instrument with candles';
  return last === undefined
    ? 'does not run'
    : `waits for bars that are complete after ${new Date(last).toISOString()}`;
};
