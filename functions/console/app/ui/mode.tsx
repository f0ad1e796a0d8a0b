import { Tag } from './notice.tsx';

/** Names a mode of trading. */
export const modeText = (mode: 'live' | 'virtual'): string => (mode === 'live' ? 'Real money' : 'Paper');

/** Tells real money, which needs attention, from paper. */
export const Mode = ({ mode }: { readonly mode: 'live' | 'virtual' }) => (
  <Tag kind={mode === 'live' ? 'warn' : 'info'}>{modeText(mode)}</Tag>
);
