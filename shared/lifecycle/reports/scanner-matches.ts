import { latestMatches, type ScannerDeployment } from '../../data/deployments/deployments.ts';
import type { Effect } from '../effect.ts';

/** Matches that one report and one notification can hold. */
export const MAX_SHOWN_MATCHES = 100;
/** Symbols that the text of a notification names. */
const MAX_NAMED = 10;

/** An instrument that a scanner has found. */
export interface FoundMatch {
  readonly symbol: string;
  readonly price?: number | undefined;
  /** Side of the entry whose condition holds; only the hub reports it. */
  readonly side?: 'long' | 'short' | undefined;
}

/** Applies matches to a scanner: the newest ones, their number, the time of the run, a notification. */
export const matchedEffect = (
  deployment: ScannerDeployment,
  at: string,
  found: readonly FoundMatch[],
): Effect => {
  const shown = found.slice(0, MAX_SHOWN_MATCHES).map(({ symbol, price = null, side }) => ({
    symbol,
    price,
    at,
    ...(side && { side }),
  }));
  const symbols = found.map(({ symbol }) => symbol);
  const { last_run_at: lastRunAt } = deployment;
  return {
    deployment: {
      ...deployment,
      matches_count: deployment.matches_count + found.length,
      last_matches: latestMatches(
        deployment.last_matches,
        shown.map(({ symbol, price }) => ({ symbol, price, at })),
      ),
      ...((lastRunAt === undefined || Date.parse(at) > Date.parse(lastRunAt)) && { last_run_at: at }),
    },
    changes: () => [
      { type: 'scanner.matched', data: { matches: shown.map(({ symbol, price }) => ({ symbol, price })) } },
    ],
    notifications: [
      {
        kind: 'scanner_match',
        severity: 'info',
        title: `${deployment.strategy_name} found ${symbols.length === 1 ? symbols[0] : `${symbols.length} instruments`}`,
        body: symbols.slice(0, MAX_NAMED).join(', ') + (symbols.length > MAX_NAMED ? ', …' : ''),
        data: { matches: shown, count: found.length },
      },
    ],
  };
};
