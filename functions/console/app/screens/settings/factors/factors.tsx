import { hub, ME } from '../../../hub.ts';
import { Button } from '../../../ui/button.tsx';
import { When } from '../../../ui/figures.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Notice, Problem } from '../../../ui/notice.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useResource } from '../../../ui/use-resource.ts';
import type { FactorsProps } from './factors-props.ts';
import { LostFactors } from './lost-factors.tsx';
import { Passkeys } from './passkeys.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Totp } from './totp.tsx';

/** Removal of lost factors that somebody asked for, and the wait after a recovery. */
const Recovery = ({ factors, onChange }: FactorsProps) => {
  const keep = useAction(async () => {
    await hub.keepFactors({ user_id: ME });
    onChange();
  });
  const { factors_end_at: end, recovery_until: until } = factors;
  return (
    <>
      {end !== null && (
        <Notice kind="warn">
          Somebody asked to remove your passkeys and your authenticator app. They end <When at={end} />.{' '}
          <Button busy={keep.isBusy} onClick={keep.run}>
            Keep them
          </Button>
        </Notice>
      )}
      <Problem of={keep.error} />
      {until !== null && (
        <Notice kind="warn">
          Access to your account was recovered. New real deployments, resumes and connections wait until{' '}
          <When at={until} />. All that stops or closes works.
        </Notice>
      )}
    </>
  );
};

/** Second factors: passkeys, the authenticator app, recovery codes. */
export const Factors = () => {
  const factors = useResource((signal) => hub.getFactors({ user_id: ME }, { signal }), []);
  return (
    <Loaded of={factors}>
      {(loaded) => {
        const hasFactor = loaded.passkeys.length > 0 || loaded.totp_added_at !== null;
        const props = { factors: loaded, onChange: factors.reload };
        return (
          <>
            {!hasFactor && (
              <Notice>
                A stolen mailbox or an open browser is enough to trade with your money as long as you have no
                second factor. Add a passkey or an authenticator app: it is then asked for before anything
                that could cost you money.
              </Notice>
            )}
            {hasFactor && loaded.recovery_codes === 0 && (
              <Notice kind="warn">
                Make recovery codes now: without them, a lost device keeps you out for a day.
              </Notice>
            )}
            <Recovery {...props} />
            <Passkeys {...props} />
            <Totp {...props} />
            {hasFactor && <RecoveryCodes {...props} />}
            {hasFactor && loaded.factors_end_at === null && <LostFactors {...props} />}
          </>
        );
      }}
    </Loaded>
  );
};
