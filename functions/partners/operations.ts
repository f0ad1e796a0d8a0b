import type { Operation } from '../../shared/api/operation.ts';
import { checkForToken } from './check-for-token.ts';
import { confirmBroker } from './confirm-broker.ts';
import { createPartneraSubdomainSecret } from './create-partnera-subdomain-secret.ts';
import { generatePartneraToken } from './generate-partnera-token.ts';
import { generateToken } from './generate-token.ts';
import { getPushTokenWeb } from './get-push-token-web.ts';
import { jwks, jwksHead } from './jwks.ts';
import { oauthOperations } from './oauth/operations.ts';
import { partneraAuth } from './partnera-auth.ts';
import { partnerbAuth } from './partnerb-auth.ts';
import { partnerbGenerateToken } from './partnerb-generate-token.ts';
import { partnercAccess } from './partnerc-access.ts';
import { partnercAuthCallback } from './partnerc-auth-callback.ts';
import { partnercConnect } from './partnerc-connect.ts';
import { partnercDisconnect } from './partnerc-disconnect.ts';
import { registerPushToken } from './register-push-token.ts';
import { removePushToken } from './remove-push-token.ts';
import { unlinkBroker } from './unlink-broker.ts';
import { validateBToken } from './validate-b-token.ts';

/** Tokens, push registrations, white-label brokers and integrators, and the three partners; OAuth 2.1 for integrators and assistants. */
export const partnersOperations: readonly Operation[] = [
  generateToken,
  checkForToken,
  registerPushToken,
  getPushTokenWeb,
  removePushToken,
  partnercAccess,
  partnercAuthCallback,
  validateBToken,
  createPartneraSubdomainSecret,
  generatePartneraToken,
  partnerbGenerateToken,
  partnerbAuth,
  partneraAuth,
  partnercConnect,
  partnercDisconnect,
  unlinkBroker,
  confirmBroker,
  jwks,
  jwksHead,
  ...oauthOperations,
];
