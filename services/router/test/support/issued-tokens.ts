/** Users with real tokens, of an issuer whose keys a router reads from a file. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@switchyard/testkit'
import { AUDIENCE, ISSUER, newSigningKey, sign } from './token-issuer.ts'

export type IssuedTokens = AsyncDisposable & {
  /** The section `authentication` of the settings, as JSON. */
  readonly settings: string
  /** What a request of this user has; nothing for whoever has no token. */
  headersOf(user: string): Record<string, string>
}

/** `users`: by name, the claims of the token. */
export async function issueTokens(
  users: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Promise<IssuedTokens> {
  const folder = await temporaryDirectory()
  const key = await newSigningKey('one')
  const file = join(folder.path, 'jwks.json')
  await writeFile(file, JSON.stringify({ keys: [key.publicJwk] }))
  const tokens = new Map<string, string>()
  for (const [name, claims] of Object.entries(users)) tokens.set(name, await sign(key, claims))
  const provider = { name: 'issuer', issuers: [ISSUER], audiences: [AUDIENCE], jwks: [{ file }] }
  return {
    settings: JSON.stringify({ jwt: { providers: [provider] } }),
    headersOf: (user) => {
      const token = tokens.get(user)
      return token === undefined ? {} : { authorization: `Bearer ${token}` }
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}
