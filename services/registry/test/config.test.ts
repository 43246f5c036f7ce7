import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { readRegistryConfig } from '../src/config.ts'
import { SessionKeys } from '../src/sessions/session-keys.ts'

const NATS = { SWITCHYARD_NATS_URL: 'nats://localhost:4222' }

describe('the environment of a registry', () => {
  it('names trusted proxies by address or network, none unless it says so', () => {
    const proxies = (text: string) =>
      readRegistryConfig({ ...NATS, SWITCHYARD_TRUSTED_PROXIES: text }).trustedProxies
    expect(readRegistryConfig(NATS).trustedProxies).toEqual([])
    expect(proxies('')).toEqual([])
    expect(proxies('10.0.0.0/8, 192.0.2.7,2001:db8::/32,')).toEqual([
      '10.0.0.0/8',
      '192.0.2.7',
      '2001:db8::/32',
    ])
  })

  it.each(['all', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '2001:db8::/129', '10.0.0.0/8/8', 'loopback', '*'])(
    'does not take %s for a trusted proxy',
    (text) => {
      const environment = { ...NATS, SWITCHYARD_TRUSTED_PROXIES: `192.0.2.1,${text}` }
      expect(() => readRegistryConfig(environment)).toThrow(/SWITCHYARD_TRUSTED_PROXIES/)
    },
  )

  it('reads the key for sessions from a file, and says what is wrong with the file without its text', async () => {
    await using folder = await temporaryDirectory()
    const file = join(folder.path, 'session-key')
    const read = (more = {}) => readRegistryConfig({ ...NATS, SWITCHYARD_SESSION_KEY_FILE: file, ...more })
    expect(read).toThrow(/SWITCHYARD_SESSION_KEY_FILE: expected a file that can be read/)
    await writeFile(file, `${'n'.repeat(32)},${'o'.repeat(32)}\n`)
    const { sessions } = read()
    const old = new SessionKeys(['o'.repeat(32)]).seal('session', { id: 'a' })
    expect(sessions?.keys.open('session', old)).toEqual({ id: 'a' })
    expect(() => read({ SWITCHYARD_SESSION_KEY: 'x'.repeat(32) })).toThrow(/not beside it/)
    await writeFile(file, 'a-short-secret')
    expect(read).toThrow(/SWITCHYARD_SESSION_KEY_FILE: expected a key of at least 32 characters/)
    expect(read).not.toThrow('a-short-secret')
  })

  it('takes no bootstrap key that is short or holds white space, and does not repeat it', () => {
    for (const key of ['short', 'with a space in it']) {
      const read = () => readRegistryConfig({ ...NATS, SWITCHYARD_BOOTSTRAP_API_KEY: key })
      expect(read).toThrow(/SWITCHYARD_BOOTSTRAP_API_KEY/)
      expect(read).not.toThrow(key)
    }
  })
})
