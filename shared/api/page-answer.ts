import * as z from 'zod';
import type { Answer } from './answer.ts';
import type { Operation } from './operation.ts';
import { linksOf } from './page-links.ts';

const placeSchema = z.object({
  items: z.unknown(),
  page: z.number(),
  pages: z.number(),
  next_cursor: z.number().optional(),
});

/** The part of a request that a page depends on. */
interface Asked {
  /** Public address of the operation, without the query. */
  readonly address: string;
  readonly query: string;
  readonly accept: string | undefined;
}

/** Tells whether `Accept` names a form of lists other than JSON. Clients that name none get JSON, as in the contract. */
export const wantsListForm = (accept: string | undefined): accept is string =>
  accept !== undefined && /csv|ndjson|jsonl/i.test(accept);

/** Adds the `Link` header to the answer of a paged list, and writes the items in the form that `Accept` prefers. */
export const pageAnswer = async (
  answer: Answer,
  page: unknown,
  { name, output }: Pick<Operation, 'name' | 'output'>,
  { address, query, accept }: Asked,
): Promise<Answer> => {
  const { items, ...place } = placeSchema.parse(page);
  const link = linksOf(address, query, place);
  const linked = { ...answer, headers: { ...answer.headers, ...(link !== '' && { link }), vary: 'accept' } };
  if (!wantsListForm(accept)) return linked;
  // Most requests ask for JSON, so a cold start does not load the other forms.
  const { listText } = await import('./page-forms.ts');
  const list = listText(accept, output, items);
  if (!list) return linked;
  const headers = {
    ...linked.headers,
    'content-type': list.type,
    'content-disposition': `attachment; filename="${name}.${list.extension}"`,
  };
  return { ...linked, headers, body: list.text };
};
