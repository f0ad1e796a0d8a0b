import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

type Kind = 'primary' | 'plain' | 'danger' | 'quiet';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'type' | 'disabled'> {
  readonly kind?: Kind;
  /** True while the action of the button runs. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly submit?: boolean;
  readonly children: ComponentChildren;
}

const refuse = (event: Event): void => event.preventDefault();

/**
 * Button. With `submit`, it sends the form around it. While its action runs it does nothing, but keeps the focus, which
 * a disabled button would lose.
 */
export const Button = ({
  kind = 'plain',
  busy = false,
  submit = false,
  disabled,
  onClick,
  children,
  ...more
}: ButtonProps) => (
  <button
    {...more}
    type={submit ? 'submit' : 'button'}
    class={`button button-${kind} ${more.class ?? ''}`}
    disabled={disabled}
    aria-disabled={busy || undefined}
    aria-busy={busy}
    onClick={busy ? refuse : onClick}
  >
    {children}
  </button>
);

interface LinkButtonProps {
  readonly href: string;
  readonly kind?: Kind;
  readonly children: ComponentChildren;
}

/** Link that looks like a button. */
export const LinkButton = ({ href, kind = 'plain', children }: LinkButtonProps) => (
  <a href={href} class={`button button-${kind}`}>
    {children}
  </a>
);
