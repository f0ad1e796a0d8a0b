/** Describes the groups of operations: the tags of the OpenAPI document. */
export const GROUPS: Readonly<Record<string, string>> = {
  'user-access': 'Registration, sign-in, sessions, one-time codes and password reset.',
  strategies: 'Strategies of a user, the explore catalogue, likes, copies, instruments and brokers.',
  candles: 'Candles of instruments, as stored or derived for a timeframe.',
  backtests:
    'Backtests of rules over stored candles: runs, results, trades, sweeps over parameters, own candles.',
  users: 'Illustrative users, kept apart from real users.',
  deployments:
    'Notification, scanner, live and paper deployments, with order books, profit and loss, and notifications.',
  account: 'Overview of an owner’s account, performance and trades of deployments, notification preferences.',
  events: 'Change events of users and brokers: a log that is read from a cursor on, or followed as it grows.',
  execution: 'Accounts at brokers that the hub places real orders on.',
  'kill-switch': 'Kill switches of users and brokers: they stop all orders at once.',
  webhooks: 'Webhook endpoints of users and brokers: they get changes as these happen.',
  signals: 'Signals from outside, such as alerts of TradingView, for paper and notification deployments.',
  partners:
    'Platform tokens, push registrations, white-label brokers, partners A, B and C; OAuth 2.1 for brokers and assistants.',
  integrators:
    'Read access of white-label brokers to the users who are linked to them. Needs an access token of `/oauth/token`.',
  analytics: 'Forwarding of analytics events to GA4.',
};
