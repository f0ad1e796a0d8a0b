import * as z from 'zod';

/** Schema of a stored decimal: canonical text without an exponent. Apart from the library that computes with it. */
export const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/);
