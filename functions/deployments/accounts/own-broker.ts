import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import { isWhiteLabel, type User } from '../../../shared/data/users/users.ts';

/**
 * Returns the broker of a deployment whose caller names none: that of the strategy if the user is connected to it, else the
 * user's only white-label broker, else the only broker. undefined if the user has none or several: nothing tells which.
 */
export const ownBrokerOf = (
  { brokers }: Pick<User, 'brokers'>,
  { broker_id: ofStrategy }: Pick<Strategy, 'broker_id'>,
): number | undefined => {
  const connected = Object.entries(brokers).filter(([, { connected: works }]) => works);
  const whiteLabels = connected.filter(([domain]) => isWhiteLabel(domain));
  const candidates = (whiteLabels.length > 0 ? whiteLabels : connected).map(([, { broker_id: id }]) => id);
  const isLinked = connected.some(([, { broker_id: id }]) => id === ofStrategy);
  if (isLinked) return ofStrategy;
  return candidates.length === 1 ? candidates[0] : undefined;
};
