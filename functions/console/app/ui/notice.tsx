import type { ComponentChildren } from 'preact';
import { problemText } from './problem-text.ts';

type Kind = 'info' | 'good' | 'warn' | 'bad';

const SIGNS: Readonly<Record<Kind, string>> = { info: 'i', good: '✓', warn: '!', bad: '×' };

interface NoticeProps {
  readonly kind?: Kind;
  readonly children: ComponentChildren;
}

/** Notice within a screen. Warnings and errors are announced at once. */
export const Notice = ({ kind = 'info', children }: NoticeProps) => (
  <div class={`notice notice-${kind}`} role={kind === 'bad' || kind === 'warn' ? 'alert' : 'status'}>
    <span class="notice-sign" aria-hidden="true">
      {SIGNS[kind]}
    </span>
    <div>{children}</div>
  </div>
);

/** Small label of a state. */
export const Tag = ({ kind = 'info', children }: NoticeProps) => (
  <span class={`tag tag-${kind}`}>{children}</span>
);

/** Sentence about an error, with the id to quote. Nothing without an error. */
export const Problem = ({ of: error, children }: { of: unknown; children?: ComponentChildren }) => {
  if (error === undefined) return null;
  const { sentence, requestId } = problemText(error);
  return (
    <Notice kind="bad">
      {sentence}
      {requestId && <small class="request-id"> Request {requestId}</small>}
      {children}
    </Notice>
  );
};
