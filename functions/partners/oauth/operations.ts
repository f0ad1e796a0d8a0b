import type { Operation } from '../../../shared/api/operation.ts';
import { oauthAuthorize } from './authorize.ts';
import { giveConsent } from './consent/give-consent.ts';
import { openConsent } from './consent/open-consent.ts';
import { authorizationServer, protectedMcp, protectedResource } from './metadata.ts';
import { oauthToken } from './oauth-token.ts';
import { oauthRegister } from './register.ts';
import { oauthRevoke } from './revoke.ts';

/** Authorization server of OAuth 2.1: tokens of brokers and of assistants. */
export const oauthOperations: readonly Operation[] = [
  protectedResource,
  protectedMcp,
  authorizationServer,
  oauthAuthorize,
  openConsent,
  giveConsent,
  oauthToken,
  oauthRevoke,
  oauthRegister,
];
