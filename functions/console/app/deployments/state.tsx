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
