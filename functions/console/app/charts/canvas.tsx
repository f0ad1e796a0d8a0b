import { useEffect, useRef, useState } from 'preact/hooks';
import { theme } from '../theme.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Draw, Drawing, Span } from './draw/drawing.ts';

interface CanvasProps<D> {
  /** Loads the code that draws. The library is large, so it is loaded with the first chart. */
  readonly load: () => Promise<{ readonly draw: Draw<D> }>;
  readonly data: D;
  readonly onMoment?: (millis: number | undefined) => void;
  /** Span to show; another one moves the chart. */
  readonly focus?: Span | undefined;
  readonly isTall?: boolean;
  /** True for a chart that takes the height that its region has left. */
  readonly isFull?: boolean;
}

/** Draws into an element, and takes over new data, sizes and colours. */
const useDrawing = <D,>({ load, data, onMoment, focus }: CanvasProps<D>) => {
  const element = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing<D>>(null);
  const latest = useRef({ load, data, onMoment, focus });
  latest.current = { load, data, onMoment, focus };
  const [isFailed, setFailed] = useState(false);

  useEffect(() => {
    let isGone = false;
    latest.current.load().then(
      ({ draw }) => {
        if (isGone || !element.current) return;
        drawing.current = draw(element.current, latest.current.data, (millis) =>
          latest.current.onMoment?.(millis),
        );
        if (latest.current.focus) drawing.current.show(latest.current.focus);
      },
      () => setFailed(true),
    );
    return () => {
      isGone = true;
      drawing.current?.remove();
      drawing.current = null;
    };
  }, []);

  useEffect(() => drawing.current?.update(data), [data]);

  useEffect(() => {
    if (focus) drawing.current?.show(focus);
  }, [focus]);

  useEffect(() => {
    // The new colours hold after the attribute of the page has changed.
    const recolour = (): void => {
      requestAnimationFrame(() => drawing.current?.recolour());
    };
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', recolour);
    const stop = theme.subscribe(recolour);
    return () => {
      dark.removeEventListener('change', recolour);
      stop();
    };
  }, []);

  return { element, drawing, isFailed };
};

/** Chart of the library, with buttons for people without a mouse. */
export const Canvas = <D,>(props: CanvasProps<D>) => {
  const { element, drawing, isFailed } = useDrawing(props);
  if (isFailed) {
    return (
      <Notice kind="warn">The chart could not be loaded. Reload the page, or choose “Show as table”.</Notice>
    );
  }
  return (
    <>
      {/* The sentence before the chart describes it. */}
      <div
        class={`chart-canvas ${props.isFull ? 'chart-full' : props.isTall ? 'chart-tall' : ''}`}
        aria-hidden="true"
        ref={element}
      />
      <div class="row row-apart chart-foot">
        <fieldset class="row chart-tools">
          <legend class="unseen">Visible time of the chart</legend>
          <Button kind="quiet" aria-label="Earlier" onClick={() => drawing.current?.pan(-0.5)}>
            ←
          </Button>
          <Button kind="quiet" aria-label="Later" onClick={() => drawing.current?.pan(0.5)}>
            →
          </Button>
          <Button kind="quiet" aria-label="Show less time" onClick={() => drawing.current?.zoom(0.5)}>
            +
          </Button>
          <Button kind="quiet" aria-label="Show more time" onClick={() => drawing.current?.zoom(2)}>
            −
          </Button>
          <Button kind="quiet" onClick={() => drawing.current?.fit()}>
            Show all
          </Button>
        </fieldset>
        <small class="muted">
          <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
            Charts by TradingView
          </a>{' '}
          Lightweight Charts™ © 2026 TradingView, Inc.
        </small>
      </div>
    </>
  );
};
