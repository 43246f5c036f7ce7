/** The header `Accept-Encoding` (RFC 9110 section 12.5.3): which content coding an answer gets. */

/**
 * `codings`: those that may be used, in lower case; of those that the client likes equally well, the first
 * one is taken. null: none, since the client likes what is not coded better, or names none of these. It may
 * refuse what is not coded, too; then it gets that all the same, as the standard allows.
 */
export function negotiateCoding<Coding extends string>(
  header: string | undefined,
  codings: readonly Coding[],
): Coding | null {
  if (header === undefined || header === '') return null
  const weights = weightsIn(header)
  const others = weights.get('*') ?? 0
  let best: Coding | null = null
  let bestWeight = 0
  for (const coding of codings) {
    const weight = weights.get(coding) ?? others
    if (weight > bestWeight) {
      best = coding
      bestWeight = weight
    }
  }
  return (weights.get('identity') ?? 0) > bestWeight ? null : best
}

/** Weights from 0 to 1 by name in lower case. What cannot be read is left out. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const element of header.split(',')) {
    const [name = '', ...parameters] = element.split(';')
    const weight = weightOf(parameters)
    if (weight !== null) weights.set(withoutPrefix(name.trim().toLowerCase()), weight)
  }
  return weights
}

/** null: it is none. */
function weightOf([parameter, ...more]: readonly string[]): number | null {
  if (parameter === undefined) return 1
  const [, text] = /^\s*q\s*=\s*((?:0|1)(?:\.\d{0,3})?)\s*$/i.exec(parameter) ?? []
  return text === undefined || more.length > 0 ? null : Math.min(Number(text), 1)
}

/** `x-gzip` is another name of `gzip`. */
function withoutPrefix(name: string): string {
  return name === 'x-gzip' ? 'gzip' : name
}
