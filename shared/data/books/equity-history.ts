import * as z from 'zod';
import { daysOf, type Ledger } from '../../domain/ledger/ledger-state.ts';
import { type History, historySchema, openHistory } from '../../domain/metrics/equity-history.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key, Write } from '../table/writes.ts';

/** Returns the key of a deployment's equity history, which is written once a day. */
export const historyKey = (deploymentId: number): Key => ({
  pk: keys.deployment(deploymentId).pk,
  sk: 'EQUITY',
});

const itemSchema = z.object({ history: packed(historySchema) });

/** Parses an equity history; an empty one if no day is settled yet. */
export const asHistory = (item: Item | undefined, ledger: Ledger): History =>
  item === undefined
    ? openHistory(daysOf(ledger).dayOf(ledger.started_at), ledger.starting_capital)
    : parseItem(itemSchema, item).history;

/** Returns the write of an equity history. Its transaction must check the deployment's version. */
export const historyWrite = (deploymentId: number, history: History): Write => ({
  key: historyKey(deploymentId),
  set: { entity: 'equity_history', history: pack(history) },
});
