/** Colours of indicator lines, in their order. */
export const LINE_COLOURS = ['series-1', 'series-2', 'series-3', 'series-4'] as const;
