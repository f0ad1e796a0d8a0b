import { useState } from 'preact/hooks';
import { changesDeployments } from '../../deployments/changes.ts';
import { LiveBadge } from '../../deployments/real-badge.tsx';
import { user } from '../../session.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { unread } from '../../unread.ts';
import { Account } from './account.tsx';
import { FirstSteps } from './first-steps.tsx';
import { type HomeFacts, loadHome, type Steps } from './load-home.ts';
import { needsOf } from './needs.ts';
import { Newest } from './newest.tsx';

const REFRESH_MS = 30_000;

const Needs = ({ of: facts }: { readonly of: HomeFacts }) => {
  const isEmailVerified = user.value?.isEmailVerified ?? true;
  const needs = needsOf({ ...facts, isEmailVerified, unread: unread.value }, Date.now());
  return (
    <section class="card" aria-labelledby="needs">
      <h2 id="needs">What needs you</h2>
      {needs.length === 0 ? (
        <p class="muted">Nothing. All is in order.</p>
      ) : (
        <ul class="needs">
          {needs.map(({ kind, text, href, label }) => (
            <li key={text}>
              <Notice kind={kind}>
                {text} <a href={href}>{label}</a>
              </Notice>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const isNew = ({ hasStrategy, hasBacktest, hasDeployment }: Steps): boolean =>
  !(hasStrategy && hasBacktest && hasDeployment);

const Content = ({ of: facts, reload }: { readonly of: HomeFacts; readonly reload: () => void }) => {
  const { overview, deployments, steps } = facts;
  // The steps stay in view until the screen is left, so that the user sees the last one done.
  const [wasNew] = useState(() => isNew(steps));
  const { accounts } = overview;
  return (
    <div class="home">
      <div class="stack">
        {wasNew && <FirstSteps steps={steps} onChange={reload} />}
        {accounts.map((account) => (
          <Account key={`${account.mode} ${account.currency}`} of={account} deployments={deployments} />
        ))}
        {accounts.length === 0 && !wasNew && (
          <section class="card">
            <h2>Nothing runs now</h2>
            <p class="muted">Deploy a strategy, and its equity is shown here.</p>
            <div class="actions">
              <LinkButton kind="primary" href="#/strategies">
                Deploy a strategy
              </LinkButton>
            </div>
          </section>
        )}
      </div>
      <div class="stack">
        <Needs of={facts} />
        <Newest />
      </div>
    </div>
  );
};

/** Equity of all, today, and what waits for the user. A new user finds the first steps. */
const Home = () => {
  const facts = useResource(loadHome, [], { everyMs: REFRESH_MS, on: changesDeployments });
  return (
    <Screen title="Home" actions={<LiveBadge />}>
      <Loaded of={facts}>{(value) => <Content of={value} reload={facts.reload} />}</Loaded>
    </Screen>
  );
};

export default Home;
