import { useEffect } from 'preact/hooks';
import { hub, ME } from '../../hub.ts';
import { forward } from '../../router.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';

const first = { user_id: ME, size: 1 } as const;

/** Reads whether the user has deployed anything. */
const hasDeployments = async (signal: AbortSignal): Promise<boolean> => {
  const lists = await Promise.all([
    hub.getAllLiveDeploymentsV2(first, { signal }),
    hub.getAllNotificationDeployments(first, { signal }),
    hub.getScannerDeployments(first, { signal }),
  ]);
  return lists.some(({ total }) => total > 0);
};

const Forward = ({ to }: { readonly to: `/${string}` }) => {
  useEffect(() => forward('/', to), [to]);
  return null;
};

/** Goes to the deployments of the user, or to the catalogue if there are none. */
const Start = () => {
  const deployed = useResource(hasDeployments, []);
  return (
    <Screen title="Strategy Hub">
      <Loaded of={deployed}>{(has) => <Forward to={has ? '/deployments' : '/explore'} />}</Loaded>
    </Screen>
  );
};

export default Start;
