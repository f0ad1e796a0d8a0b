import { createHash } from 'node:crypto';

/** Beginnings of the ids of all orders that the hub places. An account may have others, of its owner. */
const PREFIX = 'hub-';
const EXIT_PREFIX = 'hubx-';

/** Characters of an id at most, the limit of Binance. */
const MAX_LENGTH = 36;
/** Characters of the largest deployment id, in base 36. */
const DEPLOYMENT_LENGTH = 11;

const digestLength = (prefix: string): number => MAX_LENGTH - prefix.length - DEPLOYMENT_LENGTH - 1;

const idOf = (prefix: string, deployment: number, text: string): string => {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, digestLength(prefix));
  return `${prefix}${deployment.toString(36)}-${digest}`;
};

const formOf = (prefix: string): RegExp =>
  new RegExp(`^${prefix}(?<deployment>[\\da-z]{1,${DEPLOYMENT_LENGTH}})-[\\w-]{${digestLength(prefix)}}$`);

/**
 * Returns the id under which an order is placed at a broker. Client order ids are unique within a deployment only, and
 * several deployments may share an account. Letters, digits, `-` and `_`.
 */
export const brokerOrderIdOf = (order: {
  readonly deployment_id: number;
  readonly client_order_id: string;
}): string => idOf(PREFIX, order.deployment_id, order.client_order_id);

/**
 * Returns the id under which an exit of a trade is placed at a broker. Letters, digits, `-` and `_`.
 *
 * @param number of the exit, or of its replacement, among those of the trade.
 */
export const brokerExitIdOf = (
  { deployment_id, entry }: { readonly deployment_id: number; readonly entry: string },
  number: number,
): string => idOf(EXIT_PREFIX, deployment_id, `${entry}#${number}`);

const HUB_ID = formOf(PREFIX);
const HUB_EXIT_ID = formOf(EXIT_PREFIX);

/** Returns the deployment of an id of the form that the hub gives exits at a broker; undefined for another id. */
export const deploymentOfExit = (brokerOrderId: string): number | undefined => {
  const id = HUB_EXIT_ID.exec(brokerOrderId)?.groups?.deployment;
  return id === undefined ? undefined : Number.parseInt(id, 36);
};

/** Tells whether an id is of the form that the hub gives its orders at a broker, apart from exits. */
export const isHubOrder = (brokerOrderId: string): boolean => HUB_ID.test(brokerOrderId);
