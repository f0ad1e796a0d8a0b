import type { ComponentChildren } from 'preact';
import { problemText } from './problem-text.ts';

type Kind = 'info' | 'good' | 'warn' | 'bad';

const SIGNS: Readonly<Record<Kind, string>> = { info: 'i', good: '✓', warn: '!', bad: '×' };

interface TagProps {
  readonly kind?: Kind;
  readonly children: ComponentChildren;
}

interface NoticeProps extends TagProps {
  /** True for a warning or an error that answers an act of the user. Screen readers announce it at once. */
  readonly isNew?: boolean;
}

const roleOf = (kind: Kind, isNew: boolean) => {
  if (isNew) return 'alert';
  return kind === 'good' ? 'status' : undefined;
};

/** Notice within a screen. */
export const Notice = ({ kind = 'info', isNew = false, children }: NoticeProps) => (
  <div class={`notice notice-${kind}`} role={roleOf(kind, isNew)}>
    <span class="notice-sign" aria-hidden="true">
      {SIGNS[kind]}
    </span>
    <div>{children}</div>
  </div>
);

/** Small label of a state. */
export const Tag = ({ kind = 'info', children }: TagProps) => (
  <span class={`tag tag-${kind}`}>{children}</span>
);

/** Sentence about an error, with the id to quote. Nothing without an error. */
export const Problem = ({ of: error, children }: { of: unknown; children?: ComponentChildren }) => {
  if (error === undefined) return null;
  const { sentence, requestId } = problemText(error);
  return (
    <Notice kind="bad" isNew>
      {sentence}
      {requestId && <small class="request-id"> Request {requestId}</small>}
      {children}
    </Notice>
  );
};
