import { isHubRun } from '../../data/deployments/deployments.ts';
import { reportedSymbols, scannedBarWrite } from '../../data/deployments/scanned-bars.ts';
import { itemWith } from '../../data/table/items.ts';
import { keys } from '../../data/table/keys.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { MalformedEventError } from '../../domain/malformed-event.ts';
import type { Runtime } from '../../runtime.ts';
import { changeDeployment } from '../deployment-change.ts';
import { type FoundMatch, matchedEffect } from './scanner-matches.ts';

/** Matches that a scanner has found at a bar. */
export interface BarMatches {
  readonly deployment_id: number;
  /** Start of the bar. */
  readonly start: number;
  readonly matches: readonly FoundMatch[];
}

/**
 * Reports matches of a scanner that the hub runs, each instrument of a bar once, however often it is called. The
 * transaction that reports them records them.
 *
 * @returns false if the deployment has ended.
 * @throws MalformedEventError if the hub does not run such a scanner.
 */
export const takeMatches = async (
  runtime: Runtime,
  { deployment_id: id, start, matches }: BarMatches,
): Promise<boolean> => {
  const key = keys.scannedBar(id, start);
  let hasEnded = false;
  await changeDeployment(
    runtime,
    id,
    (deployment, now, items) => {
      if (deployment?.kind !== 'scanner' || !isHubRun(deployment)) {
        throw new MalformedEventError('the hub does not run such a scanner');
      }
      hasEnded = isFinalDeploymentStatus(deployment.status);
      // A paused scanner reports nothing.
      if (deployment.status !== 'active' && deployment.status !== 'requested') return undefined;
      const reported = reportedSymbols(itemWith(items, key), now);
      const known = new Set(reported);
      const found = matches.filter(({ symbol }) => !known.has(symbol));
      if (found.length === 0) return undefined;
      const at = new Date(start);
      const effect = matchedEffect(deployment, at.toISOString(), found);
      const symbols = [...reported, ...found.map(({ symbol }) => symbol)];
      return { ...effect, at, writes: [scannedBarWrite(id, start, symbols, now)] };
    },
    [key],
  );
  return !hasEnded;
};
