/** How secrets are written where they must not be seen: made without the code under test. */

/**
 * What base64 makes of a text wherever it stands in a longer one: without the ends, which depend on what is
 * beside it.
 */
function inBase64(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const last = (before + bytes.length) % 3 === 0 ? whole.length : whole.length - 1
    return whole.slice(before === 0 ? 0 : before + 1, last)
  })
}

/** The ways in which a secret must not be in a text. */
export function formsOf(secret: string): readonly string[] {
  const percent = encodeURIComponent(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const base64 = inBase64(secret)
  return [
    secret,
    percent,
    percent.replace(/%../g, (escape) => escape.toLowerCase()),
    new URLSearchParams({ q: secret }).toString().slice(2),
    json,
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

const BINARY = Buffer.from([0x00, 0xff, 0x80, 0x0a, 0xc3])

/** How a text may have a secret in it; `padding` is what stands beside it. */
export const ENCODINGS: readonly ((secret: string, padding: string) => string)[] = [
  (secret) => secret,
  (secret, padding) => `${padding}${secret}${padding}`,
  (secret) => encodeURIComponent(secret),
  (secret) => encodeURIComponent(secret).replace(/%../g, (escape) => escape.toLowerCase()),
  (secret) => new URLSearchParams({ q: secret }).toString(),
  (secret, padding) => Buffer.from(`${padding}${secret}${padding}`).toString('base64'),
  (secret, padding) => Buffer.from(`${padding}${secret}${padding}`).toString('base64url'),
  (secret) => Buffer.concat([BINARY, Buffer.from(secret), BINARY.subarray(2)]).toString('base64'),
  (secret) => JSON.stringify(secret),
  (secret, padding) => JSON.stringify({ a: { b: `${padding}${secret}` } }),
]

/** All texts and names of a value, and its numbers as text. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsOf(item)])
}
