/**
 * The only way a name enters a subject, a key or a file name. Every character outside `[0-9a-z_-]` becomes
 * `=hh`, the lower-case hex of its UTF-8 bytes, so tokens are case-safe on every file system and hold no
 * separator of NATS or Redis.
 */
export function encodeToken(name: string): string {
  return name.replace(/[^0-9a-z_-]/gu, (character) =>
    Array.from(textEncoder.encode(character), (byte) => `=${byte.toString(16).padStart(2, '0')}`).join(''),
  )
}

/** The name back from its token, or null when the text is not what `encodeToken` makes. */
export function decodeToken(token: string): string | null {
  if (!/^(?:[0-9a-z_-]|=[0-9a-f]{2})*$/.test(token)) return null
  const name = decodeBytes(token)
  return name !== null && encodeToken(name) === token ? name : null
}

function decodeBytes(token: string): string | null {
  const bytes = token.replace(/=([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    return strictDecoder.decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)))
  } catch {
    return null
  }
}

const textEncoder = new TextEncoder()
const strictDecoder = new TextDecoder('utf-8', { fatal: true })
