import type { Timeframe } from '../../backtests/draft.ts';
import type { Review as FileReview } from '../../candles/read-file.ts';
import { format } from '../../format.ts';
import { Notice } from '../../ui/notice.tsx';

interface ReviewProps {
  readonly review: FileReview;
  readonly timeframe: Timeframe;
}

const spanOf = ({ rows }: FileReview, timeframe: Timeframe): string => {
  const [first, last] = [rows[0]?.[0], rows.at(-1)?.[0]].map((start) =>
    start === undefined ? '' : format.bar(new Date(start).toISOString(), timeframe).text,
  );
  return rows.length === 0 ? '' : `, from ${first} to ${last}`;
};

/** Says what was read in a file, and what is doubtful about it. */
export const Review = ({ review, timeframe }: ReviewProps) => {
  const { rows, refused, firstRefused, missing, findings, doubt, timeZone, dialect } = review;
  const dialectText = `${dialect.charAt(0).toUpperCase()}${dialect.slice(1)}`;
  return (
    <div class="stack" role="status" aria-label="What was read">
      <p>
        {dialectText}. Times without a time zone are read in {timeZone}.
      </p>
      <p>
        <strong>
          {format.count(rows.length)} candles{spanOf(review, timeframe)}.
        </strong>
      </p>
      {missing > 0 && (
        <Notice kind="warn">{format.count(missing)} candles of open markets are missing in between.</Notice>
      )}
      {findings !== undefined && <Notice kind="warn">{findings}</Notice>}
      {doubt && <Notice kind="warn">{doubt.text}</Notice>}
      {refused > 0 && (
        <Notice kind="warn">
          {format.count(refused)} lines are left out. The first ones:
          <ul>
            {firstRefused.map(({ line, fault }) => (
              <li key={line}>
                Line {format.count(line)}: {fault}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
};
