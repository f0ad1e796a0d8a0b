import { signal } from '@preact/signals';
import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { inPage, navigate, type Place, place, type ScreenProps } from '../router.ts';
import { user } from '../session.ts';
import { Button, LinkButton } from './button.tsx';
import { Notice } from './notice.tsx';
import { Screen } from './screen.tsx';

const Crashed = () => (
  <Screen title="This page has failed">
    <Notice kind="bad">
      The page has an error and cannot be shown. Nothing was changed by it.{' '}
      <Button onClick={() => location.reload()}>Reload</Button>
    </Notice>
  </Screen>
);

/** Shows a message in place of a screen that throws. */
class Guard extends Component<{ children: ComponentChildren }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static override getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  render() {
    return this.state.isBroken ? <Crashed /> : this.props.children;
  }
}

const Unknown = () => (
  <Screen title="Not here">
    <p>There is no page at this address. The link may be old or mistyped.</p>
    <LinkButton href="#/">Go to the start</LinkButton>
  </Screen>
);

const Offline = () => (
  <Screen title="No connection">
    <p>This page cannot be loaded without one. It is tried again as soon as there is a connection.</p>
  </Screen>
);

const Outdated = () => (
  <Screen title="This page could not be loaded">
    <p>Either the console was updated since you opened it, or the connection broke.</p>
    <Button kind="primary" onClick={() => location.reload()}>
      Reload
    </Button>
  </Screen>
);

interface Loading {
  readonly place: Place;
  readonly screen?: ComponentType<ScreenProps>;
  /** Reason why there is no screen. */
  readonly failure?: 'offline' | 'outdated';
}

/** True while the code of the next screen is loading and the present one is still shown. */
export const isOpening = signal(false);

/** Loads the code of the place's screen. Keeps the present screen until the next one is there. */
const useScreen = (next: Place): Loading | undefined => {
  const [shown, setShown] = useState<Loading>();
  const [round, setRound] = useState(0);
  const { route } = next;
  useEffect(() => {
    if (!route) {
      setShown({ place: next });
      return;
    }
    let isCurrent = true;
    const again = (): void => setRound((one) => one + 1);
    const show = (loaded: Omit<Loading, 'place'>): void => {
      if (!isCurrent) return;
      setShown({ place: next, ...loaded });
      isOpening.value = false;
    };
    isOpening.value = true;
    route.load().then(
      ({ default: screen }) => show({ screen }),
      () => {
        if (!isCurrent) return;
        const isOffline = !navigator.onLine;
        // Some browsers fail again without asking the service: the user may reload then.
        if (isOffline) addEventListener('online', again, { once: true });
        show({ failure: isOffline ? 'offline' : 'outdated' });
      },
    );
    return () => {
      isCurrent = false;
      removeEventListener('online', again);
      isOpening.value = false;
    };
  }, [next, route, round]);
  return shown;
};

const START = '/sign-in';

/** Public screens that signed-in users may need, too. */
const FOR_ALL: readonly string[] = ['/reset', '/confirm', '/undo-email'];

/** Screen of the address. Sends people who are not signed in to the sign-in, and back afterwards. */
export const CurrentScreen = () => {
  const current = place.value;
  const isSignedIn = Boolean(user.value);
  const isForNobody = isSignedIn && current.route?.isPublic === true && !FOR_ALL.includes(current.path);
  const mustSignIn = !isSignedIn && !current.route?.isPublic;
  useEffect(() => {
    // A sign-out has gone on to the sign-in by itself.
    if (!mustSignIn || place.peek().route?.isPublic) return;
    const back = location.hash.slice(1);
    navigate(back === '' || back === '/' ? START : `${START}?to=${encodeURIComponent(back)}`, {
      replace: true,
    });
  }, [mustSignIn]);
  useEffect(() => {
    if (isForNobody) navigate(inPage(current.query.get('to') ?? '/'), { replace: true });
  }, [isForNobody, current]);
  const shown = useScreen(current);
  if (mustSignIn || isForNobody) return null;
  const isForOthers = !isSignedIn && !shown?.place.route?.isPublic;
  if (!shown || isForOthers) {
    return (
      <p class="loading" role="status">
        Loading…
      </p>
    );
  }
  const { screen: Shown, failure, place: at } = shown;
  if (failure) return failure === 'offline' ? <Offline /> : <Outdated />;
  if (!Shown) return <Unknown />;
  return (
    <Guard key={at.path}>
      <Shown params={at.params} query={at.query} />
    </Guard>
  );
};
