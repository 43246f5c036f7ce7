/**
 * A process with an OpenID provider that is none of ours, for the tests of signing in. It writes its address
 * when it listens. Words: the redirect address, and whether it gives refresh tokens.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error -- the package has no types
import { Provider } from 'oidc-provider'

const [redirectUri = '', refresh = ''] = process.argv.slice(2)
const server = createServer()
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'studio',
        client_secret: 'secret-of-the-client',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    scopes: ['openid', 'profile', 'offline_access'],
    claims: { openid: ['sub'], profile: ['name', 'groups'] },
    cookies: { keys: ['key-of-a-test'] },
    features: { devInteractions: { enabled: true } },
    issueRefreshToken: async () => refresh === 'refresh',
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      // The groups are part of the name that somebody types in.
      claims: async () => ({ sub: id, name: `Name of ${id}`, groups: id.split('.') }),
    }),
  })
  server.on('request', provider.callback())
  process.stdout.write(`${issuer}\n`)
})
