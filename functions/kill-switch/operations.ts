import type { Operation } from '../../shared/api/operation.ts';
import { brokerKillSwitch } from './broker-kill-switch.ts';
import { getBrokerKillSwitch } from './get-broker-kill-switch.ts';
import { getKillSwitch } from './get-kill-switch.ts';
import { killSwitch } from './kill-switch.ts';

/** Operations on the kill switches of users and brokers. */
export const killSwitchOperations: readonly Operation[] = [
  killSwitch,
  getKillSwitch,
  brokerKillSwitch,
  getBrokerKillSwitch,
];
