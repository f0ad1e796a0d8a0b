/** Account by its proof. */
interface Provable {
  readonly email_verified: boolean;
}

/** Returns whether a person proved the e-mail of an account. What an unproven account does reaches its owner only. */
export const isProven = ({ email_verified }: Provable): boolean => email_verified;

/**
 * Returns an e-mail with most of its local part hidden, so that only its owner recognizes it.
 *
 * @example
 * maskedEmail('ada@example.com'); // 'a***@example.com'
 */
export const maskedEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  const [first = ''] = [...email.slice(0, Math.max(0, at))];
  return `${first}***${email.slice(Math.max(0, at))}`;
};
