import { getAt, isList } from '../../rules/json.ts';
import { addSection } from '../../rules/section-edits.ts';
import { Button } from '../../ui/button.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { EntrySentence, ExitSentence } from './entry.tsx';
import { GeneralSentences, ParamSentences } from './general.tsx';

const TITLES = { entries: 'Entries', exits: 'Exits' } as const;

const SectionSentences = ({ section }: { readonly section: 'entries' | 'exits' }) => {
  const { draft, problems, edit } = useEditor();
  const members = getAt(draft, [section]);
  const count = isList(members) ? members.length : 0;
  const title = TITLES[section];
  const problem = problems.get(section);
  return (
    <section class="stack" id={placeId([section])} tabIndex={-1} aria-label={title}>
      <h2 class="unseen">{title}</h2>
      {problem && <p class="field-error">{problem}</p>}
      {Array.from({ length: count }, (_, index) =>
        section === 'entries' ? (
          <EntrySentence key={index} index={index} count={count} />
        ) : (
          <ExitSentence key={index} index={index} count={count} />
        ),
      )}
      <div>
        <Button kind="quiet" onClick={() => edit(addSection(draft, section))}>
          {section === 'entries' ? '+ Add entry' : '+ Add exit'}
        </Button>
      </div>
    </section>
  );
};

/** Rules as sentences whose words are edited in place. */
export const SentencesView = () => (
  <>
    <SectionSentences section="entries" />
    <SectionSentences section="exits" />
    <GeneralSentences />
    <ParamSentences />
  </>
);
