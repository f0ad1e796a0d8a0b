import type { FunctionDeclaration, Trigger } from '../../functions/declaration.ts';

/**
 * Kinds of functions in the order in which they get a new version: readers of messages and events before those that
 * write them. Lanes take messages from the relay, the relay takes them from the outbox, and consumers of the bus take
 * events of jobs and requests.
 */
const ORDER: readonly (readonly Trigger['kind'][])[] = [
  ['queue'],
  ['stream'],
  ['bus'],
  ['schedule'],
  ['http', 'authorizer'],
];

/** Groups functions into waves, consumers first. Functions of a wave do not depend on each other. */
export const consumersFirst = <T extends Pick<FunctionDeclaration, 'trigger'>>(
  functions: readonly T[],
): readonly (readonly T[])[] =>
  ORDER.map((kinds) => functions.filter(({ trigger }) => kinds.includes(trigger.kind))).filter(
    (wave) => wave.length > 0,
  );
