import type { AdapterName } from '../../domain/deployments/event-source.ts';
import type { CapabilitySettings } from '../../settings.ts';
import type { BrokerKeys, ExecutionBroker, ExecutionEnvironment } from './execution-broker.ts';

/** An account to open, and the means of calling its broker. */
export interface AccountToOpen {
  readonly keys: BrokerKeys;
  readonly environment: ExecutionEnvironment;
  readonly addresses: CapabilitySettings['execution'];
  readonly clock: () => Date;
  /** Time limit of a call, if it is not the adapter's. */
  readonly patienceMs?: number;
}

/** Code of an adapter, which calls its broker. A function that runs an adapter imports this one only. */
export interface ExecutionAdapter {
  readonly name: AdapterName;
  /** Loads what calls to the broker need. Calls nobody. */
  readonly open: (account: AccountToOpen) => Promise<ExecutionBroker>;
}
