import { HubApiError } from '../../../../infra/client/package/src/index.ts';

/** Refusal of an id that nothing can have. No request is sent for it. */
class MalformedIdError extends Error {}

/** Reads the id in an address; 0, which nothing has, for a text that is none. */
export const idOf = (text: string | undefined): number => {
  const id = text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) ? id : 0;
};

/** Returns an id to ask the service for. */
export const askable = (id: number): number => {
  if (id === 0) throw new MalformedIdError('an address has no valid id');
  return id;
};

/** Tells whether something could not be loaded because it does not exist, or is not for this user. */
export const isMissing = (error: unknown): boolean =>
  error instanceof MalformedIdError ||
  (error instanceof HubApiError && (error.status === 404 || error.status === 422));
