import type {
  ApiKey,
  ExecutionConnection,
  LiveDeploymentCustomOut,
  OverviewRisk,
} from '../../../../../infra/client/package/src/index.ts';
import { countText } from '../../count-text.ts';
import { limitLabel } from '../../risk/limits.ts';

/** Thing that waits for the user. */
export interface Need {
  readonly kind: 'info' | 'warn' | 'bad';
  readonly text: string;
  readonly href: string;
  /** Name of the link. */
  readonly label: string;
}

/** Things of an account that may wait for its user. */
export interface NeedFacts {
  readonly isEmailVerified: boolean;
  readonly deployments: readonly Pick<
    LiveDeploymentCustomOut,
    'deployment_id' | 'strategy_name' | 'status'
  >[];
  readonly risk: readonly Pick<
    OverviewRisk,
    'deployment_id' | 'strategy_name' | 'limit' | 'used_pct' | 'tripped'
  >[];
  /** Number of unread notifications about deployments that failed. */
  readonly failures: number;
  /** Number of deployments that an assistant proposes. */
  readonly proposals: number;
  readonly unread: number;
  readonly keys: readonly Pick<ApiKey, 'name' | 'expires_at'>[];
  readonly connections: readonly Pick<ExecutionConnection, 'account_id' | 'status'>[];
}

const DAY_MS = 86_400_000;
/** Time before the end of a token from which on it is worth a word. */
const SOON_MS = 14 * DAY_MS;
const NEAR_PCT = 80;

const HELD = {
  paused: { kind: 'warn', text: 'is paused: it opens no position.' },
  halted: { kind: 'bad', text: 'is halted: it sends no orders.' },
  error: { kind: 'bad', text: 'has failed.' },
} as const;

const isHeld = (status: string): status is keyof typeof HELD => Object.hasOwn(HELD, status);

const heldNeeds = ({ deployments }: NeedFacts): Need[] =>
  deployments.flatMap(({ deployment_id: id, strategy_name: name, status }): Need[] =>
    isHeld(status)
      ? [
          {
            kind: HELD[status].kind,
            text: `“${name}” ${HELD[status].text}`,
            href: `#/deployments/${id}`,
            label: 'Open the deployment',
          },
        ]
      : [],
  );

const riskNeeds = ({ risk }: NeedFacts): Need[] =>
  risk.flatMap(({ deployment_id, strategy_name, limit, used_pct, tripped }): Need[] => {
    if (tripped === null && used_pct < NEAR_PCT) return [];
    const state = tripped === null ? 'is close to its limit' : 'has reached its limit';
    return [
      {
        kind: tripped === null ? 'warn' : 'bad',
        text: `“${strategy_name}” ${state}: ${limitLabel(tripped ?? limit)}.`,
        href: `#/risk?deployment=${deployment_id}`,
        label: 'See its limits',
      },
    ];
  });

const keyNeeds = ({ keys }: NeedFacts, now: number): Need[] =>
  keys.flatMap(({ name, expires_at }): Need[] => {
    const left = Date.parse(expires_at) - now;
    if (left > SOON_MS) return [];
    const days = Math.ceil(left / DAY_MS);
    return [
      {
        kind: 'warn',
        text: `The API key “${name}” ${left > 0 ? `ends in ${countText(days, 'day')}` : 'has ended'}.`,
        href: '#/settings?part=programs',
        label: 'See your API keys',
      },
    ];
  });

const connectionNeeds = ({ connections }: NeedFacts): Need[] =>
  connections.flatMap(({ account_id, status }): Need[] =>
    status === 'refused'
      ? [
          {
            kind: 'bad',
            text: `The broker refuses the account ${account_id}. Connect it again.`,
            href: '#/settings?part=brokers',
            label: 'See your brokers',
          },
        ]
      : [],
  );

/** Lists what waits for the user, the worst first. */
export const needsOf = (facts: NeedFacts, now: number): readonly Need[] => {
  const { isEmailVerified, failures, proposals, unread } = facts;
  const needs: Need[] = [
    ...heldNeeds(facts),
    ...riskNeeds(facts),
    ...connectionNeeds(facts),
    ...keyNeeds(facts, now),
  ];
  if (failures > 0) {
    needs.push({
      kind: 'bad',
      text: `${countText(failures, 'deployment')} failed, and you have not read why.`,
      href: '#/notifications?kind=deployment_error&unread=yes',
      label: 'Read why',
    });
  }
  if (proposals > 0) {
    needs.push({
      kind: 'warn',
      text: `${countText(proposals, 'proposed deployment waits', 'proposed deployments wait')} for your answer.`,
      href: '#/proposals',
      label: 'Answer',
    });
  }
  if (!isEmailVerified) {
    needs.push({
      kind: 'warn',
      text: 'Your e-mail is not confirmed, so you cannot publish or connect a broker.',
      href: '#/email',
      label: 'Confirm it',
    });
  }
  if (unread > 0) {
    needs.push({
      kind: 'info',
      text: `${countText(unread, 'unread notification')}.`,
      href: '#/notifications?unread=yes',
      label: 'Read them',
    });
  }
  const rank = { bad: 0, warn: 1, info: 2 };
  return needs.sort((one, other) => rank[one.kind] - rank[other.kind]);
};
