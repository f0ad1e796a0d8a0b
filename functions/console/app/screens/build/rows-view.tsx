import { getAt, isList } from '../../rules/json.ts';
import { addSection } from '../../rules/section-edits.ts';
import { Button } from '../../ui/button.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { EntryRows, ExitRows } from './entry.tsx';
import { GeneralRows, ParamRows } from './general.tsx';

const SECTIONS = {
  entries: {
    title: 'Entries',
    lead: 'When trades open. At each close, the first entry that applies is taken.',
  },
  exits: { title: 'Exits', lead: 'When trades close. Stops and targets of the entry close them, too.' },
} as const;

const SectionRows = ({ section }: { readonly section: 'entries' | 'exits' }) => {
  const { draft, problems, edit } = useEditor();
  const members = getAt(draft, [section]);
  const count = isList(members) ? members.length : 0;
  const { title, lead } = SECTIONS[section];
  const problem = problems.get(section);
  return (
    <section class="stack" id={placeId([section])} tabIndex={-1} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p class="muted">{lead}</p>
      </div>
      {problem && <p class="field-error">{problem}</p>}
      {Array.from({ length: count }, (_, index) =>
        section === 'entries' ? (
          <EntryRows key={index} index={index} count={count} />
        ) : (
          <ExitRows key={index} index={index} count={count} />
        ),
      )}
      <div>
        <Button onClick={() => edit(addSection(draft, section))}>
          {section === 'entries' ? 'Add entry' : 'Add exit'}
        </Button>
      </div>
    </section>
  );
};

/** Rules as rows. */
export const RowsView = () => (
  <>
    <SectionRows section="entries" />
    <SectionRows section="exits" />
    <GeneralRows />
    <ParamRows />
  </>
);
