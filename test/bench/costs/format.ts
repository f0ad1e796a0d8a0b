import { MILLION } from './prices.ts';

/** Returns a row of a table in Markdown. */
export const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Rounds to three digits, which already exceeds the accuracy of the assumptions. */
export const rounded = (number: number): string => Number(number.toPrecision(3)).toLocaleString('en');

/** Formats dollars. */
export const money = (dollars: number): string => (dollars < 100 ? dollars.toFixed(2) : rounded(dollars));

/** Formats the dollars of a million. */
export const perMillion = (dollars: number): string => (dollars * MILLION).toFixed(2);
