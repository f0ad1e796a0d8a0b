import { useId } from 'preact/hooks';
import { Button } from '../../../ui/button.tsx';

interface TimelineProps {
  readonly count: number;
  readonly index: number;
  /** Time of the bar. */
  readonly text: string;
  readonly onIndex: (index: number) => void;
}

/** Choice of a bar by keyboard or finger. */
export const Timeline = ({ count, index, text, onIndex }: TimelineProps) => {
  const id = useId();
  return (
    <div class="timeline">
      <label for={id}>Bar</label>
      <Button
        kind="quiet"
        aria-label="Previous bar"
        disabled={index === 0}
        onClick={() => onIndex(index - 1)}
      >
        ←
      </Button>
      <input
        id={id}
        type="range"
        min={0}
        max={count - 1}
        value={index}
        aria-valuetext={text}
        onInput={({ currentTarget }) => onIndex(Number(currentTarget.value))}
      />
      <Button
        kind="quiet"
        aria-label="Next bar"
        disabled={index >= count - 1}
        onClick={() => onIndex(index + 1)}
      >
        →
      </Button>
    </div>
  );
};
