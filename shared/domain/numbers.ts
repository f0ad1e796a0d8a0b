/** Message of a value that must be a number, with a fraction or without. Zod has no code of its own for these. */
export const NOT_A_NUMBER = 'value is not a valid float';
/** Message of a value that must be a whole number. */
export const NOT_AN_INTEGER = 'value is not a valid integer';
/** Message of a whole number that would lose digits. */
export const OUT_OF_RANGE = 'value is out of range';
