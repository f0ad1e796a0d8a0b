const COLOURS = [
  'page',
  'surface',
  'raised',
  'sunken',
  'line',
  'line-strong',
  'text',
  'muted',
  'accent',
  'accent-soft',
  'gain',
  'gain-soft',
  'loss',
  'loss-soft',
  'warn',
  'warn-soft',
  'danger',
  'focus',
  'series-1',
  'series-2',
  'series-3',
  'series-4',
] as const;

const TEXTS = ['small', 'base', 'large', 'figure', 'title', 'hero'] as const;
const SPACES = [1, 2, 3, 4, 5, 6, 7] as const;

/** Colours of the present scheme. */
export const ColourTokens = () => (
  <ul class="swatches">
    {COLOURS.map((name) => (
      <li key={name}>
        <span class="swatch" style={{ background: `var(--${name})` }} />
        <code>{name}</code>
      </li>
    ))}
  </ul>
);

/** Scales of sizes. */
export const SizeTokens = () => (
  <>
    {TEXTS.map((name) => (
      <p key={name} style={{ fontSize: `var(--text-${name})` }}>
        US$1,234.50 <code>text-{name}</code>
      </p>
    ))}
    <ul class="swatches">
      {SPACES.map((size) => (
        <li key={size}>
          <span class="swatch" style={{ inlineSize: `var(--space-${size})`, background: 'var(--accent)' }} />
          <code>space-{size}</code>
        </li>
      ))}
    </ul>
  </>
);
