import type * as z from 'zod';
import type { Broker } from '../../shared/data/brokers.ts';
import type { Deployment, ScannerDeployment } from '../../shared/data/deployments.ts';
import { unpackLedger } from '../../shared/data/live-ledger.ts';
import { summaryOf } from '../../shared/data/live-summary.ts';
import type { Strategy } from '../../shared/data/strategies.ts';
import { presentLive } from '../deployments/present-live.ts';
import { presentShape } from '../strategies/strategy-shape.ts';
import type { integratorDeployment, integratorScanner, integratorStrategy } from './records.ts';

/** A strategy of a user, for the broker. */
export const presentStrategy = (strategy: Strategy): z.output<typeof integratorStrategy> => ({
  strategy_id: strategy.strategy_id,
  strategy_name: strategy.strategy_name,
  ...presentShape(strategy),
});

const run = (deployment: Deployment) => ({
  deployment_id: deployment.deployment_id,
  strategy_id: deployment.strategy_id,
  strategy_name: deployment.strategy_name,
  symbols: deployment.symbols,
  timeframe: deployment.timeframe,
  status: deployment.status,
  phase: deployment.phase,
  deployed_at: deployment.deployed_at,
  started_at: deployment.started_at ?? null,
  stopped_at: deployment.stopped_at ?? null,
  expires_at: deployment.expires_at ?? null,
  stop_reason: deployment.stop_reason,
});

/** A scanner of a user, for the broker. */
export const presentScanner = (scanner: ScannerDeployment): z.output<typeof integratorScanner> => ({
  ...run(scanner),
  type: 'scanner',
  universe_id: scanner.universe_id,
  universe_name: scanner.universe_name,
  last_run_at: scanner.last_run_at ?? null,
  matches_count: scanner.matches_count,
  last_matches: scanner.last_matches,
});

/** A deployment of a user, for the broker. */
export const presentDeployment = (
  deployment: Deployment,
  reader: Broker,
): z.output<typeof integratorDeployment> => {
  switch (deployment.kind) {
    case 'live': {
      const live = presentLive(summaryOf(deployment, unpackLedger(deployment.ledger)));
      const isOwn = deployment.broker_id === reader.broker_id;
      return { ...live, type: 'live', account_id: isOwn ? live.account_id : null };
    }
    case 'scanner':
      return presentScanner(deployment);
    case 'notification':
      return {
        ...run(deployment),
        type: 'notification',
        frequency: deployment.frequency,
        last_signal: deployment.last_signal ?? null,
        signals_count: deployment.signals_count,
      };
    default:
      return deployment satisfies never;
  }
};
