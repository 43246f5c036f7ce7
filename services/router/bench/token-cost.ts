/**
 * Measures the cost of tokens for a request: one that is known, one that is new (RS256 and ES256), and
 * garbage. The numbers are CPU time of the whole process, threads included, in µs for each.
 *
 *   node services/router/bench/token-cost.ts
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@switchyard/service-kit'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Authentication } from '../src/concerns/authentication/authentication.ts'
import { loadRouterConfig } from '../src/config/router-config.ts'
import { AuthenticationEvents } from '../src/concerns/authentication/events.ts'

const KNOWN = 500_000
const NEW = 2000
const ALGORITHMS = ['RS256', 'ES256']
const ASKER = () => ({ address: '192.0.2.1', name: '' })

const folder = await mkdtemp(join(tmpdir(), 'switchyard-token-cost-'))
const path = join(folder, 'keys.json')
const pairs = await Promise.all(
  ALGORITHMS.map(async (alg) => ({ alg, ...(await generateKeyPair(alg, { extractable: true })) })),
)
const keys = await Promise.all(
  pairs.map(async ({ alg, publicKey }) => ({ ...(await exportJWK(publicKey)), alg, kid: alg })),
)
await writeFile(path, JSON.stringify({ keys }))
const provider = { name: 'bench', issuers: ['bench'], jwks: [{ file: path }], audiences: ['shop'] }
const text = JSON.stringify({ authentication: { jwt: { providers: [provider] } } })
const { authentication: config } = loadRouterConfig({ file: { path: 'bench.yaml', text } })
if (config === null) throw new Error('there is a provider')
const events = new AuthenticationEvents(createLogger({ name: 'bench', level: 'silent' }))
using authentication = new Authentication({ config, events })
await authentication.refresh()

const claims = { iss: 'bench', aud: 'shop', scope: 'read:products write:reviews', roles: ['a', 'b', 'c'] }
const tokensOf = ({ alg, privateKey }: (typeof pairs)[number], count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      new SignJWT({ ...claims, sub: `user-${index}` })
        .setProtectedHeader({ alg, kid: alg })
        .setExpirationTime('1h')
        .sign(privateKey),
    ),
  )

/** Requests have texts of their own, which V8 has not hashed yet. */
const headersOf = (token: string) => ({
  authorization: Buffer.from(`Bearer ${token}`, 'latin1').toString('latin1'),
})

async function measure(label: string, count: number, run: () => unknown): Promise<void> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  process.stdout.write(`${label.padEnd(40)} ${((user + system) / count).toFixed(2)} µs\n`)
}

for (const pair of pairs) {
  const tokens = await tokensOf(pair, 2 * NEW)
  const all = async (some: readonly string[]) => {
    for (const token of some) await authentication.identify(headersOf(token), ASKER)
  }
  await all(tokens.slice(0, NEW))
  await measure(`${pair.alg}, new`, NEW, () => all(tokens.slice(NEW)))
  const [known = ''] = tokens.slice(-1)
  const ask = () => {
    for (let count = 0; count < KNOWN; count++) void authentication.identify(headersOf(known), ASKER)
  }
  ask()
  await measure(`${pair.alg}, known, ${known.length} characters`, KNOWN, ask)
  await measure('  of which the text alone', KNOWN, () => {
    for (let count = 0; count < KNOWN; count++) headersOf(known)
  })
}
const garbage = Array.from({ length: 50_000 }, (_, index) => `eyJhbGciOiJSUzI1NiJ9.${index}.x`)
await measure('garbage', garbage.length, async () => {
  for (const token of garbage)
    await Promise.resolve(authentication.identify(headersOf(token), ASKER)).catch(() => {})
})
await rm(folder, { recursive: true })
