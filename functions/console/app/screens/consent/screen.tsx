import { useState } from 'preact/hooks';
import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { user } from '../../session.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';
import { SCOPES } from '../settings/api-key-model.ts';
import { requestIn } from './request.ts';

type Asked = Awaited<ReturnType<typeof hub.openConsent>>;
type Scope = Asked['scopes'][number];

/** Names the app, by what vouches for it. */
const App = ({ of: { client_name, client_host, redirect_host, is_local } }: { readonly of: Asked }) => (
  <>
    <p>
      An app that calls itself <q>{client_name}</q> asks to act for you in the account{' '}
      <strong>{user.value?.email}</strong>.
    </p>
    <p>
      Who vouches for it: <strong>{client_host ?? 'nobody, and any app can use this name'}</strong>.
    </p>
    <p>
      Your answer goes to{' '}
      <strong>{is_local ? `a program on this computer (${redirect_host})` : redirect_host}</strong>.
    </p>
    <Notice kind="warn">
      Go on only if you have just connected this app yourself
      {is_local ? ', on this computer' : ''}.
    </Notice>
  </>
);

/** Asks for the scopes, and sends the answer to the app. */
const Choice = ({ of: asked, token }: { readonly of: Asked; readonly token: string }) => {
  const [scopes, setScopes] = useState<readonly Scope[]>(asked.scopes);
  const approve = useAction(async () => {
    const body = { consent: token, scopes };
    location.assign((await hub.giveConsent({ user_id: ME, body })).redirect_to);
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void approve.run();
      }}
    >
      <fieldset class="preference-group">
        <legend>It may</legend>
        {SCOPES.flatMap(({ scope, label, hint }) => {
          const offered = asked.scopes.find((one) => one === scope);
          if (offered === undefined) return [];
          return [
            <Checkbox
              key={offered}
              checked={scopes.includes(offered)}
              onChecked={(isOn) => {
                const others = scopes.filter((one) => one !== offered);
                setScopes(isOn ? [...others, offered] : others);
              }}
            >
              <strong>{label}</strong>. {hint}
            </Checkbox>,
          ];
        })}
      </fieldset>
      <p>
        It never places real orders, and changes neither your account nor what others see. It ends after 30
        days without use, after 90 days at most, and at once in the settings.
      </p>
      <Problem of={approve.error} />
      <div class="actions">
        <Button submit kind="primary" busy={approve.isBusy} disabled={scopes.length === 0}>
          Connect the app
        </Button>
        <Button onClick={() => location.assign(asked.deny_to)}>Refuse</Button>
      </div>
    </form>
  );
};

/** Checks the request of an app, and shows it. */
const Request = ({ text }: { readonly text: string }) => {
  const consent = useResource(
    (signal) => hub.openConsent({ user_id: ME, body: requestIn(new URLSearchParams(text)) }, { signal }),
    [text],
  );
  return (
    <Loaded of={consent}>
      {(asked) => (
        <section class="card stack" aria-label="Request of the app">
          <App of={asked} />
          {asked.consent === null ? (
            <>
              <Notice kind="bad">The app asks for something that is not possible. {asked.problem}</Notice>
              <div class="actions">
                <Button onClick={() => location.assign(asked.deny_to)}>Back to the app</Button>
              </div>
            </>
          ) : (
            <Choice key={text} of={asked} token={asked.consent} />
          )}
        </section>
      )}
    </Loaded>
  );
};

/** Asks the user whether an app may act for them. */
const Consent = ({ query }: ScreenProps) => (
  <Screen title="Connect an app" section="settings">
    {query.has('client_id') ? (
      <Request text={query.toString()} />
    ) : (
      <>
        <p>Apps lead here when you connect them. This address alone asks for nothing.</p>
        <LinkButton href="#/settings?part=programs">See your connected apps</LinkButton>
      </>
    )}
  </Screen>
);

export default Consent;
