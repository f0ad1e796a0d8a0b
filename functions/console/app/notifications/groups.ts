import type { UserDeploymentNotificationsCustomOut } from '../../../../infra/client/package/src/index.ts';

type Note = UserDeploymentNotificationsCustomOut;

/** Notifications of a deployment that arrived on a day. */
export interface NoteGroup {
  readonly key: string;
  /** Day of the arrival, as the user reads it. */
  readonly day: string;
  /** Null for notifications about the account. */
  readonly deploymentId: number | null;
  readonly strategyId: number | null;
  readonly type: Note['deployment_type'];
  /** The newest first. */
  readonly notes: readonly [Note, ...Note[]];
  readonly unread: number;
}

const arrival = ({ arrived_at }: Note): number => Date.parse(arrived_at);

/** Groups notifications by deployment and day. Groups and their notifications are in the order of arrival, newest first. */
export const groupsOf = (notes: readonly Note[], dayOf: (moment: string) => string): readonly NoteGroup[] => {
  const newestFirst = [...notes].sort((one, other) => arrival(other) - arrival(one));
  const groups = Map.groupBy(
    newestFirst,
    ({ arrived_at, deployment_id }) => `${dayOf(arrived_at)} ${deployment_id}`,
  );
  return [...groups].flatMap(([key, [first, ...rest]]): NoteGroup[] => {
    if (!first) return [];
    return [
      {
        key,
        day: dayOf(first.arrived_at),
        deploymentId: first.deployment_id,
        strategyId: first.strategy_id,
        type: first.deployment_type,
        notes: [first, ...rest],
        unread: [first, ...rest].filter(({ is_read }) => !is_read).length,
      },
    ];
  });
};

/** Clocks may differ by this much before two times are worth naming. */
const SAME_MS = 5 * 60_000;

/** Returns the time of the market of a notification; undefined if it is that of its arrival. */
export const marketTimeOf = ({ arrived_at, created_at }: Note): string | undefined =>
  Math.abs(Date.parse(arrived_at) - Date.parse(created_at)) > SAME_MS ? created_at : undefined;

/** Fill of a notification, as its data has it. */
export interface NoteFill {
  readonly verb: 'Bought' | 'Sold';
  readonly symbol: string;
  readonly quantity: number;
  readonly price: number;
}

const FILLS: ReadonlySet<string> = new Set(['entry_filled', 'exit_filled', 'stop_loss_hit', 'target_hit']);

const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Returns the whole fill that a notification is about; undefined for other notifications and partial fills. */
export const fillOf = ({ kind, symbol, data }: Note): NoteFill | undefined => {
  const [quantity, price] = [numberIn(data.quantity), numberIn(data.price)];
  const isWhole = FILLS.has(kind) && data.ordered_quantity === undefined;
  if (!isWhole || symbol === null || quantity === undefined || price === undefined) return undefined;
  return { verb: data.side === 'buy' ? 'Bought' : 'Sold', symbol, quantity, price };
};

/** Returns the result of a notification that a deployment holds nothing again. */
export const resultOf = ({
  kind,
  data,
}: Note): { readonly result: number; readonly currency: string } | undefined => {
  const result = numberIn(data.realized_pnl);
  return kind === 'cycle_completed' && result !== undefined && typeof data.currency === 'string'
    ? { result, currency: data.currency }
    : undefined;
};
