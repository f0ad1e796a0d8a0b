import * as z from 'zod';
import type { Answer } from './answer.ts';
import { linksOf } from './page-links.ts';

const placeSchema = z.object({
  items: z.unknown(),
  page: z.number(),
  pages: z.number(),
  is_complete: z.boolean().optional(),
  next_cursor: z.number().optional(),
});

interface PagedList {
  /** Name of the operation. */
  readonly name: string;
  /** Schema of the items. */
  readonly item: z.ZodType;
  /** Header of the request, if it names a form of lists other than JSON. */
  readonly accept: string | undefined;
}

/** Address of a request. */
interface Address {
  readonly url: string;
  readonly query: string;
}

/** Adds the `Link` header to the answer of a paged list, and writes the items in the form that `Accept` prefers. */
export const pageAnswer = async (
  answer: Answer,
  page: unknown,
  { name, item, accept }: PagedList,
  { url, query }: Address,
): Promise<Answer> => {
  const { items, ...place } = placeSchema.parse(page);
  const link = linksOf(url, query, place);
  const linked = { ...answer, headers: { ...answer.headers, ...(link !== '' && { link }), vary: 'accept' } };
  if (accept === undefined) return linked;
  // Most requests ask for JSON, so a cold start does not load the other forms.
  const { listText } = await import('./page-forms.ts');
  const list = listText(accept, item, items);
  if (!list) return linked;
  const headers = {
    ...linked.headers,
    'content-type': list.type,
    'content-disposition': `attachment; filename="${name}.${list.extension}"`,
  };
  return { ...linked, headers, body: list.text };
};
