import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { Notice } from '../../ui/notice.tsx';
import { useResource } from '../../ui/use-resource.ts';

const REFRESH_MS = 30_000;

/** Tells that proposed deployments wait for the user. Nothing without one. */
export const WaitingProposals = () => {
  const { value } = useResource((signal) => hub.getProposals({ user_id: ME }, { signal }), [], {
    everyMs: REFRESH_MS,
  });
  const count = value?.proposals.length ?? 0;
  if (count === 0) return null;
  return (
    <Notice kind="warn">
      {count === 1 ? 'A proposal' : `${format.count(count)} proposals`} to trade with real money{' '}
      {count === 1 ? 'waits' : 'wait'} for your answer. <a href="#/proposals">See what is proposed</a>
    </Notice>
  );
};
