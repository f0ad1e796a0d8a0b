import type * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { type Deployment, takesSignals } from '../../../shared/data/deployments/deployments.ts';
import { findInputs, type RecordedCommand } from '../../../shared/data/engine/inputs.ts';
import type { Scanned } from '../../../shared/data/engine/scanners.ts';
import type { DeploymentSetup } from '../../../shared/data/engine/setups.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { isFinalDeploymentStatus } from '../../../shared/domain/deployments/deployment-states.ts';
import { givenRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { isReplaySymbol, normaliseSymbol } from '../../../shared/domain/instruments/instruments.ts';
import {
  accountTakesEntries,
  takesEntries,
} from '../../../shared/lifecycle/engine-accounts/takes-entries.ts';
import type { deploymentEngineOut } from '../records/deployment-engine.ts';
import { dataDelayOf } from './data-delay.ts';
import { takenHolds, viewLeg } from './leg-view.ts';
import { presentLeg } from './present-leg.ts';
import { type LegKeys, readLegs, type StoredLeg } from './read-legs.ts';
import { presentScan, scannerKeys } from './scanner-view.ts';

type Presented = z.output<typeof deploymentEngineOut>;

/** A deployment that the hub runs, with all that decides what the engine does for it. */
interface HubDeployment {
  readonly deployment: Deployment;
  readonly setup: DeploymentSetup;
  /** Instruments of a scanner. */
  readonly scanned: Scanned | undefined;
}

interface Leg extends LegKeys {
  readonly calendar: string;
  /** Start of the bar after which the deployment began. */
  readonly joinedAt: number | undefined;
}

/** Returns the symbols of a deployment. Of a scanner, only the one that is asked for. */
const legsOf = ({ deployment, setup, scanned }: HubDeployment, symbol: string | undefined): Leg[] => {
  if (deployment.kind !== 'scanner') {
    return setup.setup.legs
      .map((leg, index) => ({
        symbol: leg.symbol,
        source: leg.source,
        calendar: leg.calendar,
        program_id: setup.program_ids[index] ?? '',
        joinedAt: setup.starts?.[index]?.joined_at,
      }))
      .filter((leg) => symbol === undefined || leg.symbol === symbol);
  }
  const instrument = scanned?.instruments.find((one) => one.symbol === symbol);
  if (!instrument) return [];
  const { at: joinedAt, ...leg } = instrument;
  return [{ ...leg, joinedAt }];
};

/** Returns the state of a deployment in words if it does not take entries. */
const stateOf = (deployment: Deployment): string | undefined => {
  if (isFinalDeploymentStatus(deployment.status)) return `has ended (${deployment.status})`;
  if (takesEntries(deployment)) return undefined;
  if (deployment.status === 'error') return 'has failed';
  const { held, status, stopping } = deployment;
  const cause = held ? `${status} by ${held.by.replaceAll('_', ' ')}: ${held.reason}` : status;
  if (stopping) return `is being stopped (${cause})`;
  return status === 'halted' ? `orders nothing (${cause})` : `takes no entries (${cause})`;
};

/** Reads the commands that an account has yet to take. Rarely makes a call: the engine hands them on at once. */
const missingHolds = async (
  store: Store,
  { deployment_id, last_hold = 0 }: Deployment,
  stored: readonly StoredLeg[],
): Promise<readonly RecordedCommand[]> => {
  const taken = Math.min(last_hold, ...stored.map(({ sub }) => takenHolds(sub)));
  return taken === last_hold ? [] : (await findInputs(store, deployment_id, taken)).commands;
};

const presentOne = (
  { deployment }: HubDeployment,
  leg: Leg,
  stored: StoredLeg,
  { call, holds }: { readonly call: Call; readonly holds: readonly RecordedCommand[] },
): Presented['symbols'][number] => {
  const view = viewLeg(stored, {
    symbol: leg.symbol,
    isPaused: !takesEntries(deployment),
    takesSignals: takesSignals(deployment),
    entries: accountTakesEntries(deployment),
    holds,
  });
  const times = {
    ...leg,
    timeframe: deployment.timeframe,
    deployedAt: Date.parse(deployment.deployed_at),
    isDemo: deployment.is_demo ?? false,
    isReplayed: isReplaySymbol(leg.symbol),
  };
  const delay =
    view.at === undefined ? undefined : dataDelayOf({ ...times, at: view.at }, call.now.getTime());
  return presentLeg(view, {
    symbol: leg.symbol,
    sub: stored.sub,
    delay,
    state: stateOf(deployment),
  });
};

/**
 * Explains a deployment in one or two calls, three if an account has yet to take a command.
 *
 * @param named symbol to explain alone; undefined for all symbols of a deployment that is no scanner.
 * @returns undefined if the deployment does not have the symbol.
 */
export const viewDeployment = async (
  call: Call,
  own: HubDeployment,
  named: string | undefined,
): Promise<Presented | undefined> => {
  const { store } = call;
  const { deployment, setup, scanned } = own;
  const symbol = named === undefined ? undefined : (normaliseSymbol(named) ?? '');
  const legs = legsOf(own, symbol);
  if (symbol !== undefined && legs.length === 0) return undefined;
  const extra = deployment.kind === 'scanner' ? scannerKeys(deployment, scanned) : [];
  const { stored, items } = await readLegs(store, deployment.deployment_id, legs, extra);
  const holds = await missingHolds(store, deployment, stored);
  const symbols = legs.flatMap((leg, index) => {
    const one = stored[index];
    return one ? [presentOne(own, leg, one, { call, holds })] : [];
  });
  return {
    deployment_id: deployment.deployment_id,
    deployment_type: deployment.kind,
    status: deployment.status,
    timeframe: deployment.timeframe,
    sentence: setup.setup.sentence,
    rules: takesSignals(deployment) ? null : givenRules(setup.setup),
    params: setup.setup.params,
    symbols,
    scanner: deployment.kind === 'scanner' ? presentScan(deployment, scanned, items) : null,
    errors: symbols.flatMap((one) => (one.error === null ? [] : [`${one.symbol}: ${one.error}`])),
  };
};
