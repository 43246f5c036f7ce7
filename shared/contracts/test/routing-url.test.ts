import { describe, expect, it } from 'vitest'
import { Artifact, isRoutingUrl, RoutingUrl } from '../src/index.ts'

const GOOD = [
  'http://localhost:4101/graphql',
  'https://products.example.com',
  'HTTP://Products.Example.com/GraphQL',
  'http://products',
  'http://products.example.com./graphql',
  'http://product_service:80',
  'https://10.0.0.1:8443/graphql?tenant=a&b=%C3%BC',
  'http://[2001:db8::1]:4101/graphql',
  'http://[0:0:0:0:0:0:0:1]/graphql',
  'http://xn--bcher-kva.example/',
  'http://a/path/@b:c',
  'http://a?user@host',
  'http://a:1',
  'http://a:65535',
  `http://a/${'p'.repeat(2039)}`,
]

const BAD = [
  '',
  'localhost:4101',
  '//localhost/graphql',
  '/graphql',
  'ftp://a/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'unix:/run/graphql.sock',
  'http:',
  'http://',
  'http:///x',
  'http:////x',
  'http:x',
  'http:/x',
  'http:\\\\x',
  'http://?x',
  'http://#',
  'http://:4101/',
  'http://.',
  'http://a..b/',
  'http://*/',
  'http://a,b/',
  'http://${HOST}/graphql',
  'http://user@a/',
  'http://user:password@a/',
  'http://:password@a/',
  'http://@a/',
  'http://a@b@c/',
  'http://a\\@b/',
  'http://a/#fragment',
  'http://a/#',
  'http://a#b',
  'http://a:0/',
  'http://a:/',
  'http://a:65536/',
  'http://a:4101x/',
  'http://a:-1/',
  'http://a:99999/',
  ' http://a/',
  'http://a/ ',
  'http://a /',
  'http://a/ b',
  'http://a/\tb',
  'http://a/\nb',
  'http://a\n',
  'http://a/\u0000',
  'http://a\\b',
  'http://a/b\\c',
  'http://bücher.example/',
  'http://ａ.example/',
  'http://a/ü',
  'http://%61/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://127.1/',
  'http://256.1.1.1/',
  'http://[::1',
  'http://[::g]/',
  'http://[fe80::1%25eth0]/',
  `http://a/${'p'.repeat(2040)}`,
]

function artifactWith(routingUrl: string) {
  const subgraphs = [{ name: 'a', routingUrl }]
  return { formatVersion: 1, supergraphSdl: 'x', subgraphs, compatibilityVersion: 'v0.3' }
}

describe('routing URLs', () => {
  it.each(GOOD)('may be %s', (url) => {
    expect(RoutingUrl.safeParse(url).success).toBe(true)
    expect(Artifact.safeParse(artifactWith(url)).success).toBe(true)
  })

  it.each(BAD)('cannot be %j', (url) => {
    expect(RoutingUrl.safeParse(url).success).toBe(false)
    expect(Artifact.safeParse(artifactWith(url)).success).toBe(false)
  })

  it('are called as they are written: the URL that is parsed names the same host and port', () => {
    for (const text of GOOD) {
      const { hostname, port, protocol, username, password, hash } = new URL(text)
      const written = /^https?:\/\/(\[[^\]]+\]|[^/:?]+)(?::(\d+))?/i.exec(text)
      if (!hostname.startsWith('[')) expect(hostname).toBe(written?.[1]?.toLowerCase())
      const usual = protocol === 'http:' ? '80' : '443'
      expect(port === '' ? usual : port).toBe(written?.[2] ?? usual)
      expect([username, password, hash]).toEqual(['', '', ''])
      expect(isRoutingUrl(text)).toBe(true)
    }
  })
})
