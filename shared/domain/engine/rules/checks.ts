import type * as z from 'zod';
import { meantIssues } from '../../union-issues.ts';
import { RULES_LIMITS } from '../values/limits.ts';
import { PARAM_NAME } from '../values/values.ts';
import { canonicalRules } from './canonical.ts';
import { paramReferences, replaceReferences } from './references.ts';
import { type Condition, type Distance, type Entry, type Operand, type Rules, shapeSchema } from './shape.ts';
import { type Path, readsTrade, rulesNodes } from './walk.ts';

type AddIssue = (issue: z.core.$ZodSuperRefineIssue) => void;
type Refuse = (path: Path, message: string, type: string) => void;

const isLeaf = (condition: Condition): boolean =>
  !('all' in condition || 'any' in condition || 'not' in condition || 'condition' in condition);

const distancesOf = (entry: Entry): [string, Distance][] =>
  (['stop_loss', 'take_profit', 'trailing_stop'] as const).flatMap((name) => {
    const distance = entry[name];
    return distance ? [[name, distance] as [string, Distance]] : [];
  });

const checkEntry = (entry: Entry, path: Path, refuse: Refuse): void => {
  if (entry.limit && entry.stop) {
    refuse([...path, 'stop'], 'an entry has a limit or a stop, not both', 'value_error.entry');
  }
  if (entry.valid_bars !== undefined && !entry.limit && !entry.stop) {
    refuse([...path, 'valid_bars'], 'valid_bars needs a limit or a stop', 'value_error.entry');
  }
  if (entry.size.type === 'risk_percent' && !entry.stop_loss) {
    refuse([...path, 'size'], 'a size of the type risk_percent needs a stop_loss', 'value_error.entry');
  }
};

/** Returns whether a condition compares with values of the bar before, which an account does not keep of its trades. */
const readsBefore = (condition: Condition): boolean =>
  'rising' in condition ||
  'falling' in condition ||
  ('left' in condition && condition.op.startsWith('crosses'));

const ownOperands = (condition: Condition): Operand[] => {
  if ('left' in condition) return [condition.left, condition.right];
  if ('rising' in condition) return [condition.rising];
  return 'falling' in condition ? [condition.falling] : [];
};

/** Checks that values of a trade are used by exits, and not where those of two bars are compared. */
const checkTradeValues = (rules: Rules, refuse: Refuse): void => {
  for (const node of rulesNodes(rules)) {
    if ('condition' in node) {
      if (!readsBefore(node.condition) || !ownOperands(node.condition).some(readsTrade)) continue;
      const message =
        'a value of the open trade has no value of the bar before; use gt, gte, lt, lte or between';
      refuse(node.path, message, 'value_error.trade');
    } else if (typeof node.operand === 'object' && 'trade' in node.operand && node.path[0] === 'entries') {
      const message = 'a value of the open trade is for exits; an entry has no trade yet';
      refuse([...node.path, 'trade'], message, 'value_error.trade');
    }
  }
};

/** Checks nesting and the numbers of conditions and distinct indicators. */
const checkAmounts = (rules: Rules, refuse: Refuse): void => {
  const { depth: maxDepth, conditions: maxConditions, indicators: maxIndicators } = RULES_LIMITS;
  const indicators = new Set<string>();
  let conditions = 0;
  const addIndicator = (key: object, path: Path): void => {
    const text = JSON.stringify(key);
    if (indicators.has(text)) return;
    indicators.add(text);
    if (indicators.size === maxIndicators + 1) {
      refuse(
        path,
        `ensure these rules have at most ${maxIndicators} distinct indicators`,
        'value_error.rules',
      );
    }
  };
  let deepest = false;
  for (const node of rulesNodes(rules)) {
    if (node.depth > maxDepth && !deepest) {
      deepest = true;
      refuse(node.path, `ensure conditions have at most ${maxDepth} levels of nesting`, 'value_error.rules');
    }
    if ('condition' in node) {
      if (!isLeaf(node.condition)) continue;
      conditions += 1;
      if (conditions === maxConditions + 1) {
        refuse(node.path, `ensure these rules have at most ${maxConditions} conditions`, 'value_error.rules');
      }
    } else if (typeof node.operand !== 'number' && 'indicator' in node.operand) {
      const { ago: _ago, ...key } = node.operand;
      addIndicator('output' in key ? { ...key, output: null } : key, node.path);
    }
  }
  for (const [index, entry] of rules.entries.entries()) {
    for (const [name, distance] of distancesOf(entry)) {
      if (distance.type !== 'atr') continue;
      addIndicator({ indicator: 'atr', length: distance.length }, ['entries', index, name]);
    }
  }
};

/** Checks the declared parameters and the references to them. */
const checkParams = (rules: Rules, refuse: Refuse): boolean => {
  const declared = Object.entries(rules.params);
  let whole = true;
  const refuseParam: Refuse = (path, message, type) => {
    whole = false;
    refuse(path, message, type);
  };
  if (declared.length > RULES_LIMITS.params) {
    refuseParam(
      ['params'],
      `ensure these rules have at most ${RULES_LIMITS.params} parameters`,
      'value_error.rules',
    );
  }
  for (const [name, { default: standard, min = -Infinity, max = Infinity }] of declared) {
    if (!PARAM_NAME.test(name)) {
      refuseParam(
        ['params', name],
        'a parameter has a name of at most 32 letters, digits and underscores that begins with a letter',
        'value_error.param',
      );
    }
    if (min > max) refuseParam(['params', name, 'min'], 'min is greater than max', 'value_error.param');
    else if (standard < min || standard > max) {
      refuseParam(['params', name, 'default'], 'default is not between min and max', 'value_error.param');
    }
  }
  const names = declared.map(([name]) => name);
  for (const { path, name } of paramReferences({ ...rules, params: {} })) {
    if (!names.includes(name)) {
      const known = names.length > 0 ? names.map((each) => `'${each}'`).join(', ') : 'none';
      refuseParam([...path, 'param'], `parameter is not declared; declared: ${known}`, 'value_error.param');
    }
  }
  return whole;
};

/** Checks that the default of each parameter fits the places that use it. */
const checkDefaults = (rules: Rules, addIssue: AddIssue): void => {
  const defaults = new Map(Object.entries(rules.params).map(([name, param]) => [name, param.default]));
  const replaced = replaceReferences(rules, defaults);
  const issues = shapeSchema.safeParse(replaced).error?.issues ?? [];
  for (const issue of meantIssues(issues, replaced)) addIssue({ ...issue });
};

/** Checks what concerns several fields of rules, and adds an issue with the path of each problem. */
export const checkRules = (rules: Rules, addIssue: AddIssue): void => {
  const refuse: Refuse = (path, message, type) =>
    addIssue({ code: 'custom', path: [...path], message, params: { type } });
  for (const [index, entry] of rules.entries.entries()) checkEntry(entry, ['entries', index], refuse);
  checkAmounts(rules, refuse);
  checkTradeValues(rules, refuse);
  const size = canonicalRules(rules).length;
  if (size > RULES_LIMITS.characters) {
    refuse([], `ensure these rules have at most ${RULES_LIMITS.characters} characters`, 'value_error.rules');
  }
  if (checkParams(rules, refuse) && Object.keys(rules.params).length > 0) checkDefaults(rules, addIssue);
};
