import { readFile } from 'node:fs/promises';
import { type TransformFailure, transform } from 'esbuild';
import * as z from 'zod';
import { toValidationDetails } from '../../shared/api/validation.ts';
import { takenNumbers } from '../../shared/domain/digits.ts';
import { UsageError } from '../commands/command-line.ts';

/** Returns the text of a place within a value: `entries[0].when.left`. */
const placeText = (path: readonly (string | number)[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');

/** Prefixes a message with the place that it is about; the whole value has none. */
export const placed = (path: readonly (string | number)[], message: string): string =>
  path.length === 0 ? message : `${placeText(path)}: ${message}`;

const textOf = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read.`);
  }
};

const isTransformFailure = (error: unknown): error is TransformFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);

/** Explains why a text is no JSON, with the line. `JSON.parse` often does not know the line. */
const syntaxProblem = async (file: string, text: string, fallback: string): Promise<string> => {
  try {
    await transform(text, { loader: 'json', logLevel: 'silent' });
  } catch (error) {
    const [first] = isTransformFailure(error) ? error.errors : [];
    if (first?.location) return `${file}, line ${first.location.line}: not valid JSON: ${first.text}.`;
  }
  return `${file}: not valid JSON: ${fallback}.`;
};

const inBody = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.map((issue) => ({ ...issue, path: ['json', ...issue.path] }));

/**
 * Reads a JSON file.
 *
 * @throws UsageError with the line, or with the path of each problem.
 */
export const readJson = async <S extends z.ZodType>(file: string, schema: S): Promise<z.output<S>> => {
  const text = await textOf(file);
  let json: unknown;
  try {
    json = takenNumbers(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    throw new UsageError(await syntaxProblem(file, text, error instanceof Error ? error.message : ''));
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  // The details are those that the API answers about a body.
  const parts = { json };
  const problems = toValidationDetails(parts, new z.core.$ZodError(inBody(result.error.issues)));
  throw new UsageError(problems.map(({ loc, msg }) => `${file}: ${placed(loc.slice(1), msg)}`).join('\n'));
};
