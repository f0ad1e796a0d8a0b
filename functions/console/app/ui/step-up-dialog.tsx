import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type { stepUpRequest } from '../step-up.ts';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { PasskeyWay, RecoveryCodeWay, TotpWay } from './step-up-factors.tsx';
import { MailedCodeWay, PasswordWay, type WayProps } from './step-up-mailed.tsx';
import { Tabs } from './tabs.tsx';

export interface StepUpProps {
  readonly request: NonNullable<typeof stepUpRequest.value>;
}

/** Ways that this page knows, in the order in which they are offered. */
const WAYS: readonly {
  readonly key: string;
  readonly label: string;
  readonly Way: ComponentType<WayProps>;
}[] = [
  { key: 'passkey', label: 'Passkey', Way: PasskeyWay },
  { key: 'totp', label: 'Authenticator app', Way: TotpWay },
  { key: 'recovery_code', label: 'Recovery code', Way: RecoveryCodeWay },
  { key: 'password_and_code', label: 'Password and code', Way: PasswordWay },
  { key: 'code', label: 'Mailed code', Way: MailedCodeWay },
];

/** Asks for a proof that it is the user, for a request that needs it. */
export const StepUpDialog = ({ request: { ways, done, end } }: StepUpProps) => {
  const offered = WAYS.filter(({ key }) => ways.includes(key));
  const [chosen, setChosen] = useState(offered[0]?.key);
  const shown = offered.find(({ key }) => key === chosen);
  return (
    <Dialog title="Confirm that it is you" open onClose={end}>
      <p>This needs a proof that it is you, which then counts for 10 minutes.</p>
      {offered.length > 1 && (
        <Tabs
          label="Ways to prove it"
          items={offered}
          {...(chosen !== undefined && { current: chosen })}
          onChoose={setChosen}
        />
      )}
      {shown ? (
        <shown.Way key={shown.key} onDone={done} onCancel={end} />
      ) : (
        <Notice kind="warn">This page knows none of the ways of your account. Reload it.</Notice>
      )}
    </Dialog>
  );
};
