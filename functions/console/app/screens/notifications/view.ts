/** Choice of notifications, as the address holds it. */
export interface NotificationsView {
  readonly isUnread: boolean;
  /** Kind of notification; empty for all. */
  readonly kind: string;
  readonly symbol: string;
  readonly deploymentId: number | undefined;
  readonly page: number;
  /** Place at which a filtered list goes on. */
  readonly cursor: number | undefined;
}

const idOf = (text: string | null): number | undefined => {
  const id = Number(text ?? '');
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

/** Reads the choice from an address. */
export const viewOf = (query: URLSearchParams): NotificationsView => ({
  isUnread: query.get('unread') === 'yes',
  kind: query.get('kind') ?? '',
  symbol: query.get('symbol') ?? '',
  deploymentId: idOf(query.get('deployment')),
  page: idOf(query.get('page')) ?? 1,
  cursor: idOf(query.get('from')),
});

/** Returns the address of a choice. */
export const addressOf = (view: NotificationsView): `/${string}` => {
  const query = new URLSearchParams();
  if (view.isUnread) query.set('unread', 'yes');
  if (view.kind !== '') query.set('kind', view.kind);
  if (view.symbol !== '') query.set('symbol', view.symbol);
  if (view.deploymentId !== undefined) query.set('deployment', String(view.deploymentId));
  if (view.cursor !== undefined) query.set('from', String(view.cursor));
  if (view.page > 1) query.set('page', String(view.page));
  const text = query.toString();
  return text === '' ? '/notifications' : `/notifications?${text}`;
};

/** Parameters of the request for a choice. */
export const requestOf = ({ isUnread, kind, symbol, deploymentId, page, cursor }: NotificationsView) => ({
  page,
  size: 50,
  ...(isUnread && { unread: true }),
  ...(kind !== '' && { kind }),
  ...(symbol.trim() !== '' && { symbol: symbol.trim().toUpperCase() }),
  ...(deploymentId !== undefined && { deployment_id: deploymentId }),
  ...(cursor !== undefined && { cursor }),
});

/** Returns whether a choice leaves anything out. */
export const isFiltered = ({ isUnread, kind, symbol, deploymentId }: NotificationsView): boolean =>
  isUnread || kind !== '' || symbol !== '' || deploymentId !== undefined;

/** Kinds of notifications, in words. */
export const KINDS: readonly (readonly [string, string])[] = [
  ['signal_buy', 'Signal to buy'],
  ['signal_sell', 'Signal to sell'],
  ['scanner_match', 'Match of a scanner'],
  ['entry_filled', 'Position opened'],
  ['exit_filled', 'Position closed'],
  ['stop_loss_hit', 'Stop loss hit'],
  ['target_hit', 'Target hit'],
  ['cycle_completed', 'Trade completed'],
  ['entry_cancelled', 'Entry cancelled'],
  ['order_rejected', 'Order rejected'],
  ['order_unknown', 'Order in an unknown state'],
  ['deployment_started', 'Deployment started'],
  ['deployment_paused', 'Deployment paused'],
  ['deployment_resumed', 'Deployment resumed'],
  ['deployment_halted', 'Deployment halted'],
  ['deployment_stopped', 'Deployment stopped'],
  ['deployment_expired', 'Deployment expired'],
  ['deployment_error', 'Deployment failed'],
  ['hold_ignored', 'Hold ignored by the engine'],
  ['risk_warning', 'Risk warning'],
  ['risk_tripped', 'Limit reached'],
  ['kill_switch', 'Kill switch'],
  ['broker_disconnected', 'Broker disconnected'],
  ['token_expiring', 'Access to a broker expires'],
  ['execution_connected', 'Account connected'],
  ['split', 'Split'],
  ['webhook_disabled', 'Webhook switched off'],
  ['webhook_registered', 'Webhook registered'],
  ['signal_hook_created', 'Address for signals made'],
  ['api_key_made', 'API key made'],
  ['assistant_connected', 'Assistant connected'],
  ['deployment_proposed', 'Deployment proposed'],
  ['mail_stopped', 'E-mail stopped'],
  ['mail_ended', 'E-mail switched off'],
];
