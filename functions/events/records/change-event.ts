import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import { CATALOGUE, type ChangeType, changeTypes } from '../../../shared/domain/changes/catalogue.ts';

const envelope = {
  id: z.string(),
  at: timestamp(),
  deployment_id: integer().optional(),
  sequence: integer().optional(),
} as const;

const NAMES = {
  deployment: 'DeploymentChange',
  order: 'OrderChange',
  trade: 'TradeChange',
  trades: 'TradesCorrection',
  signal: 'SignalChange',
  scanner: 'ScannerChange',
  risk: 'RiskChange',
  kill_switch: 'KillSwitchEvent',
  connection: 'ConnectionChange',
  backtest: 'BacktestChange',
  webhook: 'WebhookTest',
} as const;

type Family = keyof typeof NAMES;

const isOf = (type: ChangeType, family: Family): boolean => type.startsWith(`${family}.`);

const familyRecord = (family: Family) => {
  const types = changeTypes().filter((type) => isOf(type, family));
  const [first] = types;
  if (first === undefined) throw new Error(`no event is of the family ${family}`);
  // Later versions may add fields.
  const data = CATALOGUE[first].data.loose();
  return extensionRecord(NAMES[family], z.looseObject({ ...envelope, type: z.enum(types), data }));
};

const isFamily = (name: string): name is Family => Object.hasOwn(NAMES, name);

/** Event of a type that this version does not know, or for another reader. */
const anyChange = extensionRecord(
  'Change',
  z.looseObject({ ...envelope, type: z.string(), data: z.record(z.string(), z.unknown()) }),
);

/** Change event of a user. Events of types of a newer version pass unchanged. */
export const changeOut = z.union([...Object.keys(NAMES).filter(isFamily).map(familyRecord), anyChange]);

/** Change event of a broker: the fields of its data that the broker may read. */
export const brokerChangeOut = extensionRecord(
  'BrokerChange',
  z.looseObject({
    ...envelope,
    user_key: z.string().optional(),
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
  }),
);
