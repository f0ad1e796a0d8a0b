import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { namedSection, navigations, type Section } from '../router.ts';

interface ScreenProps {
  readonly title: string;
  /** Entry of the navigation, if the address alone does not tell it. */
  readonly section?: Section;
  readonly lead?: ComponentChildren;
  /** Buttons and links next to the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Screen with its title. After a navigation it moves the focus to the title, so that screen readers read it. */
export const Screen = ({ title, section, lead, actions, children }: ScreenProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Strategy Hub`;
  }, [title]);
  useEffect(() => {
    namedSection.value = section;
    return () => {
      namedSection.value = undefined;
    };
  }, [section]);
  useEffect(() => {
    if (navigations.peek() === 0) return;
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <article class="screen">
      <header class="screen-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </article>
  );
};
