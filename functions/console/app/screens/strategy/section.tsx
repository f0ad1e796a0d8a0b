import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  readonly title: string;
  /** Buttons next to the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Part of a screen with a title. */
export const Section = ({ title, actions, children }: SectionProps) => {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="row row-apart">
        <h2 id={id}>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
};
