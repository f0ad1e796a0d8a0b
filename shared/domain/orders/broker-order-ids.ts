import { createHash } from 'node:crypto';

/** Beginning of the ids of all orders that the hub places. An account may have others, of its owner. */
const PREFIX = 'hub-';

/**
 * Returns the id under which an order is placed at a broker. Client order ids are unique within a deployment only, and
 * several deployments may share an account. At most 36 letters, digits, `-` and `_`, the limit of Binance: the deployment
 * is in base 36.
 */
export const brokerOrderIdOf = (order: {
  readonly deployment_id: number;
  readonly client_order_id: string;
}): string => {
  const { deployment_id: deployment, client_order_id: id } = order;
  return `${PREFIX}${deployment.toString(36)}-${createHash('sha256').update(id).digest('base64url').slice(0, 20)}`;
};

const HUB_ID = new RegExp(`^${PREFIX}[\\da-z]{1,11}-[\\w-]{20}$`);

/** Tells whether an id is of the form that the hub gives its orders at a broker. */
export const isHubOrder = (brokerOrderId: string): boolean => HUB_ID.test(brokerOrderId);
