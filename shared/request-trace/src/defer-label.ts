/**
 * Characters of the longest label of a fragment with `@defer` that a trace shows. Clients choose labels, and
 * each fetch made for the fragment repeats its label.
 */
export const MAX_DEFER_LABEL = 100
