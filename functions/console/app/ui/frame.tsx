import { useState } from 'preact/hooks';
import { format } from '../format.ts';
import { navigate, place, SECTIONS, section } from '../router.ts';
import { resumeSession, signOut, user } from '../session.ts';
import { stepUpRequest } from '../step-up.ts';
import { chooseTheme, type Theme, theme } from '../theme.ts';
import { unread } from '../unread.ts';
import { Button } from './button.tsx';
import { CurrentScreen, isOpening } from './current-screen.tsx';
import { KillSwitchBanner } from './kill-switch-banner.tsx';
import { Late } from './late.tsx';
import { Loaded } from './loaded.tsx';
import { Problem } from './notice.tsx';
import { useAction } from './use-action.ts';
import { useResource } from './use-resource.ts';

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const ThemeChoice = () => (
  <select
    class="theme-choice"
    aria-label="Colours"
    value={theme.value}
    onChange={({ currentTarget }) => {
      const chosen = THEMES[currentTarget.selectedIndex];
      if (chosen) chooseTheme(chosen.value);
    }}
  >
    {THEMES.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);

const Account = () => {
  const leave = useAction(async () => {
    await signOut();
    navigate('/sign-in');
  });
  const signedIn = user.value;
  if (!signedIn) return null;
  return (
    <div class="account">
      <span class="account-name">{signedIn.name || signedIn.email}</span>
      <Button kind="quiet" busy={leave.isBusy} onClick={leave.run}>
        Sign out
      </Button>
      <Problem of={leave.error} />
    </div>
  );
};

const Navigation = () => (
  <nav aria-label="Main" class="navigation">
    <ul>
      {Object.entries(SECTIONS).map(([name, label]) => (
        <li key={name}>
          <a
            href={name === 'home' ? '#/' : `#/${name}`}
            aria-current={name === section.value ? 'page' : undefined}
          >
            {label}
            {name === 'notifications' && unread.value > 0 && (
              <span class="unread-count">
                {format.count(unread.value)}
                <span class="unseen"> unread</span>
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const loadEmailBanner = async () => (await import('./email-banner.tsx')).EmailBanner;
const loadStepUp = async () => (await import('./step-up-dialog.tsx')).StepUpDialog;

/** Header, navigation and the present screen. */
export const Frame = () => {
  const session = useResource(resumeSession, []);
  const [openedAt, setOpenedAt] = useState<string>();
  const isSignedIn = Boolean(user.value);
  // A navigation closes the menu.
  const isOpen = openedAt === place.value.path;
  return (
    <>
      {/* A link would change the address, which belongs to the screens. */}
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header class="bar">
        <a class="brand" href="#/">
          <span class="brand-sign" aria-hidden="true" />
          Strategy Hub
        </a>
        {isSignedIn && (
          <button
            type="button"
            class="menu-button"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setOpenedAt(isOpen ? undefined : place.value.path)}
          >
            Menu
          </button>
        )}
        <div id="menu" class={isOpen ? 'menu menu-open' : `menu ${isSignedIn ? '' : 'menu-plain'}`}>
          {isSignedIn && <Navigation />}
          <div class="bar-end">
            <ThemeChoice />
            <Account />
          </div>
        </div>
      </header>
      {/* A password reset signs in another user without a sign-out. */}
      {user.value && <KillSwitchBanner key={user.value.userKey} />}
      {user.value && !user.value.isEmailVerified && (
        <Late key={user.value.userKey} load={loadEmailBanner} props={{}} />
      )}
      <main id="main" tabIndex={-1} aria-busy={isOpening.value}>
        {user.value === undefined ? <Loaded of={session}>{() => null}</Loaded> : <CurrentScreen />}
      </main>
      {user.value && stepUpRequest.value && (
        <Late
          load={loadStepUp}
          props={{ request: stepUpRequest.value }}
          onFailure={stepUpRequest.value.end}
        />
      )}
      <footer class="foot">
        <a href="docs">API reference</a>
      </footer>
    </>
  );
};
