/**
 * Marks a setting whose value may be a secret: what prints settings does not show it. `writeOnly` is the word
 * of JSON Schema for it (validation vocabulary, section 9.4), so editors know it, too.
 */
export const SECRET = { writeOnly: true } as const
