import type { UserDeploymentNotificationsCustomOut } from '../../../../infra/client/package/src/index.ts';
import { format } from '../format.ts';
import { Money, Price, Quantity, When } from '../ui/figures.tsx';
import { Tag } from '../ui/notice.tsx';
import { fillOf, marketTimeOf, resultOf } from './groups.ts';
import { severityText, wayOf } from './words.ts';

type Note = UserDeploymentNotificationsCustomOut;

/** Text of a notification, with its figures as the user writes them. */
const Body = ({ note }: { readonly note: Note }) => {
  const fill = fillOf(note);
  const end = resultOf(note);
  if (fill) {
    return (
      <>
        {fill.verb} <Quantity value={fill.quantity} /> {fill.symbol} at <Price value={fill.price} />.
      </>
    );
  }
  if (end) {
    return (
      <>
        Every position is closed. Realised so far: <Money value={end.result} currency={end.currency} signed />
        .
      </>
    );
  }
  return <>{note.body}</>;
};

const Arrival = ({ at }: { readonly at: string }) => {
  const { text, title, iso } = format.clock(at);
  return (
    <time class="note-time" dateTime={iso} title={title}>
      {text}
    </time>
  );
};

/** One notification in a group of a day: when it arrived, how grave it is, and what happened. */
export const NoteRow = ({ note }: { readonly note: Note }) => {
  const { kind, text } = severityText(note.severity);
  const way = wayOf(note.kind);
  const marketTime = marketTimeOf(note);
  return (
    <li class={note.is_read ? 'note' : 'note note-new'}>
      <Arrival at={note.arrived_at} />
      <Tag kind={kind}>{text}</Tag>
      <div class="note-text">
        <strong>{note.title}</strong>
        {!note.is_read && <span class="unseen"> (new)</span>}
        {!note.title.includes(note.body) && (
          <>
            {' '}
            <Body note={note} />
          </>
        )}
        {marketTime && (
          <span class="muted">
            {' '}
            Market time <When at={marketTime} />.
          </span>
        )}
        {way && (
          <>
            {' '}
            <a href={way.href}>{way.label}</a>
          </>
        )}
      </div>
    </li>
  );
};
