import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { StepUpProps } from './step-up-dialog.tsx';

/** Dialog of the step-up, whose code is loaded when a request needs it. */
export const StepUp = (props: StepUpProps) => {
  const [loaded, setLoaded] = useState<{ readonly Dialog: ComponentType<StepUpProps> }>();
  const { settle } = props.request;
  useEffect(() => {
    let isCurrent = true;
    import('./step-up-dialog.tsx').then(
      ({ StepUpDialog }) => isCurrent && setLoaded({ Dialog: StepUpDialog }),
      () => settle(false),
    );
    return () => {
      isCurrent = false;
      // Without the dialog, such as after the end of the session, nothing waits for it.
      settle(false);
    };
  }, [settle]);
  return loaded ? <loaded.Dialog {...props} /> : null;
};
