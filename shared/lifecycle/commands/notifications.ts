import type { Deployment } from '../../data/deployments/deployments.ts';
import type { Actor } from '../../domain/deployments/deployment-states.ts';
import type { NotificationText } from '../effect.ts';

/** Parts of a command that a notification names. */
interface Named {
  readonly by: Actor;
  readonly reason: string;
  readonly flatten?: boolean;
}

const ACTOR_TEXTS: Readonly<Record<Actor, string>> = {
  user: 'you',
  broker: 'your broker',
  operator: 'the operator of the service',
  risk_limit: 'a risk limit',
  kill_switch: 'a kill switch',
  engine: 'the engine',
};

const EFFECT_TEXTS = {
  notification: { paused: 'No signals are raised.', halted: 'No signals are raised.' },
  scanner: { paused: 'No matches are reported.', halted: 'No matches are reported.' },
  live: {
    paused: 'No position is opened; stops, targets and exits go on.',
    halted: 'Nothing is ordered, and stops do not work.',
  },
} as const;

/** Says what becomes of the positions of a deployment; empty unless they are to be closed. */
export const closingText = (deployment: Deployment, { flatten }: Pick<Named, 'flatten'>): string => {
  if (deployment.kind !== 'live' || !flatten) return '';
  return 'Its orders are cancelled and its positions closed.';
};

const sentences = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join(' ');

const dataOf = ({ by, reason, flatten = false }: Named) => ({ by, reason, flatten });

const because = ({ by, reason }: Named): string => `By ${ACTOR_TEXTS[by]}: ${reason}`;

/** Returns the notification that a deployment is paused. */
export const pausedText = ({ kind, strategy_name }: Deployment, command: Named): NotificationText => ({
  kind: 'deployment_paused',
  severity: command.by === 'user' ? 'info' : 'warning',
  title: `${strategy_name} is paused`,
  body: `${EFFECT_TEXTS[kind].paused} ${because(command)}`,
  data: dataOf(command),
});

/** Returns the notification that a pause or a halt is lifted. */
export const resumedText = ({ strategy_name }: Deployment, command: Named): NotificationText => ({
  kind: 'deployment_resumed',
  severity: 'info',
  title: `${strategy_name} goes on`,
  body: because(command),
  data: dataOf(command),
});

/** Returns the notification that a deployment is halted. */
export const haltedText = (deployment: Deployment, command: Named): NotificationText => ({
  kind: 'deployment_halted',
  severity: command.by === 'user' ? 'info' : 'warning',
  title: `${deployment.strategy_name} is halted`,
  body: sentences(EFFECT_TEXTS[deployment.kind].halted, closingText(deployment, command), because(command)),
  data: dataOf(command),
});

/** Returns the notification that an engine was asked to stop a deployment. */
export const stopRequestedText = ({ strategy_name }: Deployment, command: Named): NotificationText => ({
  kind: 'deployment_halted',
  severity: command.by === 'user' ? 'info' : 'warning',
  title: `${strategy_name} is being stopped`,
  body: `Its engine was asked to cancel the orders${command.flatten ? ' and to close the positions' : ''}. ${because(command)}`,
  data: dataOf(command),
});

/** Returns the notification that a command has ended a deployment. */
export const stoppedText = (deployment: Deployment, command: Named): NotificationText => ({
  kind: 'deployment_stopped',
  severity: command.by === 'user' ? 'info' : 'warning',
  title: `${deployment.strategy_name} has stopped`,
  body: because(command),
  data: dataOf(command),
});

/** Returns the notification that an engine did not confirm a stop. */
export const unconfirmedText = ({ strategy_name }: Deployment, named: Named): NotificationText => ({
  kind: 'deployment_stopped',
  severity: 'error',
  title: `${strategy_name} has stopped without its engine`,
  body: 'The engine did not confirm the stop in time. Check orders and positions at the broker.',
  data: dataOf(named),
});
