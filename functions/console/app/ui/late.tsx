import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loaded } from './loaded.tsx';
import { useResource } from './use-resource.ts';

interface LateProps<P extends object> {
  /** Loads the component. The same function each time. */
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
  readonly onFailure?: () => void;
}

const LoadedCode = <P extends object>({ load, props, onFailure }: LateProps<P>) => {
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
  }, []);
  return loaded ? <loaded.Part {...props} /> : null;
};

/** Part of the page whose code is loaded when it is shown first, as few people need it. */
export const Late = <P extends object>(props: LateProps<P>) => <LoadedCode key={props.load} {...props} />;

type LatePartProps<P extends object> = Omit<LateProps<P>, 'onFailure'>;

const LoadedPart = <P extends object>({ load, props }: LatePartProps<P>) => (
  <Loaded of={useResource(load, [])}>{(Part) => <Part {...props} />}</Loaded>
);

/**
 * Part of a screen whose code is loaded when it is looked at. Says so meanwhile, and when it failed. Another part in
 * its place begins as a new one.
 */
export const LatePart = <P extends object>(props: LatePartProps<P>) => (
  <LoadedPart key={props.load} {...props} />
);
