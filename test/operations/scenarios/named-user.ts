import { decodeJwt } from 'jose';
import { bearerOf } from '../../../shared/api/authenticate.ts';
import { findStrategies } from '../../../shared/data/strategies/strategies.ts';
import { strategyIdOf } from '../../../shared/domain/strategies/strategy-keys.ts';
import type { Request } from '../../support/hub.ts';
import { world } from './world.ts';

/** Returns the user of a request, by the named user, the deploy key or the token. */
export const userOf = async ({ query = {}, headers = {} }: Request): Promise<string | undefined> => {
  const { user_id, keygen = '' } = Object.fromEntries(Array.isArray(query) ? query : Object.entries(query));
  const strategyId = strategyIdOf(keygen);
  if (strategyId !== undefined) {
    const [strategy] = await findStrategies(world.hub.runtime.store, [strategyId]);
    return strategy?.user_id;
  }
  const token = bearerOf(headers);
  return user_id ?? (token && decodeJwt(token).sub);
};
