import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface LateProps<P extends object> {
  /** Loads the component. The same function each time. */
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
  readonly onFailure?: () => void;
}

/** Part of the page whose code is loaded when it is shown first, as few people need it. */
export const Late = <P extends object>({ load, props, onFailure }: LateProps<P>) => {
  const [loaded, setLoaded] = useState<{ readonly Part: ComponentType<P> }>();
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (Part) => isCurrent && setLoaded({ Part }),
      () => onFailure?.(),
    );
    return () => {
      isCurrent = false;
    };
  }, [load]);
  return loaded ? <loaded.Part {...props} /> : null;
};
