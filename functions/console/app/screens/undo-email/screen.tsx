import { useEffect, useState } from 'preact/hooks';
import { publicHub } from '../../public-hub.ts';
import { navigate, type ScreenProps } from '../../router.ts';
import { AccountForm } from '../../ui/account-form.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';

const TITLE = 'Undo the change of your e-mail';

const More = () => <a href="#/sign-in">Go to the sign-in</a>;

/** Page of the link in the mail to the former address of an account. */
const UndoEmail = ({ query }: ScreenProps) => {
  const [link] = useState({ email: query.get('email') ?? '', token: query.get('token') ?? '' });
  const [restored, setRestored] = useState<string>();
  // The token gives the account back, so it does not stay in the history of the browser.
  useEffect(() => navigate('/undo-email', { replace: true }), []);
  const action = useAction(async () => {
    const { email } = await publicHub.undoEmailChange({ body: link });
    setRestored(email);
  });
  if (restored !== undefined) {
    return (
      <Screen title={TITLE}>
        <Notice kind="good">
          {restored} is the e-mail of your account again. All sign-ins and keys have ended, and the password,
          too.
        </Notice>
        <LinkButton href="#/reset" kind="primary">
          Set a new password
        </LinkButton>
      </Screen>
    );
  }
  if (link.email === '' || link.token === '') {
    return (
      <Screen title={TITLE}>
        <Notice kind="warn">
          The link is not complete. Open it again from the mail, or <More />.
        </Notice>
      </Screen>
    );
  }
  return (
    <AccountForm
      title={TITLE}
      lead={`Your account gets ${link.email} back.`}
      submit="Undo the change"
      action={action}
      more={<More />}
    >
      <p>
        All sign-ins, keys and the platform token end, and so does the password: you set a new one with a
        mailed code. Deployments and positions go on.
      </p>
    </AccountForm>
  );
};

export default UndoEmail;
