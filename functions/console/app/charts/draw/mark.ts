import type { IPrimitivePaneView, ISeriesPrimitive, Time } from 'lightweight-charts';
import { asTime, type Scene } from './drawing.ts';

/** Moment of a chart that a vertical line shows. */
export interface Mark {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
}

/** Data of a chart that may have a mark. */
interface Marked {
  readonly mark?: Mark;
}

const DASHES = [4, 4];
/** Distance of the label from the line and from the top, in pixels. */
const GAP = 6;

/** Returns the place of the mark of a chart, in pixels from the left; null outside of the visible time. */
const placeOf = ({ chart, data, axis }: Scene<Marked>): number | null => {
  const seconds = data.mark && axis.secondsAt(data.mark.at);
  return seconds === undefined ? null : chart.timeScale().timeToCoordinate(asTime(seconds));
};

/** Draws the mark of a chart as a vertical line with its label, on the side that has more room. */
export const markOf = (scene: Scene<Marked>): ISeriesPrimitive<Time> => {
  const views: readonly IPrimitivePaneView[] = [
    {
      renderer: () => ({
        draw: (target) =>
          target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
            const place = placeOf(scene);
            if (place === null || !scene.data.mark) return;
            const { fontSize, fontFamily } = scene.chart.options().layout;
            context.strokeStyle = scene.colours('text');
            context.fillStyle = scene.colours('text');
            context.lineWidth = 1;
            context.setLineDash(DASHES);
            context.beginPath();
            context.moveTo(place, 0);
            context.lineTo(place, height);
            context.stroke();
            context.font = `${fontSize}px ${fontFamily}`;
            context.textBaseline = 'top';
            const isLeft = place > width / 2;
            context.textAlign = isLeft ? 'right' : 'left';
            context.fillText(scene.data.mark.text, place + (isLeft ? -GAP : GAP), GAP);
          }),
      }),
    },
  ];
  return { paneViews: () => views };
};
