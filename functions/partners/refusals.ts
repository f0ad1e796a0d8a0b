import { HubError } from '../../shared/api/errors.ts';

/** The user whom `user_id` names does not exist. */
export const unknownUser = (): HubError => new HubError('user_unknown', 'There is no such user.');

/** The broker that a call names does not exist. */
export const unknownBroker = (): HubError =>
  new HubError('broker_unknown', 'There is no such broker: check the sub-domain, the guid or the name.');

/** The one answer to a secret that is malformed, wrong, over, or another broker's. */
export const wrongSecret = (): HubError =>
  new HubError('broker_secret_invalid', 'The bearer is not a secret of this broker that works now.');

/** The one answer to a token that is malformed, over, of another kind, another broker's, or not the broker's word. */
export const wrongToken = (): HubError =>
  new HubError('partner_token_invalid', 'The partner token is not valid here. Have a new one made.');

export const usedToken = (): HubError =>
  new HubError('partner_token_used', 'The partner token was used before. Have a new one made.');

export const unlinkedAccount = (): HubError =>
  new HubError(
    'partner_account_unlinked',
    'No user is linked to this account. Send the token as partner_token with /register_user_broker, or with /login_user_broker to link an existing user.',
  );

/** The user has no connection to partner C. */
export const unknownConnection = (): HubError =>
  new HubError('connection_unknown', 'There is no such connection to partner C.');

/** An operator keeps the broker from acting. */
export const suspendedBroker = (): HubError =>
  new HubError('broker_suspended', 'The broker is suspended. Ask the operator of the service.');
