import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { TradingSummary } from '../../../shared/data/books/summary.ts';
import type {
  Protection,
  ProtectiveExit,
  ProtectiveLeg,
} from '../../../shared/data/execution/protections.ts';
import { PROTECTION_STATES } from '../../../shared/data/execution/protections.ts';
import { isFinalDeploymentStatus } from '../../../shared/domain/deployments/deployment-states.ts';
import { shownPrice } from '../../../shared/domain/money.ts';
import { ORDER_STATUSES } from '../../../shared/domain/orders/order-states.ts';
import { PROTECTIVE_LEVELS, type ProtectiveLevel } from '../../../shared/domain/orders/protective-ids.ts';
import { stateSentence } from './broker-state-texts.ts';

const orderOut = extensionRecord(
  'BrokerStateOrder',
  z.object({
    level: z.enum(PROTECTIVE_LEVELS),
    price: z.number().nullable(),
    quantity: z.number(),
    filled_quantity: z.number(),
    status: z.enum(ORDER_STATUSES),
    time_in_force: z.enum(['day', 'gtc']),
    broker_order_id: z.string().nullable(),
    updated_at: timestamp().nullable(),
  }),
);

const differenceOut = extensionRecord(
  'BrokerStateDifference',
  z.object({
    kind: z.enum(['position', 'exits', 'missing']),
    since: timestamp().nullable(),
    text: z.string(),
  }),
);

const positionOut = extensionRecord(
  'BrokerStatePosition',
  z.object({
    deployment_id: integer(),
    strategy_name: z.string(),
    account_id: z.string().nullable(),
    symbol: z.string(),
    side: z.enum(['long', 'short']),
    quantity: z.number(),
    average_price: z.number(),
    state: z.enum([...PROTECTION_STATES, 'none']),
    text: z.string(),
    orders: z.array(orderOut),
    compared_at: timestamp().nullable(),
    differences: z.array(differenceOut),
    actions: z.array(z.enum(['place_again', 'close', 'take_over'])),
  }),
);

export const brokerStateOut = extensionRecord(
  'BrokerState',
  z.object({ as_of: timestamp(), is_complete: z.boolean(), positions: z.array(positionOut) }),
);

type PresentedPosition = z.output<typeof positionOut>;

/** A real deployment with its protections. */
export interface DeploymentState {
  readonly summary: TradingSummary;
  readonly protections: readonly Protection[];
  /** Symbols whose position its broker does not hold. */
  readonly missing: readonly string[];
}

const timeOf = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();

const priceOf = (price: string | null | undefined): number | null =>
  price == null ? null : shownPrice(price);

const placingLevels = ({ kind }: ProtectiveExit): readonly ProtectiveLevel[] => {
  if (kind === 'oco') return ['stop', 'target'];
  return kind === 'target' || kind === 'close' ? [kind] : ['stop'];
};

const presentLeg = (exit: ProtectiveExit, level: ProtectiveLevel, leg: ProtectiveLeg | undefined) => ({
  level,
  price: priceOf(leg?.price ?? (level === 'close' ? undefined : exit[level])),
  quantity: Number(exit.quantity),
  filled_quantity: Number(leg?.filled ?? '0'),
  status: leg?.status ?? ('pending' as const),
  time_in_force: exit.time_in_force,
  broker_order_id: leg?.broker_order_id ?? null,
  updated_at: timeOf(leg?.at ?? exit.tried_at),
});

/** Presents the orders of exits that have not ended, as the broker last reported them. */
const presentOrders = ({ exits }: Protection): PresentedPosition['orders'] =>
  exits
    .filter(({ state }) => state !== 'ended')
    .flatMap((exit) => {
      const known = PROTECTIVE_LEVELS.filter((level) => exit.legs[level]);
      const levels = known.length > 0 ? known : placingLevels(exit);
      return levels.map((level) => presentLeg(exit, level, exit.legs[level]));
    });

const differencesOf = (
  protection: Protection | undefined,
  isMissing: boolean,
): PresentedPosition['differences'] => [
  ...(isMissing || protection?.state === 'missing'
    ? [
        {
          kind: 'missing' as const,
          since: timeOf(protection?.differs_since),
          text: 'Your account does not hold the position that the books have.',
        },
      ]
    : protection?.differs_since !== undefined
      ? [
          {
            kind: 'position' as const,
            since: timeOf(protection.differs_since),
            text: 'The position at your broker is not that of the books.',
          },
        ]
      : []),
  ...(protection?.gap_since === undefined
    ? []
    : [
        {
          kind: 'exits' as const,
          since: timeOf(protection.gap_since),
          text: 'The orders at your broker do not yet protect the whole position.',
        },
      ]),
];

const actionsOf = (
  protection: Protection | undefined,
  { status }: TradingSummary,
): PresentedPosition['actions'] => {
  const isOver = isFinalDeploymentStatus(status);
  const isAsked = protection?.state === 'refused' || protection?.state === 'changing';
  return [...(isAsked ? ['place_again' as const] : []), ...(isOver ? [] : (['close', 'take_over'] as const))];
};

/** Presents the open positions of a deployment with what stands at their broker. */
export const presentPositions = ({ summary, protections, missing }: DeploymentState): PresentedPosition[] =>
  summary.positions.map(({ symbol, side, quantity, average_price }) => {
    const protection = protections.findLast((one) => one.symbol === symbol && one.state !== 'ended');
    return {
      deployment_id: summary.deployment_id,
      strategy_name: summary.strategy_name,
      account_id: summary.account_id ?? null,
      symbol,
      side,
      quantity: Math.abs(Number(quantity)),
      average_price: shownPrice(average_price),
      state: protection?.state ?? 'none',
      text: stateSentence(protection),
      orders: protection ? presentOrders(protection) : [],
      compared_at: timeOf(protection?.compared_at),
      differences: differencesOf(protection, missing.includes(symbol)),
      actions: actionsOf(protection, summary),
    };
  });
