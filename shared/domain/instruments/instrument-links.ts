/** A user's link to a broker, as far as its state goes. */
interface LinkState {
  readonly connected: boolean;
  /** Absent where the link needs no token, or one that does not expire. */
  readonly token_expires_at?: string | undefined;
}

export type LinkStatus = 'connected' | 'expired' | 'disconnected';

/** What a link is good for now. */
export const linkStatus = ({ connected, token_expires_at: expiry }: LinkState, now: Date): LinkStatus => {
  if (!connected) return 'disconnected';
  return expiry !== undefined && Date.parse(expiry) <= now.getTime() ? 'expired' : 'connected';
};

const SHOWN = 4;

/** Hides an account number but for its last four characters, and its length; a short one is hidden whole. */
export const maskAccount = (accountId: string): string => {
  const characters = [...accountId];
  return `****${characters.length > SHOWN ? characters.slice(-SHOWN).join('') : ''}`;
};
