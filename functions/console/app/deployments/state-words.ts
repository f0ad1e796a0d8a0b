import type { GetDeploymentOutput } from '../../../../infra/client/package/src/index.ts';

/** State of a deployment, as its record and the lists have it. */
export type DeploymentFacts = Pick<GetDeploymentOutput, 'status' | 'stop_reason' | 'held' | 'stopping'> & {
  /** Phase of a live, paper or notification deployment. */
  readonly phase?: 'waiting' | 'entered' | 'exited';
  readonly kind: GetDeploymentOutput['deployment_type'];
};

/** State of a deployment in words: a label, and a sentence with the reason. */
export interface StateWords {
  readonly tone: 'good' | 'info' | 'warn' | 'bad';
  readonly label: string;
  readonly sentence: string;
}

type Hold = NonNullable<GetDeploymentOutput['held']>;

const ACTORS: Readonly<Record<Hold['by'], string>> = {
  user: 'you',
  broker: 'the broker',
  operator: 'the operator of the service',
  risk_limit: 'a risk limit',
  kill_switch: 'the kill switch',
  engine: 'its engine',
};

/** Names who gave a command. */
const actorName = (by: Hold['by']): string => ACTORS[by];

/** Text of the service for a command without a reason. */
const NO_REASON = 'No reason given.';

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Returns the reason of a command as a sentence to add; empty without one. */
const reasonSentence = (reason: string): string => {
  const text = reason.trim();
  return text === '' || text === NO_REASON ? '' : ` ${ended(text)}`;
};

const by = ({ by: actor, reason }: Pick<Hold, 'by' | 'reason'>, verb: string): string =>
  `${verb} by ${actorName(actor)}.${reasonSentence(reason)}`;

const PAUSED: Readonly<Record<DeploymentFacts['kind'], string>> = {
  live: 'It opens no position. Stops, targets and exits go on.',
  notification: 'It raises no signals.',
  scanner: 'It reports no matches.',
};

const HALTED: Readonly<Record<DeploymentFacts['kind'], string>> = {
  live: 'It sends no orders, not even to close a position.',
  notification: 'It raises no signals.',
  scanner: 'It reports no matches.',
};

const ENDS: Readonly<Record<NonNullable<DeploymentFacts['stop_reason']>, string>> = {
  completed: 'It has finished.',
  user: 'You stopped it.',
  expired: 'It reached its end date.',
  order_rejected: 'The broker rejected an order.',
  risk_limit: 'A risk limit stopped it.',
  kill_switch: 'The kill switch stopped it.',
  broker_disconnected: 'The broker was disconnected.',
  position_missing: 'A position was closed at the broker by hand.',
};

/** Text for a pause whose command is not known. */
const UNKNOWN_PAUSE = 'Paused. The audit trail under “Limits and checks” says by whom.';

const runningSentence = ({ kind, phase }: DeploymentFacts): string => {
  if (kind === 'scanner') return 'Watches its instruments.';
  if (kind === 'notification') {
    return phase === 'entered' ? 'Its last signal opened a position.' : 'Waits for a signal.';
  }
  return phase === 'entered' ? 'Holds a position.' : 'Waits for an entry.';
};

const LABELS: Readonly<Record<DeploymentFacts['status'], string>> = {
  requested: 'Starting',
  active: 'Running',
  paused: 'Paused',
  halted: 'Halted',
  error: 'Failed',
  stopped: 'Stopped',
  expired: 'Expired',
};

/** Names a state of a deployment. */
export const stateLabel = (status: DeploymentFacts['status']): string => LABELS[status];

/** Writes the state of a deployment and its reason in plain words. */
export const stateWords = (facts: DeploymentFacts): StateWords => {
  const { status, held, stopping, stop_reason, kind } = facts;
  const cause = stop_reason ? ENDS[stop_reason] : '';
  const label = stateLabel(status);
  if (stopping && status === 'halted') {
    const closes = stopping.flatten ? 'cancels orders and closes positions' : 'cancels orders';
    return {
      tone: 'warn',
      label: 'Stopping',
      sentence: `${by(stopping, 'Stop requested')} Its engine ${closes} and then ends it.`,
    };
  }
  switch (status) {
    case 'requested':
      return { tone: 'info', label, sentence: 'Waits for its engine to begin.' };
    case 'active':
      return { tone: 'good', label, sentence: runningSentence(facts) };
    case 'paused':
      return {
        tone: 'warn',
        label,
        sentence: `${held ? by(held, 'Paused') : cause || UNKNOWN_PAUSE} ${PAUSED[kind]}`,
      };
    case 'halted':
      return {
        tone: 'bad',
        label,
        sentence: `${held ? by(held, 'Halted') : cause || 'Halted.'} ${HALTED[kind]}`,
      };
    case 'error':
      return {
        tone: 'bad',
        label,
        sentence: ['Its engine reported a failure.', cause, 'A notification has the reason.']
          .filter(Boolean)
          .join(' '),
      };
    case 'stopped':
      return { tone: 'info', label, sentence: cause || 'It has ended.' };
    case 'expired':
      return { tone: 'info', label, sentence: ENDS.expired };
  }
};

/** Tells whether a deployment has ended for good. */
export const isOver = (status: DeploymentFacts['status']): boolean =>
  status === 'stopped' || status === 'expired';

/** Commands that a deployment takes in its state. */
export const commandsFor = ({ status, stopping }: Pick<DeploymentFacts, 'status' | 'stopping'>) => ({
  pause: status === 'active',
  resume: (status === 'paused' || status === 'halted') && !stopping,
  stop: !isOver(status) && !stopping,
});

/** Tells the effect of a stop on positions. Orders that wait may still open one before they are cancelled. */
export const closingText = ({
  flatten,
  hasPositions,
}: {
  flatten: boolean;
  hasPositions: boolean;
}): string => {
  if (hasPositions) {
    return flatten
      ? 'Everything is closed at the next price, whatever it is.'
      : 'Positions stay open and nothing watches them any more: no stop, no target.';
  }
  return flatten
    ? 'It holds nothing now. A position that opens meanwhile is closed at the next price.'
    : 'It holds nothing now. A position that opens meanwhile stays open, and nothing watches it.';
};
