import { Tag } from '../ui/notice.tsx';
import { type DeploymentFacts, stateWords } from './state-words.ts';

/** State of a deployment as a label, with its reason in a sentence. */
export const State = ({ of: facts, isShort = false }: { of: DeploymentFacts; isShort?: boolean }) => {
  const { tone, label, sentence } = stateWords(facts);
  return (
    <span class="state">
      <Tag kind={tone}>{label}</Tag>{' '}
      {(!isShort || tone === 'warn' || tone === 'bad') && <span class="muted">{sentence}</span>}
    </span>
  );
};

/** Tells real money from paper. */
export const Mode = ({ mode }: { mode: 'live' | 'virtual' }) =>
  mode === 'live' ? <Tag kind="bad">Real money</Tag> : <Tag kind="info">Paper</Tag>;
