import { useEffect } from 'preact/hooks';
import { hub, ME } from '../hub.ts';
import { killSwitchChanges } from '../kill-switch.ts';
import { useResource } from './use-resource.ts';

const REFRESH_MS = 60_000;

/** Line below the header while a kill switch is thrown, as nothing trades then. */
export const KillSwitchBanner = () => {
  const { value, reload } = useResource((signal) => hub.getKillSwitch({ user_id: ME }, { signal }), [], {
    everyMs: REFRESH_MS,
    on: ({ type }) => type.startsWith('kill_switch.'),
  });
  const changes = killSwitchChanges.value;
  // Holds the state that is known until the next one is, since that may take a while.
  useEffect(() => {
    if (changes > 0) reload();
  }, [changes, reload]);
  return (
    <div role="status">
      {value?.thrown && (
        <p class="banner">
          <strong>Your trading is stopped</strong> by a kill switch. <a href="#/risk">See who stopped it</a>
        </p>
      )}
    </div>
  );
};
