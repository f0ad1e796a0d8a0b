import { pendingChangeWrite } from '../data/changes/pending.ts';
import type { Deployment } from '../data/deployments/deployments.ts';
import type { Write } from '../data/table/writes.ts';
import type { ChangeDraft } from '../domain/changes/change-event.ts';
import { textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';

type Random = Pick<Runtime, 'random'>;

/** A deployment after a change, with the change events counted, and the write that records them. */
interface Recorded<D extends Deployment> {
  readonly deployment: D;
  readonly writes: Write[];
}

/**
 * Counts the change events of a change of a deployment. No-op if nobody listened to the deployment when it was read; its
 * version guards that.
 *
 * @param listened readers before the change.
 */
export const recordChanges = <D extends Deployment>(
  { random }: Random,
  { deployment, listened }: { readonly deployment: D; readonly listened: Deployment['listened'] },
  drafts: readonly ChangeDraft[],
  now: Date,
): Recorded<D> => {
  const isListened = listened?.user === true || listened?.broker === true;
  if (!isListened || drafts.length === 0) return { deployment, writes: [] };
  const { deployment_id: id, user_id: userId, change_seq: lastSequence = 0 } = deployment;
  const brokerId = listened?.broker ? deployment.broker_id : undefined;
  const isForUser = listened?.user === true;
  const commit = { userId, brokerId, isForUser, deployment: { id, lastSequence }, drafts };
  return {
    deployment: { ...deployment, change_seq: lastSequence + drafts.length },
    writes: [pendingChangeWrite(commit, () => textId(random), now)],
  };
};

/** Returns the write that records change events of a user who listens, which concern no deployment. */
export const userChangeWrites = (
  { random }: Random,
  userId: string,
  drafts: readonly ChangeDraft[],
  now: Date,
): Write[] => [pendingChangeWrite({ userId, isForUser: true, drafts }, () => textId(random), now)];
