import type { ComponentChildren } from 'preact';

interface EmptyProps {
  /** Sentence that says why there is nothing. */
  readonly title: ComponentChildren;
  /** Button or link of the next step. */
  readonly next?: ComponentChildren;
  /** More about the next step. */
  readonly children?: ComponentChildren;
}

/** Contents of an empty list: why there is nothing, and the step that changes it. Goes into `Loaded`'s `empty`. */
export const Empty = ({ title, next, children }: EmptyProps) => (
  <>
    <strong>{title}</strong>
    {children && <p>{children}</p>}
    {next && <div class="actions">{next}</div>}
  </>
);
