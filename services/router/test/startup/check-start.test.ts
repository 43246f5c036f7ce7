/** `router config --check`: all that a start would refuse or complain of, without starting anything. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCertificate, freePort, temporaryDirectory, writeCertificate } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printSettings } from '../../src/startup/commands/print-settings.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
let folder: string
beforeAll(async () => {
  shop = stack.use(await startShop())
  folder = stack.use(await temporaryDirectory()).path
})
afterAll(() => stack.disposeAsync())

const file = (name: string): string => join(folder, name)

async function check(settings: string, env: Readonly<Record<string, string>> = {}, json = false) {
  await writeFile(file('router.yaml'), settings)
  const all = { SWITCHYARD_CONFIG: file('router.yaml'), ...env }
  return printSettings(['config', '--check'], { env: all, source: all, json })
}

const provider = (jwks: string): string =>
  `authentication: { jwt: { providers: [{ name: accounts, issuers: [x], audiences: [a], algorithms: [RS256], jwks: [${jwks}] }] } }`

describe('router config --check', () => {
  it.each([
    [
      'a manifest that is not there',
      'documents: { mode: safelist, manifests: [{ file: ./none.json }] }',
      /documents\.manifests: .*none\.json cannot be read/,
    ],
    [
      'a certificate that is not there',
      'tls: { cert_file: ./none.pem, key_file: ./none.key }',
      /none\.(?:pem|key)/,
    ],
    [
      'an authority of subgraphs that is not there',
      'subgraphs: { tls: { ca_file: ./none.pem } }',
      /none\.pem/,
    ],
    [
      'a key set that is not there',
      provider('{ file: ./none.jwks }'),
      /A router would start, but could not do its work\. The keys of "accounts" could not be read yet: .*none\.jwks/,
    ],
  ])('refuses %s', async (_, settings, reason) => {
    const { exitCode, stdout, stderr } = await check(settings)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(reason)
  })

  it('names all files that cannot be used at once', async () => {
    const settings = [
      'tls: { cert_file: ./none.pem, key_file: ./none.key }',
      'documents: { mode: safelist, manifests: [{ file: ./none.json }] }',
      'subgraphs: { tls: { ca_file: ./none-ca.pem } }',
    ].join('\n')
    const { exitCode, stderr } = await check(settings)
    expect(exitCode).toBe(1)
    for (const name of ['none.pem', 'none.key', 'none.json', 'none-ca.pem'])
      expect(stderr).toMatch(new RegExp(`^ +\\d+\\. .*${name.replace('.', '\\.')}`, 'm'))
  })

  it('warns of a key set at a URL that does not answer, which keeps no router from starting', async () => {
    const url = `http://127.0.0.1:${await freePort()}/jwks.json`
    const settings = provider(`{ url: "${url}" }`).replace('jwt: {', 'jwt: { allowed_networks: [loopback],')
    const { exitCode, stdout, stderr } = await check(settings)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('The settings are usable')
    expect(stderr).toMatch(
      /^warning: The keys of "accounts" could not be read yet: .*jwks\.json; reason: .*ECONNREFUSED.*\n$/,
    )
    expect(JSON.parse((await check(settings, {}, true)).stdout)).toMatchObject({
      ok: true,
      result: { warnings: [expect.stringContaining('"accounts"')] },
    })
  })

  it('reads the graph of a file that is named, with what the settings say of it', async () => {
    const graph = { formatVersion: 1, base: shop.base.artifact, featureFlags: {} }
    await writeFile(file('config.json'), JSON.stringify(graph))
    const env = { SWITCHYARD_EXECUTION_CONFIG: file('config.json') }
    expect(await check('', env)).toMatchObject({
      exitCode: 0,
      stdout: 'The settings are usable; 0 of them are not the default. So is what says where the graph is.\n',
    })
    const unknown = await check('subgraphs: { overrides: { nowhere: { timeout: 1s } } }', env)
    expect(unknown).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^warning: .*nowhere/) })
    await writeFile(file('config.json'), '{')
    expect(await check('', env)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('config.json'),
    })
  })

  it('refuses variables with which a service does not start', async () => {
    const env = { SWITCHYARD_REDIS_URL: 'redis://127.0.0.1:1', SWITCHYARD_GRAPH: 'default/shop' }
    expect(await check('', env)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('SWITCHYARD_CONFIG_KEYS is not set'),
    })
    expect(await check('', { SWITCHYARD_INSTANCE: 'a b' })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('SWITCHYARD_INSTANCE'),
    })
  })

  it('does not ask Redis, and accepts what is complete', async () => {
    const certificate = createCertificate()
    const { cert, key } = writeCertificate(folder, certificate, certificate)
    const settings = `
tls: { cert_file: "${cert}", key_file: "${key}" }
rate_limits: { rules: [{ name: all, limit: 10, per: 1s }], redis: { url: "\${SWITCHYARD_REDIS_URL}" } }`
    expect(await check(settings, { SWITCHYARD_REDIS_URL: 'redis://127.0.0.1:1' })).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
  })
})
