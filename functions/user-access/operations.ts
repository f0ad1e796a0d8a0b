import type { Operation } from '../../shared/api/operation.ts';
import { getApiKeys } from './api-keys/get-api-keys.ts';
import { getOwnAccess } from './api-keys/get-own-access.ts';
import { makeApiKey } from './api-keys/make-api-key.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { authIdp } from './auth-idp.ts';
import { blloo } from './blloo.ts';
import { changeEmail } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { confirmEmail } from './confirm-email.ts';
import { confirmEmailChange } from './confirm-email-change.ts';
import { confirmEmailLink } from './confirm-email-link.ts';
import { correctEmail } from './correct-email.ts';
import { deleteAccount } from './delete-account.ts';
import { endGrants } from './end-grants.ts';
import { endSession } from './end-session.ts';
import { addPasskey } from './factors/add-passkey.ts';
import { addTotp } from './factors/add-totp.ts';
import { confirmTotp } from './factors/confirm-totp.ts';
import { getFactors } from './factors/get-factors.ts';
import { keepFactors } from './factors/keep-factors.ts';
import { makeRecoveryCodes } from './factors/make-recovery-codes.ts';
import { passkeyOptions } from './factors/passkey-options.ts';
import { removeLostFactors } from './factors/remove-lost-factors.ts';
import { removePasskey } from './factors/remove-passkey.ts';
import { removeTotp } from './factors/remove-totp.ts';
import { sendStepUpCode } from './factors/send-step-up-code.ts';
import { signInPasskey } from './factors/sign-in-passkey.ts';
import { stepUp } from './factors/step-up.ts';
import { getGrants } from './get-grants.ts';
import { getSecurityEvents } from './get-security-events.ts';
import { getSessions } from './get-sessions.ts';
import { health } from './health.ts';
import { login } from './login.ts';
import { loginUserBroker } from './login-user-broker.ts';
import { registerLogin } from './register-login.ts';
import { registerUser } from './register-user.ts';
import { registerUserBroker } from './register-user-broker.ts';
import { removeSubscription } from './remove-subscription.ts';
import { resetPassword } from './reset-password.ts';
import { sendEmailConfirmation } from './send-email-confirmation.ts';
import { sendOtpPasswordReset } from './send-otp-password-reset.ts';
import { sendSmsOtp } from './send-sms-otp.ts';
import { sessionLogout } from './session-logout.ts';
import { sessionRelogin } from './session-relogin.ts';
import { sessionState } from './session-state.ts';
import { undoEmailChange } from './undo-email-change.ts';
import { validateSmsOtp } from './validate-sms-otp.ts';
import { verifySession } from './verify-session.ts';
import { verifyUser } from './verify-user.ts';

/** Registration, sign-in, sessions, one-time codes. */
export const userAccessOperations: readonly Operation[] = [
  blloo,
  removeSubscription,
  health,
  verifySession,
  registerUser,
  authIdp,
  registerUserBroker,
  loginUserBroker,
  verifyUser,
  sendOtpPasswordReset,
  resetPassword,
  registerLogin,
  sessionRelogin,
  login,
  sendSmsOtp,
  validateSmsOtp,
  deleteAccount,
  sessionLogout,
  sessionState,
  getSessions,
  endSession,
  confirmEmail,
  confirmEmailLink,
  sendEmailConfirmation,
  changePassword,
  changeEmail,
  confirmEmailChange,
  correctEmail,
  undoEmailChange,
  getSecurityEvents,
  getGrants,
  endGrants,
  stepUp,
  sendStepUpCode,
  makeApiKey,
  getApiKeys,
  getOwnAccess,
  revokeApiKey,
  passkeyOptions,
  signInPasskey,
  getFactors,
  addPasskey,
  removePasskey,
  addTotp,
  confirmTotp,
  removeTotp,
  makeRecoveryCodes,
  removeLostFactors,
  keepFactors,
];
