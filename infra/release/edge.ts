import type { FunctionDeclaration } from '../../functions/declaration.ts';
import type { HubConfig } from '../stage.ts';
import type { Aliases } from './aliases.ts';
import type { ReleaseParameters } from './record.ts';
import { ReleaseError } from './release-error.ts';

/** Settings of the distribution in front of the API that decide who can reach the service. */
export type EdgeSettings = Pick<NonNullable<HubConfig['edge']>, 'leads' | 'locked'>;

interface EdgeToRelease {
  readonly stage: string;
  /** Undefined without a distribution. */
  readonly edge: EdgeSettings | undefined;
  readonly functions: readonly Pick<FunctionDeclaration, 'name' | 'trigger'>[];
  readonly aliases: Aliases;
  readonly parameters: ReleaseParameters;
}

const refusal = (stage: string, problem: string, steps: string): ReleaseError =>
  new ReleaseError(`infra/config.ts, stage ${stage}: ${problem} Nothing was changed. ${steps}`);

/**
 * Refuses a change of the distribution that would keep callers out: names lead to their former addresses for a while, and
 * a deployment replaces functions one by one. Reads what is deployed, as the functions that run tell it.
 *
 * @throws ReleaseError with the steps to take.
 */
export const keepReachable = async (given: EdgeToRelease): Promise<void> => {
  const { stage, edge, functions, aliases, parameters } = given;
  if (edge?.leads && !edge.locked) return;
  const recorded = await parameters.edge();
  const names = functions.flatMap(({ name, trigger }) => (trigger.kind === 'http' ? [name] : []));
  const deployed = await aliases.settings(names, 'HUB_EDGE');
  // Versions before edge.leads recorded nothing, and their name always leads to the distribution.
  const leads =
    recorded === 'leads' || (recorded === undefined && [...deployed].some((one) => one !== 'off'));
  if (edge?.leads) {
    if (leads || deployed.size === 0) return;
    throw refusal(
      stage,
      'edge.locked is true, but the name of the service does not lead to the distribution yet, so callers would be refused.',
      'Take the steps of infra/DEPLOY.md, Edge: deploy with locked: false, wait until the name leads to the distribution everywhere, then set locked: true and deploy.',
    );
  }
  if (!leads) return;
  if (!edge) {
    throw refusal(
      stage,
      'edge is unset, but the name of the service leads to its distribution.',
      'Put edge back and take it away in steps (infra/DEPLOY.md, Edge): deploy with locked: false, then with leads: false, ' +
        'wait until all resolvers have the new address, then unset edge and deploy.',
    );
  }
  if (!deployed.has('locked')) return;
  throw refusal(
    stage,
    'edge.leads is false, but functions that run still refuse requests around the distribution.',
    'Put leads: true back and take the steps of infra/DEPLOY.md, Edge: deploy with locked: false, then with leads: false.',
  );
};
