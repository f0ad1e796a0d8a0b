import type { UpstreamDownError } from '../channels/upstream.ts';
import type { ThrownSwitch } from '../data/switches/switches.ts';
import { maskedEmail } from '../domain/proven.ts';
import { HubError, ValidationError } from './errors.ts';
import type { ValidationDetail } from './validation-detail.ts';

/** Refuses an unknown `user_id`. */
export const unknownUser = (): HubError => new HubError('user_unknown', 'There is no such user.');

/** Refuses what reaches others to an account whose e-mail nobody proved. */
export const unprovenEmail = ({ email }: { readonly email: string }): HubError =>
  new HubError(
    'email_unproven',
    `Confirm your e-mail first: enter the code that was mailed to ${maskedEmail(email)} at /confirm_email, or get another one at /send_email_confirmation.`,
  );

/** Refuses an unknown broker. */
export const unknownBroker = (): HubError =>
  new HubError('broker_unknown', 'There is no such broker: check the sub-domain, the guid or the name.');

/** Refuses a malformed, wrong or expired secret, and a secret of another broker, with the same answer. */
export const wrongSecret = (): HubError =>
  new HubError('broker_secret_invalid', 'The bearer token is not a valid secret for this broker.');

/**
 * Refuses a malformed or expired token, a token of another kind or broker, and one that was requested without the
 * broker's secret, with the same answer.
 */
export const wrongToken = (): HubError =>
  new HubError('partner_token_invalid', 'The partner token is not valid. Request a new token.');

export const usedToken = (): HubError =>
  new HubError('partner_token_used', 'The partner token was used before. Request a new token.');

export const unlinkedAccount = (): HubError =>
  new HubError(
    'partner_account_unlinked',
    'No user is linked to this account. Send the token as partner_token with /register_user_broker, or with /login_user_broker to link an existing user.',
  );

/** Refuses a user without a connection to partner C. */
export const unknownConnection = (): HubError =>
  new HubError('connection_unknown', 'There is no such connection to partner C.');

/** Refuses a broker that an operator suspended. */
export const suspendedBroker = (): HubError =>
  new HubError('broker_suspended', 'The broker is suspended. Contact the operator of the service.');

/** Converts an upstream failure to the error for the caller. */
export const upstreamFailed = (error: UpstreamDownError): HubError =>
  new HubError('upstream_failed', 'An external service did not answer. Try again in a few seconds.', {
    cause: error,
    retryAfterS: 5,
  });

/** Refuses an account at a broker that is linked to another user. */
export const takenAccount = (): HubError =>
  new HubError('account_taken', 'Another user is linked to this account of the broker.');

/** Refuses a broker that the platform has not approved. */
export const unapprovedBroker = (): HubError =>
  new HubError(
    'broker_unapproved',
    'The platform has not approved this broker yet. Its tokens sign in only users who registered with one, for a day.',
  );

/** Refuses an unknown strategy, and a private one of another user, with the same answer. */
export const unknownStrategy = (): HubError => new HubError('strategy_unknown', 'There is no such strategy.');

/** Refuses to deploy or publish an archived strategy. */
export const archivedStrategy = (): HubError =>
  new HubError('strategy_archived', 'The strategy is archived. Take it out of the archive first.');

/** Refuses a name that another strategy of the user has. */
export const takenName = (): HubError =>
  new HubError('name_taken', 'You already have a strategy with this name.');

/** Refuses an unknown backtest, and one of another user, with the same answer. */
export const unknownRecord = (): HubError => new HubError('record_unknown', 'There is no such track record.');

export const unknownBacktest = (): HubError => new HubError('backtest_unknown', 'There is no such backtest.');

/** Refuses an unknown sweep, and one of another user, with the same answer. */
export const unknownSweep = (): HubError => new HubError('sweep_unknown', 'There is no such sweep.');

/** Refuses an unknown deployment, and one of another user, with the same answer. */
export const unknownDeployment = (): HubError =>
  new HubError('deployment_unknown', 'There is no such deployment.');

/** Refuses to explain a deployment that the hub does not run. */
export const externalEngine = (): HubError =>
  new HubError(
    'engine_external',
    'No rules of the hub run this deployment: an external engine or signals place its orders.',
  );

const THROWN: Readonly<Record<ThrownSwitch['level'], string>> = {
  user: 'The kill switch of the user is thrown',
  broker: 'The kill switch of the broker is thrown',
  service: 'The kill switch of the service is thrown',
};

/** Refuses to let a deployment trade while a kill switch is thrown. */
export const thrownKillSwitch = ({ level }: ThrownSwitch): HubError =>
  new HubError('kill_switch', `${THROWN[level]}. Nothing is deployed or resumed until it is re-armed.`);

/** Refuses an unknown order, and one of another user, with the same answer. */
export const unknownOrder = (): HubError => new HubError('order_unknown', 'There is no such order.');

/** Refuses a change of a broker whose secret another call replaced meanwhile. */
export const replacedSecret = (): HubError =>
  new HubError('changed_meanwhile', 'The secret was replaced by another call. Use the new secret.');

/**
 * Refuses a value that a schema cannot check, as schemas do.
 *
 * @param loc the part of the request and the name, such as `['query', 'symbol']`
 * @param ctx bounds that the message names
 */
export const invalidValue = (
  loc: ValidationDetail['loc'],
  msg: string,
  type: string,
  ctx?: ValidationDetail['ctx'],
): ValidationError => new ValidationError([{ loc, msg, type, ...(ctx && { ctx }) }]);

export const hiddenCandles = (): HubError =>
  new HubError(
    'candles_hidden',
    'The licence of the source of these candles does not allow showing them. Backtests and deployments use them.',
  );
