import type { GetBrokerStateOutput } from '../../../../infra/client/package/src/index.ts';

type Position = GetBrokerStateOutput['positions'][number];
type Order = Position['orders'][number];

const LEVELS: Readonly<Record<Order['level'], string>> = {
  stop: 'Stop',
  target: 'Target',
  close: 'Close at the market',
};

/** Names a protective order. */
export const levelName = (level: Order['level']): string => LEVELS[level];

/** States in which a position has what it should, and those in which its owner should look. */
const TONES: Readonly<Partial<Record<Position['state'], 'good' | 'info' | 'warn' | 'bad'>>> = {
  standing: 'good',
  waiting: 'info',
  ended: 'info',
  changing: 'info',
  lifted: 'info',
  closing: 'warn',
  none: 'warn',
  refused: 'bad',
  missing: 'bad',
};

/** Returns how much the state of a protection asks for its owner. One of a newer service is for information. */
export const stateTone = (state: Position['state']): 'good' | 'info' | 'warn' | 'bad' =>
  TONES[state] ?? 'info';

/** Names the state of a protective order. */
export const orderStatusName = (status: Order['status']): string =>
  status === 'open' ? 'rests at the broker' : status.replaceAll('_', ' ');
