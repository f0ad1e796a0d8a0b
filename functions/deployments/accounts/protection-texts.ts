import type { ProtectionPlan, SymbolPlan } from './protection-plan.ts';

const percentOf = (band: string): string => `${Number((Number(band) * 100).toPrecision(6))} %`;

const noStop = ({ stop }: SymbolPlan): string[] => {
  if (stop === 'none') return ['No stop is set: no stop stands at your broker.'];
  return stop === 'some' ? ['Some entries set no stop: for their trades no stop stands at your broker.'] : [];
};

/** Tells how the levels rest at the broker. */
const restingText = ({ exits, stop, target, isFraction }: SymbolPlan): string[] => {
  const hasStop = stop !== 'none';
  const hasTarget = target !== 'none' && exits.levels.includes('target');
  if (!hasStop && !hasTarget) return [];
  if (exits.kind === 'stop_limit') {
    const band = exits.band === undefined ? '' : `, with its limit ${percentOf(exits.band)} beyond the stop`;
    return [
      `From the fill on a stop-limit order rests at your broker${band}. If the price jumps over that band, the order does not fill: the hub closes at the market within a minute, if it runs.`,
    ];
  }
  if (isFraction || exits.timeInForce === 'day') {
    return [
      'The stop rests at your broker during the session and is placed again when the next one opens: none stands overnight.',
    ];
  }
  const what =
    hasStop && hasTarget ? 'stop and target rest' : hasStop ? 'the stop rests' : 'the target rests';
  const linked = hasStop && hasTarget ? ' The one that fills cancels the other.' : '';
  return [`From the fill on ${what} at your broker until cancelled, whether the hub runs or not.${linked}`];
};

const watchedText = ({ exits, target }: SymbolPlan): string[] =>
  target !== 'none' && !exits.levels.includes('target')
    ? [
        'The hub watches the target: it closes at the close of the bar that reaches it, and only while the hub runs.',
      ]
    : [];

const hoursText = ({ exits, stop }: SymbolPlan): string[] =>
  exits.hours === 'session'
    ? [
        ...(stop === 'none'
          ? []
          : [
              'Stops sleep outside the session: after a gap one fills at the first price, which can be far from it.',
            ]),
        'Orders that are decided outside the session wait for the next one.',
      ]
    : [];

const trailText = ({ trails }: SymbolPlan): string[] =>
  trails
    ? ['The hub moves the trailing stop at the close of each bar. While the hub is down, it stays.']
    : [];

const aloneText = ({ exits }: SymbolPlan): string[] =>
  exits.isExclusive ? ['No other deployment can trade the symbol on this account.'] : [];

const shortText = ({ hasRefusedShorts }: SymbolPlan): string[] =>
  hasRefusedShorts ? ['The broker has no short positions: entries that sell short are refused.'] : [];

/** Describes the protection of the trades of a symbol, as a trader says it. */
export const symbolSentences = (plan: SymbolPlan): string[] => [
  ...noStop(plan),
  ...restingText(plan),
  ...watchedText(plan),
  ...hoursText(plan),
  ...trailText(plan),
  ...aloneText(plan),
  ...shortText(plan),
];

/** Describes the choices and limits that hold for all symbols. */
export const planSentences = ({ symbols, unprotected }: ProtectionPlan): string[] => {
  const hasStops = symbols.some(({ stop }) => stop !== 'none');
  return [
    'Exits of the rules are orders of the hub: they need it to run.',
    ...(hasStops
      ? [
          unprotected === 'close'
            ? 'If the broker refuses a stop, you are notified, and the position is closed at the market.'
            : 'If the broker refuses a stop, you are notified, and the position stays without one; the hub tries again each minute.',
        ]
      : []),
  ];
};
