import { LinkButton } from './button.tsx';
import { Screen } from './screen.tsx';

interface MissingProps {
  /** Name of the thing, such as `deployment`. */
  readonly thing: string;
  /** Another reason than a wrong address. */
  readonly reason?: string;
  /** Places where the user can go on. */
  readonly ways: readonly { readonly href: string; readonly label: string }[];
}

/** Screen of an address whose thing does not exist. */
export const Missing = ({ thing, reason = 'it is not yours', ways }: MissingProps) => (
  <Screen title={`No such ${thing}`}>
    <p>
      There is no {thing} at this address, or {reason}. The link may be old or mistyped.
    </p>
    <div class="actions">
      {ways.map(({ href, label }) => (
        <LinkButton key={href} href={href}>
          {label}
        </LinkButton>
      ))}
    </div>
  </Screen>
);
