import type { Ledger } from '../../domain/ledger/ledger-state.ts';
import type { TradingDeployment } from '../deployments/deployments.ts';
import type { StoredOrder } from './orders.ts';

/** Limits of the cache; a few megabytes at most. */
const MAX_DEPLOYMENTS = 100;
const MAX_ORDERS = 64;
/** Number of events without the cache after another process was seen to handle events of the same deployment. */
const BYPASS_EVENTS = 20;

/** A trading deployment as last written, and the orders written with it. */
export interface Recalled {
  readonly deployment: TradingDeployment;
  readonly ledger: Ledger;
  /**
   * By client_order_id. An order that is missing here may exist nevertheless. Later events add to the same map; a write
   * that mixes an older deployment with a newer order is refused like any outdated one.
   */
  readonly orders: ReadonlyMap<string, StoredOrder>;
}

interface Known extends Recalled {
  readonly orders: Map<string, StoredOrder>;
}

/**
 * Caches the deployments that a consumer of events has just written, so that the next event needs no read.
 *
 * Safe because every change is conditional: the transaction checks the version of the deployment and the revision of
 * the order, so a write based on an outdated cache is refused and the event is handled again with a read. An event
 * that changes nothing in the cached state is safe too: either the order of events does not matter for it, or the
 * outcome equals one of the possible orders of arrival (functions/execution-events/README.md). If another
 * process handles events of the same deployment, the cache is bypassed for a while.
 */
export class BookMemory {
  readonly #known = new Map<number, Known>();
  readonly #bypassed = new Map<number, number>();

  /** Returns the cached state of a deployment; undefined if it is unknown or bypassed. */
  recall(deploymentId: number): Recalled | undefined {
    const left = this.#bypassed.get(deploymentId) ?? 0;
    if (left === 0) return this.#known.get(deploymentId);
    if (left === 1) this.#bypassed.delete(deploymentId);
    else this.#bypassed.set(deploymentId, left - 1);
    return undefined;
  }

  /** Stores the state that was just written; no-op if a newer one is cached. */
  keep(deployment: TradingDeployment, ledger: Ledger, order: StoredOrder | undefined): void {
    const { deployment_id: id, version } = deployment;
    const before = this.#known.get(id);
    if (before && before.deployment.version >= version) return;
    // Orders that others wrote in between are unknown.
    const orders =
      before?.deployment.version === version - 1 ? before.orders : new Map<string, StoredOrder>();
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

  /** Removes a deployment from the cache. */
  forget(deploymentId: number): void {
    this.#known.delete(deploymentId);
  }

  /** Removes a deployment that another process has written, and bypasses the cache for its next 20 events. */
  bypass(deploymentId: number): void {
    this.forget(deploymentId);
    if (this.#bypassed.size >= MAX_DEPLOYMENTS) this.#bypassed.clear();
    this.#bypassed.set(deploymentId, BYPASS_EVENTS);
  }
}
