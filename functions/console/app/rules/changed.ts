import { HubApiError } from '../../../../infra/client/package/src/index.ts';

/** Tells whether an error means that the rules were changed since they were read. */
export const isRulesChanged = (error: unknown): boolean =>
  error instanceof HubApiError && error.code === 'rules_changed';
