import type { AuditText } from '../data/audit/audit-trail.ts';
import type { ListEntries } from '../data/books/list-entries.ts';
import type { StoredOrder } from '../data/books/orders.ts';
import type { Deployment } from '../data/deployments/deployments.ts';
import type { Notification } from '../data/deployments/notification.ts';
import type { Stageable } from '../data/deployments/staged-change.ts';
import type { MarketClock } from '../data/engine/market-clock.ts';
import type { Message } from '../data/outbox/messages.ts';
import type { Items } from '../data/table/items.ts';
import type { Write } from '../data/table/writes.ts';
import type { ChangeDraft } from '../domain/changes/change-event.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import type { OverallMarks } from '../domain/risk/equity.ts';
import type { Totals } from '../domain/risk/overall-records.ts';

/** Text of a notification to the owner. The change adds identifiers and times. */
export type NotificationText = Pick<Notification, 'kind' | 'severity' | 'symbol' | 'title' | 'body' | 'data'>;

/** Holds the changed deployment with its books. */
interface Changed {
  /** The same object as before if only other items change. Then the write sets only its version. */
  readonly deployment: Deployment;
  /** The ledger of a trading deployment, if it was unpacked. */
  readonly ledger?: Ledger;
  /** The changed order of a trading deployment, as it is stored afterwards. */
  readonly order?: StoredOrder;
  /** Counts of the user over all deployments that an entry was decided on. The transaction fails if they changed. */
  readonly totals?: Totals | undefined;
  /** Prices of bars for the counts of the user. */
  readonly overallMarks?: OverallMarks | undefined;
  /** Market time of the change, of a deployment that the hub runs: start of the bar that caused it. */
  readonly at?: Date;
  /** Clock of a deployment that the hub runs: the time of a change that no bar causes. */
  readonly clock?: MarketClock;
}

/** Holds the news for the owner, the audit trail and those who listen. */
interface Told {
  readonly notifications: readonly NotificationText[];
  /** True if a user decides how often it happens: e-mails and text messages are limited. */
  readonly isOfUser?: boolean;
  readonly audit?: AuditText;
  /** True if only the deployment's part of the trail gets the entry: another entry says it for all deployments. */
  readonly isAuditedElsewhere?: boolean;
  /** Returns the change events of orders, trades and signals. Runs only if somebody listens to the deployment. */
  readonly changes?: () => readonly ChangeDraft[];
  /** Entries for the lists of the owner. */
  readonly entries?: Partial<Pick<ListEntries, 'new_order' | 'slipped_order' | 'trades'>>;
  /** Further messages to send with the change. */
  readonly messages?: readonly Message[];
}

/** Holds further writes of the transaction; the deployment's version guards them. */
interface AlsoWritten {
  readonly writes?: readonly Write[];
  /** Changes of other orders and of trades. Too many for one transaction are staged. */
  readonly stageable?: readonly Stageable[];
  /** Writes that depend on the newest bars. They are made from the items read at the keys of `clock`. */
  readonly clockWrites?: (items: Items) => readonly Write[];
}

/** The result of deciding a change of a deployment. */
export type Effect = Changed & Told & AlsoWritten;
