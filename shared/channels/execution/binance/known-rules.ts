import type { SpotCalls } from './spot-calls.ts';
import { rulesSchema, type SymbolRules } from './symbol-rules.ts';

/** Time for which the rules of a symbol are kept, in milliseconds. */
const KEPT_MS = 10 * 60_000;

/** Rules by server and symbol, for all accounts of a container. */
const known = new Map<string, { readonly rules: SymbolRules; readonly until: number }>();

/** Reads the rules of a symbol; undefined if Binance does not have it. @throws BrokerLaterError */
export const readRules = async (
  { url, read }: SpotCalls,
  symbol: string,
  now: number,
): Promise<SymbolRules | undefined> => {
  const key = `${url} ${symbol}`;
  const kept = known.get(key);
  if (kept && kept.until > now) return kept.rules;
  const params = { symbol };
  const found = await read(rulesSchema, { api: 'public', method: 'GET', path: 'exchangeInfo', params });
  const rules = found?.symbols[0];
  if (rules) known.set(key, { rules, until: now + KEPT_MS });
  return rules;
};
