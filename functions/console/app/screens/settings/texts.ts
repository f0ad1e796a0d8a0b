import type { Grant, SecurityEvent, UserSession } from '../../../../../infra/client/package/src/index.ts';

/** Name of a place where the user is signed in. */
export const signInName = ({ device, is_platform_token: isToken }: UserSession): string =>
  isToken ? 'Platform token of your programs' : (device ?? 'Unknown device');

/** Name of a device that gets push messages. */
export const pushName = (kind: string): string => (kind === 'web_push' ? 'Browser' : 'Mobile app');

/** Words of a group of notifications. */
const GROUPS: Readonly<Record<string, { readonly label: string; readonly hint: string }>> = {
  signals: { label: 'Signals', hint: 'Your strategy says buy or sell, or a scanner finds something.' },
  fills: { label: 'Trades', hint: 'A position was opened or closed.' },
  orders: { label: 'Orders', hint: 'An order was cancelled or rejected, or its state is unknown.' },
  status: { label: 'Deployments', hint: 'A deployment starts, stops, pauses, expires or fails.' },
  risk: { label: 'Risk', hint: 'A limit is close or reached, or the kill switch is used.' },
  security: {
    label: 'Security',
    hint: 'Accounts for real orders, connections that broke, and mails that a link switched off.',
  },
};

/** Name and explanation of a group of notifications. */
export const groupText = (group: string): { readonly label: string; readonly hint: string } =>
  GROUPS[group] ?? { label: group, hint: '' };

const DISABLED: Readonly<Record<string, string>> = {
  owner: 'Switched off by you',
  gone: 'Switched off: the address says that it is gone',
  failing: 'Switched off: nothing was accepted for 5 days',
};

/** State of a webhook, in words. */
export const webhookState = (webhook: {
  readonly status: string;
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
}): { readonly kind: 'good' | 'warn' | 'bad'; readonly text: string } => {
  if (webhook.status === 'pending') return { kind: 'warn', text: 'Waits for its answer' };
  if (webhook.status !== 'enabled') {
    return { kind: 'bad', text: DISABLED[webhook.disabled_reason ?? ''] ?? 'Switched off' };
  }
  return webhook.failing_since === null
    ? { kind: 'good', text: 'On' }
    : { kind: 'warn', text: 'On, but failing' };
};

/** Outcome of a delivery, in words. */
export const deliveryText = (delivery: {
  readonly status: string;
  readonly attempts: number;
  readonly http_status: number | null;
  readonly failure: string | null;
}): { readonly kind: 'good' | 'warn' | 'bad'; readonly text: string } => {
  const status = delivery.http_status === null ? '' : ` (${delivery.http_status})`;
  if (delivery.status === 'delivered') return { kind: 'good', text: `Delivered${status}` };
  if (delivery.status === 'failed') {
    return { kind: 'bad', text: `Failed${status || (delivery.failure ? `: ${delivery.failure}` : '')}` };
  }
  return { kind: 'warn', text: delivery.attempts === 0 ? 'Waiting' : `Tries again${status}` };
};

/** Words of an event type, such as `order.partially_filled`. */
export const eventText = (type: string): string => {
  const words = type.replace(/[._]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

const STOPS: Readonly<Record<string, string>> = {
  bounce: 'its mail service refused a mail for good. Make sure that the address works.',
  complaint: 'a mail to it was reported as spam.',
};

/** Reason for which an address gets no mail. Without a stop, it was never confirmed. */
export const mailStopText = (reason: unknown): string =>
  STOPS[String(reason)] ?? 'the address is not confirmed.';

/** Names the groups that unsubscribing switched off, and that are off still; empty for none. */
export const switchedOff = (
  ended: unknown,
  groups: readonly { readonly group: string; readonly email: boolean }[],
): string =>
  (Array.isArray(ended) ? ended : [])
    .filter((name) => groups.some(({ group, email }) => group === name && !email))
    .map((name) => groupText(String(name)).label)
    .join(', ');

const SECURITY: Readonly<Record<SecurityEvent['kind'], string>> = {
  signed_in: 'Signed in',
  sign_in_failed: 'Wrong password',
  email_confirmed: 'E-mail confirmed',
  email_changed: 'E-mail changed',
  email_change_undone: 'Change of the e-mail undone',
  email_corrected: 'E-mail corrected',
  phone_verified: 'Phone number verified',
  password_changed: 'Password changed',
  password_reset: 'New password with a mailed code or link',
  stepped_up: 'Confirmed that it is you',
  step_up_failed: 'Wrong code of a second factor',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  passkey_copied: 'Passkey that may have been copied refused',
  totp_added: 'Authenticator app added',
  totp_removed: 'Authenticator app removed',
  recovery_codes_made: 'Recovery codes made',
  recovery_code_used: 'Recovery code used',
  factor_removal_asked: 'Removal of lost factors asked for',
  factors_kept: 'Removal of lost factors ended',
  sessions_ended: 'Signed out elsewhere',
  platform_token_made: 'Platform token made',
  api_key_made: 'API key made',
  api_key_revoked: 'API key revoked',
  assistant_connected: 'Assistant connected',
  assistant_disconnected: 'Assistant disconnected itself',
  assistant_token_reused: 'Assistant ended: a used code or token came again',
  webhook_registered: 'Webhook registered',
  webhook_removed: 'Webhook removed',
  signal_address_made: 'Address for signals made',
  signal_address_revoked: 'Address for signals revoked',
  signals_refused: 'Signals refused',
  execution_connected: 'Account for orders connected',
  execution_disconnected: 'Account for orders disconnected',
  partner_connected: 'Connected to partner C',
  partner_disconnected: 'Disconnected from partner C',
  broker_confirmed: 'Broker confirmed',
  broker_unlinked: 'Broker unlinked',
  grants_ended: 'All that acts for you ended',
};

/** Security event in words, with the reason of a refusal. */
export const securityText = ({ kind, detail }: Pick<SecurityEvent, 'kind' | 'detail'>): string =>
  detail === null ? SECURITY[kind] : `${SECURITY[kind]} (${detail.replaceAll('_', ' ')})`;

const GRANTS: Readonly<Record<Grant['kind'], string>> = {
  api_key: 'API key',
  webhook: 'Webhook',
  signal_address: 'Address for signals',
  execution_connection: 'Account for orders',
  partner_connection: 'Partner',
  broker: 'Broker',
  deployment: 'Deployment',
};

/** Kind of what acts for the user, in words. */
export const grantText = (kind: Grant['kind']): string => GRANTS[kind];
