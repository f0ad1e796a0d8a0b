import { hub, ME } from '../../hub.ts';
import { PushError, pushSupport, subscribeHere, unsubscribeHere } from '../../push.ts';
import { Button } from '../../ui/button.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { reasonText, supportText } from './push-texts.ts';

interface PushHereProps {
  /** Push key that is registered for this browser. */
  readonly registered: string | undefined;
  /** Key of the service; null if it sends no push messages to browsers. */
  readonly vapidPublicKey: string | null;
  readonly onChanged: () => void;
}

/** Switches push messages of this browser on and off. */
export const PushHere = ({ registered, vapidPublicKey, onChanged }: PushHereProps) => {
  const on = useAction(async (key: string) => {
    await hub.registerPushToken({ user_id: ME, push_key: await subscribeHere(key) });
    onChanged();
  });
  const off = useAction(async (key: string) => {
    await unsubscribeHere();
    await hub.removePushToken({ user_id: ME, body: { push_key: key } });
    onChanged();
  });
  if (registered !== undefined) {
    return (
      <>
        <p>This browser shows your notifications, also while the console is closed.</p>
        <Problem of={off.error} />
        <div class="actions">
          <Button busy={off.isBusy} onClick={() => off.run(registered)}>
            Switch off in this browser
          </Button>
        </div>
      </>
    );
  }
  const missing =
    vapidPublicKey === null ? 'The service sends no push messages to browsers.' : supportText(pushSupport());
  if (missing !== undefined || vapidPublicKey === null) return <p>{missing}</p>;
  return (
    <>
      <p>Get your notifications in this browser, also while the console is closed.</p>
      {on.error instanceof PushError ? (
        <Notice kind="bad">{reasonText(on.error.reason)}</Notice>
      ) : (
        <Problem of={on.error} />
      )}
      <div class="actions">
        <Button kind="primary" busy={on.isBusy} onClick={() => on.run(vapidPublicKey)}>
          Switch on in this browser
        </Button>
      </div>
    </>
  );
};
