/** Reads the header `Accept-Encoding` (RFC 9110 section 12.5.3): which content coding an answer gets. */

/**
 * Returns the coding that the client prefers. `codings` are those that may be used, in lower case; among
 * those with the same weight, the first one is taken. Returns null if the client prefers an answer that is
 * not coded, or names none of these codings. A client that refuses answers without coding, too, gets one all
 * the same, as the standard allows.
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

/** Returns weights from 0 to 1 by names in lower case. Elements that cannot be read are left out. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const element of header.split(',')) {
    const [name = '', ...parameters] = element.split(';')
    const weight = weightOf(parameters)
    if (weight !== null) weights.set(withoutPrefix(name.trim().toLowerCase()), weight)
  }
  return weights
}

/** Returns the weight, or null if the parameters are not a valid weight. */
function weightOf([parameter, ...more]: readonly string[]): number | null {
  if (parameter === undefined) return 1
  const [, text] = /^\s*q\s*=\s*((?:0|1)(?:\.\d{0,3})?)\s*$/i.exec(parameter) ?? []
  return text === undefined || more.length > 0 ? null : Math.min(Number(text), 1)
}

/** Returns `gzip` for its other name `x-gzip`, and other names unchanged. */
function withoutPrefix(name: string): string {
  return name === 'x-gzip' ? 'gzip' : name
}
