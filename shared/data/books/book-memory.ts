import type { Ledger } from '../../domain/ledger/ledger-state.ts';
import type { TradingDeployment } from '../deployments/deployments.ts';
import type { StoredOrder } from './orders.ts';

/** Deployments, and orders of each, that are remembered: a few megabytes at most. */
const MAX_DEPLOYMENTS = 100;
const MAX_ORDERS = 64;
/** After others were seen to take its events too, so many events of a deployment are read for. */
const SHY_EVENTS = 20;

/** A live deployment as it was written last, and the orders that were written with it. */
export interface Recalled {
  readonly deployment: TradingDeployment;
  readonly ledger: Ledger;
  /** By client_order_id. One that is not here may exist all the same. */
  readonly orders: ReadonlyMap<string, StoredOrder>;
}

/**
 * What a consumer of events remembers of the deployments that it has just written, so that the next event of
 * one needs no read. No change rests on it alone: the transaction holds the version of the deployment and the
 * revision of the order, and where others have written since it is refused and the event is read for. An event
 * that changes nothing of what is remembered changes nothing of what others have made of it since: the order of
 * events does not matter, or where it does (functions/execution-events/README.md), it is one of those
 * that they may have come in. Where others take events of the same deployment, it is not relied on for a while.
 */
export class BookMemory {
  readonly #known = new Map<number, Recalled>();
  readonly #shy = new Map<number, number>();

  recall(deploymentId: number): Recalled | undefined {
    const left = this.#shy.get(deploymentId) ?? 0;
    if (left === 0) return this.#known.get(deploymentId);
    if (left === 1) this.#shy.delete(deploymentId);
    else this.#shy.set(deploymentId, left - 1);
    return undefined;
  }

  /** Keeps what was written. */
  keep(deployment: TradingDeployment, ledger: Ledger, order: StoredOrder | undefined): void {
    const { deployment_id: id, version } = deployment;
    const before = this.#known.get(id);
    if (before && before.deployment.version >= version) return;
    // What others wrote in between is not known.
    const orders = new Map(before?.deployment.version === version - 1 ? before.orders : []);
    if (order) {
      orders.delete(order.client_order_id);
      orders.set(order.client_order_id, order);
    }
    const [oldest] = orders.keys();
    if (orders.size > MAX_ORDERS && oldest !== undefined) orders.delete(oldest);
    this.#known.delete(id);
    this.#known.set(id, { deployment, ledger, orders });
    const [idlest] = this.#known.keys();
    if (this.#known.size > MAX_DEPLOYMENTS && idlest !== undefined) this.#known.delete(idlest);
  }

  forget(deploymentId: number): void {
    this.#known.delete(deploymentId);
  }

  /** Others have written what was remembered. */
  bypass(deploymentId: number): void {
    this.forget(deploymentId);
    if (this.#shy.size >= MAX_DEPLOYMENTS) this.#shy.clear();
    this.#shy.set(deploymentId, SHY_EVENTS);
  }
}
