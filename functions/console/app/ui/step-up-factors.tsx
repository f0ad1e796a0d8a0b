import { useState } from 'preact/hooks';
import { ME, stepUpHub } from '../hub.ts';
import { CodeInput } from './code-input.tsx';
import { Field, TextInput } from './field.tsx';
import { StepUpForm } from './step-up-form.tsx';
import type { WayProps } from './step-up-mailed.tsx';
import { useAction } from './use-action.ts';

const Lost = () => (
  <p>
    Lost all of them? <a href="#/settings?part=security">Ask for their removal</a>.
  </p>
);

/** Step-up with a passkey. */
export const PasskeyWay = ({ onDone, onCancel }: WayProps) => {
  const action = useAction(async () => {
    const { usePasskey } = await import('../passkeys.ts');
    const { options } = await stepUpHub.passkeyOptions({ body: { for: 'step_up' } });
    const passkey = await usePasskey(options);
    await stepUpHub.stepUp({ user_id: ME, body: { passkey } });
    onDone();
  });
  return (
    <StepUpForm action={action} submit="Use a passkey" onCancel={onCancel}>
      <p>Your browser asks for your fingerprint, face or PIN, or for a key.</p>
      <Lost />
    </StepUpForm>
  );
};

/** Step-up with a code of the authenticator app. */
export const TotpWay = ({ onDone, onCancel }: WayProps) => {
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    await stepUpHub.stepUp({ user_id: ME, body: { totp: code } });
    onDone();
  });
  return (
    <StepUpForm action={action} onCancel={onCancel}>
      <Field label="Code of your authenticator app" hint="6 digits. Each code counts once.">
        <CodeInput value={code} onValue={setCode} digits={6} />
      </Field>
      <Lost />
    </StepUpForm>
  );
};

/** Step-up with a recovery code. */
export const RecoveryCodeWay = ({ onDone, onCancel }: WayProps) => {
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    await stepUpHub.stepUp({ user_id: ME, body: { recovery_code: code.trim() } });
    onDone();
  });
  return (
    <StepUpForm action={action} onCancel={onCancel}>
      <Field
        label="Recovery code"
        hint="Each works once. Afterwards, new real deployments, resumes and connections wait for 24 hours."
      >
        <TextInput value={code} onValue={setCode} autocomplete="off" spellcheck={false} required />
      </Field>
    </StepUpForm>
  );
};
