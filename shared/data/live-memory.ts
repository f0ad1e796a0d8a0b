import type { Ledger } from '../domain/ledger-state.ts';
import type { LiveDeployment } from './deployments.ts';
import type { LiveOrder } from './live-orders.ts';

/** Deployments, and orders of each, that are remembered: a few megabytes at most. */
const MAX_DEPLOYMENTS = 100;
const MAX_ORDERS = 64;
/** After others were seen to take its events too, so many events of a deployment are read for. */
const SHY_EVENTS = 20;
/** Events whose repeats are known. */
const MAX_TAKEN = 1000;

/** A live deployment as it was written last, and the orders that were written with it. */
export interface Recalled {
  readonly deployment: LiveDeployment;
  readonly ledger: Ledger;
  /** By client_order_id. One that is not here may exist all the same. */
  readonly orders: ReadonlyMap<string, LiveOrder>;
}

/**
 * What a consumer of events remembers of the deployments that it has just written, so that the next event of
 * one needs no read. Nothing is decided by it: a transaction that rests on it holds the version of the
 * deployment and the revision of the order, and where others have written since it is refused and the event
 * is read for. Where others take events of the same deployment, it is not relied on for a while.
 */
export class LiveMemory {
  readonly #known = new Map<number, Recalled>();
  readonly #shy = new Map<number, number>();
  readonly #taken = new Set<string>();

  recall(deploymentId: number): Recalled | undefined {
    const left = this.#shy.get(deploymentId) ?? 0;
    if (left === 0) return this.#known.get(deploymentId);
    if (left === 1) this.#shy.delete(deploymentId);
    else this.#shy.set(deploymentId, left - 1);
    return undefined;
  }

  /** Keeps what was written. */
  keep(deployment: LiveDeployment, ledger: Ledger, order: LiveOrder | undefined): void {
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

  /** Whether this very event was taken here before: taking it again would change nothing. */
  hasTaken(event: string): boolean {
    return this.#taken.has(event);
  }

  /** An event was taken, for good. */
  keepTaken(event: string): void {
    this.#taken.add(event);
    const [oldest] = this.#taken;
    if (this.#taken.size > MAX_TAKEN && oldest !== undefined) this.#taken.delete(oldest);
  }

  forget(deploymentId: number): void {
    this.#known.delete(deploymentId);
  }

  /** Others have written what was remembered. */
  beShy(deploymentId: number): void {
    this.forget(deploymentId);
    if (this.#shy.size >= MAX_DEPLOYMENTS) this.#shy.clear();
    this.#shy.set(deploymentId, SHY_EVENTS);
  }
}
