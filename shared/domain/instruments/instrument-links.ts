/** The part of a user's broker link that determines its status. */
interface LinkState {
  readonly connected: boolean;
  /** Absent if the link needs no token, or one that does not expire. */
  readonly token_expires_at?: string | undefined;
}

export type LinkStatus = 'connected' | 'expired' | 'disconnected';

/** Returns the current status of a link. */
export const linkStatus = ({ connected, token_expires_at: expiry }: LinkState, now: Date): LinkStatus => {
  if (!connected) return 'disconnected';
  return expiry !== undefined && Date.parse(expiry) <= now.getTime() ? 'expired' : 'connected';
};

const SHOWN = 4;

/** Masks an account number except for its last four characters; hides its length, and short numbers entirely. */
export const maskAccount = (accountId: string): string => {
  const characters = [...accountId];
  return `****${characters.length > SHOWN ? characters.slice(-SHOWN).join('') : ''}`;
};
