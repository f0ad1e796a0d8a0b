import type { ComponentChildren } from 'preact';

type Item =
  | { readonly href: string; readonly label: ComponentChildren; readonly isCurrent: boolean }
  | { readonly key: string; readonly label: ComponentChildren };

interface TabsProps {
  readonly label: string;
  readonly items: readonly Item[];
  /** Key of the chosen item. */
  readonly current?: string;
  readonly onChoose?: (key: string) => void;
}

/** Choice between views: links of their own, or buttons. */
export const Tabs = ({ label, items, current, onChoose }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {items.map((item) =>
      'href' in item ? (
        <a key={item.href} href={item.href} aria-current={item.isCurrent ? 'page' : undefined}>
          {item.label}
        </a>
      ) : (
        <button
          key={item.key}
          type="button"
          aria-pressed={item.key === current}
          onClick={() => onChoose?.(item.key)}
        >
          {item.label}
        </button>
      ),
    )}
  </nav>
);
