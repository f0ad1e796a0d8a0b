import { readableText, tidy } from '../../../../shared/domain/text.ts';

/** Most code points of the name of a client. */
const MAX_NAME = 60;

/** Schema of the name that a client gives itself. It is shown as a quotation. */
export const clientName = () => readableText({ max: MAX_NAME }).transform(tidy);
