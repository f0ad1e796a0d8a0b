import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Age } from './figures.tsx';
import { Problem } from './notice.tsx';
import type { Resource } from './use-resource.ts';

interface LoadedProps<T> {
  readonly of: Resource<T>;
  /** Returns the text to show in place of an empty value. */
  readonly empty?: (value: T) => ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows a loaded value, or that it is loading, is empty or could not be loaded. */
export const Loaded = <T,>({ of: resource, empty, children }: LoadedProps<T>) => {
  const { value, error, isLoading, loadedAt, reload } = resource;
  const again = (
    <Button kind="plain" busy={isLoading} onClick={reload}>
      Try again
    </Button>
  );
  if (value === undefined) {
    if (error !== undefined) return <Problem of={error}>{again}</Problem>;
    return (
      <p class="loading" role="status">
        Loading…
      </p>
    );
  }
  const nothing = empty?.(value);
  return (
    <>
      {error !== undefined && (
        <Problem of={error}>
          {' '}
          These figures are from <Age at={loadedAt} />. {again}
        </Problem>
      )}
      {nothing ? <div class="empty">{nothing}</div> : children(value)}
    </>
  );
};
