import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';

const TEST_IDEA = 'test_idea_honestly';
const MAX_IDEA = 4000;
const MAX_SYMBOL = 64;

export const PROMPTS: readonly Prompt[] = [
  {
    name: TEST_IDEA,
    title: 'Turn this idea into rules and test it honestly',
    description:
      'Writes rules for an idea, tests them out of sample and with costs, and tells what the result is worth.',
    arguments: [
      { name: 'idea', description: 'Idea in your own words.', required: true },
      { name: 'symbol', description: 'Instrument to test it on.', required: true },
    ],
  },
];

const GUIDE = `Turn the idea below into rules of the hub and test it honestly. The idea is quoted as JSON.

1. Say in one sentence which effect the idea bets on, and why it could exist. If the idea is unclear, ask.
2. Find the instrument with get_instrument_suggestions_v2. Look at get_strategy_templates for rules that are close. The resource hub://reference/rules explains rules.
3. build_new_strategy, then set_strategy_rules. Use the fewest conditions and parameters that express the idea. On a 422, mend the named field and repeat.
4. Decide before the first test: the timeframe, the span, and the figure that would make you drop the idea. Keep at least the last 30 % of the span unseen.
5. run_backtest on the first part with realistic commission, spread and slippage. Read the warnings of the report first, and say them.
6. If parameters matter, use sweep_strategy with a split: it ranks on one part and shows the other. Prefer a broad plateau to the best cell. Every further try makes a good result by luck more likely: count your tries and tell the count.
7. Run the unseen part once, at the end. Do not change the rules after it.
8. Report: trades of both parts (fewer than 30 prove nothing), result after costs next to buy and hold of the same span, largest drawdown, what changes with twice the costs, and whether one trade or one period made the result.
9. Conclude in plain words: dropped, unclear, or worth a paper deployment. Never promise a profit. Deploy on paper only if the user agrees; real money is the user's own decision in the console.`;

/** Returns the messages of a prompt. Arguments are quoted as JSON, so they cannot pass for the guide. @throws ProtocolError */
export const getPrompt = (
  name: string,
  { idea, symbol }: Readonly<Record<string, string>>,
): GetPromptResult => {
  if (name !== TEST_IDEA)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no prompt of this name.');
  if (!idea || !symbol || idea.length > MAX_IDEA || symbol.length > MAX_SYMBOL) {
    const detail = `Give an idea of at most ${MAX_IDEA} characters and a symbol of at most ${MAX_SYMBOL}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, detail);
  }
  return {
    description: 'Turn an idea into rules and test it honestly',
    messages: [
      { role: 'user', content: { type: 'text', text: `${GUIDE}\n\n${JSON.stringify({ idea, symbol })}` } },
    ],
  };
};
