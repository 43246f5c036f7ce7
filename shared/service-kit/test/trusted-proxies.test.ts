import { describe, expect, it } from 'vitest'
import { isNetwork, TrustedProxies } from '../src/clients/trusted-proxies.ts'

const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48'])

describe('trusted proxies', () => {
  it.each(['10.1.2.3', '192.0.2.7', '::ffff:10.1.2.3', '2001:db8:1::5', '2001:db8:1::5%eth0'])(
    'hold %s',
    (address) => {
      expect(proxies.trusts(address)).toBe(true)
    },
  )

  it.each(['11.1.2.3', '192.0.2.8', '::ffff:11.1.2.3', '2001:db8:2::5', 'unknown', '', '10.1.2.3, 1'])(
    'do not hold "%s"',
    (address) => expect(proxies.trusts(address)).toBe(false),
  )

  it('are nobody unless they are named', () => {
    const nobody = new TrustedProxies([])
    expect(nobody.isEmpty).toBe(true)
    expect(nobody.trusts('127.0.0.1')).toBe(false)
    expect(nobody.clientOf('127.0.0.1', '198.51.100.7')).toBe('127.0.0.1')
  })

  it.each([
    ['nobody in between', '198.51.100.1', undefined, '198.51.100.1'],
    ['a client that claims to be a proxy', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['one proxy', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['a proxy seen by an IPv6 socket', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['a client that wrote the header itself', '10.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    [
      'a client that names a trusted proxy',
      '10.0.0.1',
      '203.0.113.9, 10.0.0.9, 198.51.100.7',
      '198.51.100.7',
    ],
    ['two proxies', '192.0.2.7', '203.0.113.9,198.51.100.7 , 10.0.0.1', '198.51.100.7'],
    ['ports', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['IPv6 with a port', '10.0.0.1', '[2001:db8:2::5]:4711', '2001:db8:2::5'],
    ['IPv6', '10.0.0.1', '2001:db8:2::5', '2001:db8:2::5'],
    ['a proxy that does not tell', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['no header', '10.0.0.1', undefined, '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['an empty entry', '10.0.0.1', '198.51.100.7,', '10.0.0.1'],
    ['proxies only', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('tell the client: %s', (_, peer, header, client) => {
    expect(proxies.clientOf(peer, header)).toBe(client)
  })

  it('are read for some hops only, however long the header is', () => {
    const header = Array.from({ length: 1000 }, (_, hop) => `10.0.${hop >> 8}.${hop & 255}`).join(',')
    expect(proxies.clientOf('10.0.0.1', header)).toBe('10.0.3.200')
  })

  it.each(['all', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '2001:db8::/129', '10.0.0.0/8/8', '*', ''])(
    'cannot be named as "%s"',
    (text) => {
      expect(isNetwork(text)).toBe(false)
      expect(() => new TrustedProxies([text])).toThrow(RangeError)
    },
  )
})
