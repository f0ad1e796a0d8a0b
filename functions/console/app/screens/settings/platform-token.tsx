import { useState } from 'preact/hooks';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';
import { Secret } from './secret.tsx';

/** Token for the user's own programs. */
export const PlatformToken = () => {
  const [isAsking, setAsking] = useState(false);
  const [made, setMade] = useState<string>();
  const state = useResource((signal) => hub.checkForToken({ user_id: ME }, { signal }), []);
  const make = useAction(async () => {
    const { token } = await hub.generateToken({ user_id: ME });
    setMade(token);
    setAsking(false);
    state.reload();
  });
  return (
    <section class="card" aria-labelledby="token-title">
      <h2 id="token-title">Platform token</h2>
      <p>
        Lets a program of yours use the <a href="docs">API</a> as you, for 24 hours. Whoever has it can trade
        for you: keep it like a password.
      </p>
      {made !== undefined && (
        <Secret label="Your new platform token" value={made} onHide={() => setMade(undefined)} />
      )}
      <Loaded of={state}>
        {({ active, issued_at: issued, expires_at: expires }) => (
          <>
            <p>
              {active ? (
                <>
                  A token is active since <When at={issued} />, until <When at={expires} />.
                </>
              ) : (
                'No token is active.'
              )}
            </p>
            <div class="actions">
              <Button busy={make.isBusy} onClick={() => (active ? setAsking(true) : void make.run())}>
                {active ? 'Replace the token…' : 'Make a token'}
              </Button>
            </div>
          </>
        )}
      </Loaded>
      {!isAsking && <Problem of={make.error} />}
      <Confirm
        title="Replace the platform token?"
        action="Replace"
        open={isAsking}
        busy={make.isBusy}
        error={make.error}
        onConfirm={make.run}
        onClose={() => setAsking(false)}
      >
        <p>The present token ends at once. Programs that use it stop working until they have the new one.</p>
      </Confirm>
    </section>
  );
};
