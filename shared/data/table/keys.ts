import { createHash } from 'node:crypto';
import type { Key } from './store.ts';

/** RFC 5321: 64 for the local part, 255 for the domain. */
const MAX_EMAIL_LENGTH = 320;

/** SHA-256 keeps e-mails out of keys (which reach error messages) and bounds the key's length. */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * E-mails are one and the same regardless of case and of the Unicode spelling. The local part is not
 * folded further: dots and plus signs mean different mailboxes with most providers.
 */
export const normaliseEmail = (email: string): string =>
  // A longer text is nobody's e-mail, and normalising one takes time that grows with its square.
  email.length > MAX_EMAIL_LENGTH ? email : email.trim().normalize('NFC').toLowerCase();

/** A longer identifier is nobody's; keys have a bound. */
export const bounded = (id: string): string => (id.length > 64 ? digest(id) : id);

const userPartition = (userId: string): string => `USER#${bounded(userId)}`;

const emailPartition = (email: string): string => `EMAIL#${digest(normaliseEmail(email))}`;

/** Digits of the largest safe integer: identifiers of one length sort as text. */
const ID_DIGITS = 16;

const sortable = (id: number): string => String(id).padStart(ID_DIGITS, '0');

/** The key of every item, by the access that it serves. */
export const keys = {
  /** A user, by the user_id that the caller presents. */
  user: (userId: string): Key => ({ pk: userPartition(userId), sk: 'USER' }),
  /** What signs an e-mail in; also what makes e-mails unique. */
  credentials: (email: string): Key => ({ pk: emailPartition(email), sk: 'CREDENTIALS' }),
  /** The one-time code of a purpose that was last sent for an e-mail. */
  oneTimeCode: (email: string, purpose: string): Key => ({
    pk: emailPartition(email),
    sk: `CODE#${purpose}`,
  }),
  /** The owner of a referral code. */
  referral: (code: string): Key => ({ pk: `REFERRAL#${digest(code.toUpperCase())}`, sk: 'REFERRAL' }),
  /** The user behind a subject of an identity provider. */
  identity: (issuer: string, subject: string): Key => ({
    pk: `IDENTITY#${digest(JSON.stringify([issuer, subject]))}`,
    sk: 'IDENTITY',
  }),
  /** A client application, by the fingerprint of its key. */
  client: (fingerprint: string): Key => ({ pk: `CLIENT#${fingerprint}`, sk: 'CLIENT' }),
  /** A white-label broker, by its sub-domain. */
  broker: (subdomain: string): Key => ({ pk: `BROKER#${digest(subdomain.toLowerCase())}`, sk: 'BROKER' }),
  /** A white-label broker that sign-in pages offer; all of them share a partition to be listed. */
  listedBroker: (subdomain: string): Key => ({ pk: 'BROKERS', sk: digest(subdomain.toLowerCase()) }),
  /** A white-label broker, by its guid. */
  brokerGuid: (guid: string): Key => ({ pk: `BROKER_GUID#${digest(guid.toLowerCase())}`, sk: 'BROKER_GUID' }),
  /** The user whom a broker's account is linked to. */
  brokerAccount: (subdomain: string, serverId: number | undefined, accountId: string): Key => ({
    pk: `BROKER_ACCOUNT#${digest(JSON.stringify([subdomain.toLowerCase(), serverId ?? null, accountId]))}`,
    sk: 'BROKER_ACCOUNT',
  }),
  /** That a partner token was used. */
  partnerToken: (tokenId: string): Key => ({ pk: `PARTNER_TOKEN#${digest(tokenId)}`, sk: 'PARTNER_TOKEN' }),
  /** The devices of a user that take push messages. */
  pushRegistrations: (userId: string): Key => ({ pk: userPartition(userId), sk: 'PUSH' }),
  /** The user whose device a push key belongs to. */
  pushKey: (pushKey: string): Key => ({ pk: `PUSH_KEY#${digest(pushKey)}`, sk: 'PUSH_KEY' }),
  /** A way to partner C's consent and back, by its state. */
  partnerCState: (state: string): Key => ({ pk: `PARTNERC_STATE#${digest(state)}`, sk: 'PARTNERC_STATE' }),
  /** A user's connection to partner C. */
  partnerCConnection: (userId: string): Key => ({ pk: userPartition(userId), sk: 'PARTNERC' }),
  /** A connection to partner C that no user has taken over yet. */
  unclaimedPartnerCConnection: (connectionId: string): Key => ({
    pk: `PARTNERC#${digest(connectionId)}`,
    sk: 'PARTNERC',
  }),
  /** A message that is to leave the system. */
  outbox: (deliveryId: string): Key => ({ pk: `OUTBOX#${deliveryId}`, sk: 'OUTBOX' }),
  /** The stored answer to a request that carried an Idempotency-Key. */
  idempotency: (scope: string, key: string): Key => ({
    pk: `IDEMPOTENCY#${digest(JSON.stringify([scope, key]))}`,
    sk: 'IDEMPOTENCY',
  }),
  /** A strategy, by its id. */
  strategy: (strategyId: number): Key => ({ pk: `STRATEGY#${strategyId}`, sk: 'STRATEGY' }),
  /** A strategy among those of its owner, sorted by age; `''` begins the range of all of them. */
  ownedStrategy: (userId: string, strategyId: number | ''): Key => ({
    pk: userPartition(userId),
    sk: `STRATEGY#${strategyId === '' ? '' : sortable(strategyId)}`,
  }),
  /** What makes the names of a user's strategies unique. */
  strategyName: (userId: string, name: string): Key => ({
    pk: userPartition(userId),
    sk: `STRATEGY_NAME#${digest(name)}`,
  }),
  /** A strategy that a user likes; `''` begins the range of all of them. */
  favourite: (userId: string, strategyId: number | ''): Key => ({
    pk: userPartition(userId),
    sk: `FAVOURITE#${strategyId === '' ? '' : sortable(strategyId)}`,
  }),
  /** What lists show a user of each strategy: whether they like it, whether they copied it. */
  strategyMarks: (userId: string): Key => ({ pk: userPartition(userId), sk: 'STRATEGY_MARKS' }),
  /** How many strategies each category of the explore catalogue has. */
  categories: (): Key => ({ pk: 'CATEGORIES', sk: 'CATEGORIES' }),
  /** A strategy under a beginning of one of its words, ranked by its likes. */
  strategySearch: (beginning: string, rank: number, strategyId: number): Key => ({
    pk: `STRATEGY_SEARCH#${beginning}`,
    sk: `${String(rank).padStart(2, '0')}#${sortable(strategyId)}`,
  }),
  /** A deployment, by its id. */
  deployment: (deploymentId: number): Key => ({ pk: `DEPLOYMENT#${deploymentId}`, sk: 'DEPLOYMENT' }),
  /** What a user's lists show of a live deployment: those that run sort behind those that have ended exposed. */
  listedTrading: (userId: string, ended: boolean, deploymentId: number): Key => ({
    pk: userPartition(userId),
    sk: `LIVE#${ended ? 0 : 1}#${sortable(deploymentId)}`,
  }),
  /** The sums over a user's ended live deployments of a scope: a strategy's, or all of a market. */
  tradingTotals: (userId: string, scope: string): Key => ({
    pk: userPartition(userId),
    sk: `LIVE_TOTALS#${scope}`,
  }),
  /** A listed strategy by its name, among those whose names begin alike. */
  strategyTitle: (partition: string, title: string, strategyId: number): Key => ({
    pk: `STRATEGY_TITLE#${partition}`,
    sk: `${title}#${sortable(strategyId)}`,
  }),
  /** A dummy user; all of them share a partition, sorted by age. */
  dummyUser: (id: string): Key => ({ pk: 'DUMMY_USERS', sk: id }),
  /** An instrument, by its symbol. */
  instrument: (symbol: string): Key => ({ pk: `INSTRUMENT#${symbol}`, sk: 'INSTRUMENT' }),
  /**
   * A text by which an instrument is found, among those of its class that begin with the same letter.
   * The separator sorts before letters and digits, so what matches exactly comes first.
   */
  instrumentSearch: (
    scope: string,
    assetClass: string,
    entry: { readonly rank: number; readonly text: string },
    symbol: string,
  ): Key => ({
    pk: `INSTRUMENT_SEARCH#${scope}#${assetClass}#${String.fromCodePoint(entry.text.codePointAt(0) ?? 0)}`,
    sk: `${entry.rank}#${entry.text} #${symbol}`,
  }),
  /** What a broker (by its slug) offers, by the hub's symbol. */
  brokerTicker: (slug: string, symbol: string): Key => ({ pk: `BROKER_TICKERS#${slug}`, sk: symbol }),
  /** A retail broker; all of them share a partition to be listed. */
  retailBroker: (slug: string): Key => ({ pk: 'RETAIL_BROKERS', sk: slug }),
  /** A universe; all of them share a partition to be listed. */
  universe: (universeId: string): Key => ({ pk: 'UNIVERSES', sk: universeId }),
} as const;
