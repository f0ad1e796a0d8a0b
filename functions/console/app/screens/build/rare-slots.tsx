import { useState } from 'preact/hooks';
import { getAt, type Path, pathKey } from '../../rules/json.ts';
import type { Slot } from '../../rules/schema-slots.ts';
import { Button } from '../../ui/button.tsx';
import { useEditor } from './editor-context.ts';
import { SlotChip } from './slot-chip.tsx';

/** Words before and after fields that are rarely changed. */
const WORDS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  source: ['of', ''],
  candles: ['of', 'candles'],
  timeframe: ['on', ''],
  ago: ['', 'bars ago'],
  seed: ['beginning with', ''],
  first_bar: ['range of the first bar', ''],
  trend: ['after a trend of', 'closes'],
  body: ['body', '% of the range'],
  wick: ['short shadow', '% of the range'],
  shadow: ['long shadow', '× the body'],
  long_body: ['first body', '% of its range'],
  star: ['star', '% of the first body'],
  penetration: ['depth', '% of the first body'],
};

interface RareSlotsProps {
  readonly path: Path;
  readonly slots: readonly Slot[];
  /** Names of the fields, for the button that shows them. */
  readonly names: string;
}

/** Fields that are shown when they are not the usual ones, or when a button is pressed. */
export const RareSlots = ({ path, slots, names }: RareSlotsProps) => {
  const { draft, problems } = useEditor();
  const [isOpen, setOpen] = useState(false);
  const isShown = (slot: Slot): boolean => {
    const value = getAt(draft, [...path, slot.name]);
    const isUsual = value === undefined || value === slot.standard;
    return isOpen || !isUsual || problems.has(pathKey([...path, slot.name]));
  };
  return (
    <>
      {slots.filter(isShown).map((slot) => (
        <span key={slot.name} class="chip-words">
          {WORDS[slot.name]?.[0]}
          <SlotChip path={[...path, slot.name]} slot={slot} />
          {WORDS[slot.name]?.[1]}
        </span>
      ))}
      {slots.length > 0 && (
        <Button
          kind="quiet"
          class="chip-more"
          aria-expanded={isOpen}
          aria-label={`More of this value: ${names}`}
          title={names}
          onClick={() => setOpen(!isOpen)}
        >
          ⋯
        </Button>
      )}
    </>
  );
};
