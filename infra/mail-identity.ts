/** Sender of a stage's mails, and the identity of SES that proves it. */
export interface MailSender {
  readonly mailFrom: { readonly address: string; readonly identity?: string | undefined };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Tells whether an identity of SES may send mails from an address. A domain needs at least two labels. */
export const canSend = (identity: string, address: string): boolean =>
  identity === address ||
  (/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(identity) && `.${domainOf(address)}`.endsWith(`.${identity}`));

/** Returns the identity of SES that the mails of a stage are sent with. */
export const mailIdentity = ({ mailFrom }: MailSender): string =>
  mailFrom.identity ?? domainOf(mailFrom.address);

/** Returns a domain and its parent domains, up to one of them. */
const domainsUpTo = (domain: string, last: string): string[] =>
  domain === last || !domain.includes('.')
    ? [domain]
    : [domain, ...domainsUpTo(domain.slice(domain.indexOf('.') + 1), last)];

/** Returns the identities that SES may choose for the mails of a stage: the address, and domains up to its identity. */
export const mailIdentities = (config: MailSender): string[] => {
  const { address } = config.mailFrom;
  const identity = mailIdentity(config);
  return identity === address ? [address] : [address, ...domainsUpTo(domainOf(address), identity)];
};
