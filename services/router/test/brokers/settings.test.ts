/** The settings of providers of events. */
import { describe, expect, it } from 'vitest'
import { loadRouterConfig } from '../../src/config/router-config.ts'

function load(text: string, env: Readonly<Record<string, string>> = {}) {
  return loadRouterConfig({ file: { path: '/etc/router.yaml', text }, env }).brokers
}

const provider = (members: string) => `events: { providers: { default: { ${members} } } }`

describe('providers of events', () => {
  it('are none without settings', () => {
    expect(load('').size).toBe(0)
  })

  it('have files beside the settings file', () => {
    expect(
      load(
        provider('url: "tls://user@nats:4222, tls://other:4222", ca_file: ca.pem, password_file: /run/p'),
      ).get('default'),
    ).toEqual({
      url: 'tls://user@nats:4222, tls://other:4222',
      tls: { caFile: '/etc/ca.pem', certFile: undefined, keyFile: undefined },
      passwordFile: '/run/p',
      tokenFile: undefined,
      credentialsFile: undefined,
    })
  })

  it.each(['url: "http://nats:4222"', 'url: nats', 'url: "nats://a/b"', 'password: x, url: "nats://a"', ''])(
    'are refused with { %s }',
    (members) => {
      expect(() => load(provider(members))).toThrow('events.providers.default')
    },
  )

  it('are refused with a name that no directive can have', () => {
    expect(() => load('events: { providers: { "a b": { url: "nats://a" } } }')).toThrow(
      'events.providers.a b',
    )
  })

  it.each([
    ['nats://nats:4222', 'nats://NATS'],
    ['nats://localhost:4222', '127.0.0.1:4222,nats://b:4222'],
    ['nats://events:x@nats:4222', 'nats://events:y@nats:4222'],
    ['nats://token@nats:4222', 'nats://token@nats:4222'],
  ])('are refused at %s where the services talk at %s', (url, own) => {
    expect(() => load(provider(`url: "${url}"`), { SWITCHYARD_NATS_URL: own })).toThrow(
      '"events.providers.default" is the NATS of SWITCHYARD_NATS_URL, by the same account',
    )
  })

  it.each([
    ['nats://nats:4223', 'nats://nats:4222'],
    ['nats://events:x@nats:4222', 'nats://router:x@nats:4222'],
    ['nats://events:x@nats:4222', 'nats://nats:4222'],
  ])('may be at %s where the services talk at %s', (url, own) => {
    expect(load(provider(`url: "${url}"`), { SWITCHYARD_NATS_URL: own }).size).toBe(1)
  })

  it('are refused by the same credentials in a file', () => {
    const text = provider('url: "nats://nats:4222", credentials_file: /run/router.creds')
    const env = (file: string) => ({
      SWITCHYARD_NATS_URL: 'nats://nats:4222',
      SWITCHYARD_NATS_CREDENTIALS_FILE: file,
    })
    expect(() => load(text, env('/run/router.creds'))).toThrow('by the same account')
    expect(load(text, env('/run/other.creds')).size).toBe(1)
  })
})
