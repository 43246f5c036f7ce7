import { describe, expect, it } from 'vitest'
import { readRegistryConfig } from '../src/config.ts'

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

  it('takes no bootstrap key that is short or holds white space, and does not repeat it', () => {
    for (const key of ['short', 'with a space in it']) {
      const read = () => readRegistryConfig({ ...NATS, SWITCHYARD_BOOTSTRAP_API_KEY: key })
      expect(read).toThrow(/SWITCHYARD_BOOTSTRAP_API_KEY/)
      expect(read).not.toThrow(key)
    }
  })
})
