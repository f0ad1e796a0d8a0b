import { useState } from 'preact/hooks';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, useConfirmed } from '../../ui/dialog.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { Secret } from './secret.tsx';

/** Token for the user's own programs. */
export const PlatformToken = () => {
  const [made, setMade] = useState<string>();
  const state = useResource((signal) => hub.checkForToken({ user_id: ME }, { signal }), []);
  const make = useConfirmed(async (_: true) => {
    const { token } = await hub.generateToken({ user_id: ME });
    setMade(token);
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
              <Button busy={make.isBusy} onClick={() => (active ? make.ask(true) : void make.run(true))}>
                {active ? 'Replace the token…' : 'Make a token'}
              </Button>
            </div>
          </>
        )}
      </Loaded>
      {!make.asked && <Problem of={make.error} />}
      <Confirm title="Replace the platform token?" action="Replace" {...make.dialog}>
        <p>The present token ends at once. Programs that use it stop working until they have the new one.</p>
      </Confirm>
    </section>
  );
};
