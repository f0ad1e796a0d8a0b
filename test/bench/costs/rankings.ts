import { FUNCTIONS } from '../../../functions/manifest.ts';
import { money, rounded, row } from './format.ts';
import { JOB_UNITS } from './job-units.ts';
import { PRICES } from './prices.ts';
import { DAYS } from './users.ts';

const JOB = 'rank-strategies';
/** Listed strategies of the table. */
const SIZES: readonly number[] = [10_000, 100_000, 1_000_000];
const ROUNDS = DAYS * 24;
/** Milliseconds of a function in which a card is read and ranked. */
const CARD_MS = 0.2;
/** Write units of all rankings, at the end of a round. */
const RANKINGS = 137;

/** Returns the units and the costs of the rankings of a catalogue, in dollars, as Markdown. */
export const rankingTable = (): string => {
  const units = JOB_UNITS[JOB];
  const owner = FUNCTIONS.find(
    ({ trigger }) => trigger.kind === 'schedule' && trigger.schedules.some(({ job }) => job === JOB),
  );
  if (!units || !owner) throw new Error(`no function runs the job ${JOB}`);
  const reads = (listed: number) => listed * units.read;
  // A catalogue of one batch needs no pools.
  const writes = (listed: number) => RANKINGS + (listed > units.page ? listed * units.write : 0);
  const seconds = (listed: number) => (listed * CARD_MS) / 1000;
  const month = (listed: number) =>
    ROUNDS *
    (reads(listed) * PRICES.readUnit +
      writes(listed) * PRICES.writeUnit +
      seconds(listed) * (owner.memoryMb / 1000) * PRICES.lambdaGbSecond);
  const line = (name: string, cell: (listed: number) => string): string => row([name, ...SIZES.map(cell)]);
  return [
    line('Listed strategies', (listed) => listed.toLocaleString('en')),
    row(['---', ...SIZES.map(() => '--:')]),
    line('Read units of a round', (listed) => rounded(reads(listed))),
    line('Write units of a round', (listed) => rounded(writes(listed))),
    line('Seconds of a round', (listed) => rounded(seconds(listed))),
    line(`**$ a month**, ${ROUNDS} rounds`, (listed) => money(month(listed))),
  ].join('\n');
};
