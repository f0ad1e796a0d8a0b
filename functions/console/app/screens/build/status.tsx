import type { Checked } from '../../rules/check.ts';
import { pathKey } from '../../rules/json.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { focusPlace } from './editor-context.ts';
import { hintsOf } from './hints.ts';

/** Milliseconds without typing after which the sentence is read out. */
const SPOKEN_MS = 1200;

interface StatusProps {
  readonly checked: Checked;
  /** False where the rules are sentences themselves. The sentence is read out then, too. */
  readonly hasSentence: boolean;
}

/** Sentence of the rules as they are, or their problems with links to the places. */
export const Status = ({ checked, hasSentence }: StatusProps) => {
  const problems = 'problems' in checked ? checked.problems : [];
  const text =
    'sentence' in checked
      ? checked.sentence
      : `${problems.length === 1 ? 'One thing is' : `${problems.length} things are`} to fix.`;
  const spoken = useDebounced(text, SPOKEN_MS);
  return (
    <section class="stack" aria-label="The rules in words">
      <p class="unseen" role="status">
        {spoken}
      </p>
      {'sentence' in checked ? (
        <>
          {hasSentence && <p class="rules-sentence">{checked.sentence}</p>}
          {hintsOf(checked.rules).map((hint) => (
            <Notice key={hint} kind="info">
              {hint}
            </Notice>
          ))}
        </>
      ) : (
        <div class="problems">
          <p>
            <strong>{text}</strong>
          </p>
          <ul>
            {problems.map(({ place, text: problem }) => (
              <li key={pathKey(place)}>
                <Button kind="quiet" class="to-problem" onClick={() => focusPlace(place)}>
                  {problem}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
};
