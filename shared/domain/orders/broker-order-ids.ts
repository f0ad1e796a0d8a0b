import { createHash } from 'node:crypto';

/** Beginnings of the ids of all orders that the hub places. An account may have others, of its owner. */
const PREFIX = 'hub-';
const EXIT_PREFIX = 'hubx-';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/**
 * Returns the id under which an order is placed at a broker. Client order ids are unique within a deployment only, and
 * several deployments may share an account. At most 43 letters, digits, `-` and `_`, since brokers limit ids.
 */
export const brokerOrderIdOf = (order: {
  readonly deployment_id: number;
  readonly client_order_id: string;
}): string => {
  const { deployment_id: deployment, client_order_id: id } = order;
  return `${PREFIX}${deployment}-${digestOf(id)}`;
};

/**
 * Returns the id under which an exit of a trade is placed at a broker. At most 44 letters, digits, `-` and `_`.
 *
 * @param number of the exit, or of its replacement, among those of the trade.
 */
export const brokerExitIdOf = (
  { deployment_id, entry }: { readonly deployment_id: number; readonly entry: string },
  number: number,
): string => `${EXIT_PREFIX}${deployment_id}-${digestOf(`${entry}#${number}`)}`;

const HUB_ID = new RegExp(`^${PREFIX}\\d{1,16}-[\\w-]{22}$`);

const HUB_EXIT_ID = new RegExp(`^${EXIT_PREFIX}(?<deployment>\\d{1,16})-[\\w-]{22}$`);

/** Returns the deployment of an id of the form that the hub gives exits at a broker; undefined for another id. */
export const deploymentOfExit = (brokerOrderId: string): number | undefined => {
  const id = HUB_EXIT_ID.exec(brokerOrderId)?.groups?.deployment;
  return id === undefined ? undefined : Number(id);
};

/** Tells whether an id is of the form that the hub gives its orders at a broker, apart from exits. */
export const isHubOrder = (brokerOrderId: string): boolean => HUB_ID.test(brokerOrderId);
