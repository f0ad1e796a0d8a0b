import { hub, ME } from '../hub.ts';
import { useResource } from './use-resource.ts';

const REFRESH_MS = 60_000;

/** Line below the header while a kill switch is thrown, as nothing trades then. */
export const KillSwitchBanner = () => {
  const { value } = useResource((signal) => hub.getKillSwitch({ user_id: ME }, { signal }), [], {
    everyMs: REFRESH_MS,
    on: ({ type }) => type.startsWith('kill_switch.'),
  });
  return (
    <div role="status">
      {value?.thrown && (
        <p class="banner">
          <strong>A kill switch is thrown:</strong> no order leaves. <a href="#/risk">See who threw it</a>
        </p>
      )}
    </div>
  );
};
