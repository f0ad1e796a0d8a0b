import { useState } from 'preact/hooks';
import type { UserSession } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Confirm, useConfirmed } from '../../ui/dialog.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice, Problem, Tag } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';
import { signInName } from './texts.ts';

const REFRESH_MS = 60_000;

/** Places where the user is signed in. */
export const Sessions = () => {
  const [done, setDone] = useState('');
  const sessions = useResource((signal) => hub.getSessions({ user_id: ME }, { signal }), [], {
    everyMs: REFRESH_MS,
  });
  const endOne = useAction(async (session: UserSession) => {
    await hub.endSession({ user_id: ME, session_id: session.session_id });
    setDone(`${signInName(session)} is signed out.`);
    sessions.reload();
  });
  const endOthers = useConfirmed(async (others: true) => {
    await hub.endSession({ user_id: ME, others });
    setDone('You are signed out everywhere else.');
    sessions.reload();
  });
  return (
    <section class="card" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Where you are signed in</h2>
      <p>A place that you do not know? End it, then set a new password.</p>
      {done !== '' && <Notice kind="good">{done}</Notice>}
      <Problem of={endOne.error} />
      <Loaded of={sessions}>
        {({ sessions: all }) => (
          <>
            <DataTable
              caption="Sign-ins"
              rows={all}
              rowKey={({ session_id: id }) => id}
              columns={[
                {
                  head: 'Device',
                  isHead: true,
                  cell: (session) => (
                    <>
                      {signInName(session)} {session.is_current && <Tag kind="good">This one</Tag>}
                    </>
                  ),
                },
                { head: 'Network', cell: ({ place }) => place ?? '–' },
                { head: 'Signed in', cell: ({ created_at: at }) => <When at={at} /> },
                {
                  head: 'Last renewed',
                  cell: ({ renewed_at: at, created_at }) => <When at={at ?? created_at} />,
                },
                { head: 'Ends without use', cell: ({ expires_at: at }) => <When at={at} /> },
                {
                  head: 'Actions',
                  isCommands: true,
                  cell: (session) =>
                    !session.is_current && (
                      <Button
                        aria-label={`Sign out ${signInName(session)}`}
                        disabled={endOne.isBusy}
                        onClick={() => endOne.run(session)}
                      >
                        Sign out
                      </Button>
                    ),
                },
              ]}
            />
            <div class="actions">
              <Button disabled={all.length < 2} onClick={() => endOthers.ask(true)}>
                Sign out everywhere else…
              </Button>
            </div>
          </>
        )}
      </Loaded>
      <Confirm title="Sign out everywhere else?" action="Sign out" {...endOthers.dialog}>
        <p>
          All other browsers and apps are signed out, and the platform token of your programs ends.
          Deployments go on.
        </p>
      </Confirm>
    </section>
  );
};
