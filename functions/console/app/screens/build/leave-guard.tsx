import { useEffect, useRef, useState } from 'preact/hooks';
import { Confirm } from '../../ui/dialog.tsx';

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

/** Asks before a link or a reload leaves unsaved changes. */
export const LeaveGuard = ({ isDirty }: { readonly isDirty: boolean }) => {
  const [target, setTarget] = useState<string>();
  const latest = useRef(isDirty);
  latest.current = isDirty;
  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const href = link?.getAttribute('href');
      if (!latest.current || !href?.startsWith('#') || !isPlainClick(event)) return;
      event.preventDefault();
      setTarget(href);
    };
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (latest.current) event.preventDefault();
    };
    document.addEventListener('click', onClick, true);
    addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, true);
      removeEventListener('beforeunload', onUnload);
    };
  }, []);
  return (
    <Confirm
      title="Leave without saving?"
      open={target !== undefined}
      action="Leave"
      danger={false}
      onClose={() => setTarget(undefined)}
      onConfirm={() => {
        if (target !== undefined) location.hash = target;
        setTarget(undefined);
      }}
    >
      <p>Your changes are not saved. They are kept here until you close or reload this page.</p>
    </Confirm>
  );
};
