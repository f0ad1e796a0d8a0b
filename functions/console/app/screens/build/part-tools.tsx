import { copySection, moveSection, removeSection } from '../../rules/section-edits.ts';
import { Button } from '../../ui/button.tsx';
import { useEditor } from './editor-context.ts';

interface PartToolsProps {
  readonly section: 'entries' | 'exits';
  readonly index: number;
  readonly count: number;
  /** Name of the part, such as `entry 2`. */
  readonly name: string;
}

/** Buttons that move, copy and remove an entry or exit. */
export const PartTools = ({ section, index, count, name }: PartToolsProps) => {
  const { draft, edit } = useEditor();
  return (
    <div class="tools">
      {count > 1 && (
        <>
          <Button
            kind="quiet"
            aria-label={`Move ${name} up`}
            disabled={index === 0}
            onClick={() => edit(moveSection(draft, section, index, -1))}
          >
            ↑
          </Button>
          <Button
            kind="quiet"
            aria-label={`Move ${name} down`}
            disabled={index === count - 1}
            onClick={() => edit(moveSection(draft, section, index, 1))}
          >
            ↓
          </Button>
        </>
      )}
      <Button
        kind="quiet"
        aria-label={`Copy ${name}`}
        onClick={() => edit(copySection(draft, section, index))}
      >
        Copy
      </Button>
      <Button
        kind="quiet"
        aria-label={`Remove ${name}`}
        onClick={() => edit(removeSection(draft, section, index))}
      >
        Remove
      </Button>
    </div>
  );
};
