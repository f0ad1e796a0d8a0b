import type { Rules, Side } from '../../../../../shared/domain/engine/rules/shape.ts';

const closes = ({ entries, exits, reverse, session }: Rules, side: Side): boolean =>
  exits.some((exit) => exit.side === side) ||
  session?.square_off !== undefined ||
  (reverse && entries.some((entry) => entry.side !== side)) ||
  entries.every(
    (entry) => entry.side !== side || entry.stop_loss || entry.take_profit || entry.trailing_stop,
  );

/** Tells what is allowed but is rarely meant. */
export const hintsOf = (rules: Rules): string[] => {
  const sides = new Set(rules.entries.map(({ side }) => side));
  const open = [...sides]
    .filter((side) => !closes(rules, side))
    .map(
      (side) =>
        `Nothing closes a ${side} trade. Add an exit, a stop, a target or a time that closes everything.`,
    );
  const idle = [...new Set(rules.exits.map(({ side }) => side))]
    .filter((side) => !sides.has(side))
    .map((side) => `An exit is for ${side} trades, but no entry opens one.`);
  const unused =
    rules.max_trades !== 1 && !rules.pyramid
      ? ['More than one trade at once needs “Add trades while others of the side are open”.']
      : [];
  return [...open, ...idle, ...unused];
};
