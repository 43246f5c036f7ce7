import { describe, expect, it } from 'vitest'
import { InvalidStoreAddressError } from '../src/index.ts'
import { describeAddress, parseRedisAddress } from '../src/redis/redis-address.ts'

describe('the address of a Redis store', () => {
  it('names one server with credentials and database', () => {
    expect(parseRedisAddress('redis://localhost')).toEqual({
      kind: 'single',
      username: null,
      password: null,
      tls: false,
      node: { host: 'localhost', port: 6379 },
      db: 0,
    })
    expect(parseRedisAddress('rediss://yard:p%40ss%3A@[::1]:7000/3')).toEqual({
      kind: 'single',
      username: 'yard',
      password: 'p@ss:',
      tls: true,
      node: { host: '::1', port: 7000 },
      db: 3,
    })
  })

  it('names sentinels and what they watch', () => {
    expect(parseRedisAddress('redis-sentinel://:secret@a:26379,b/2?name=mymaster')).toEqual({
      kind: 'sentinel',
      username: null,
      password: 'secret',
      tls: false,
      sentinels: [
        { host: 'a', port: 26379 },
        { host: 'b', port: 26379 },
      ],
      master: 'mymaster',
      db: 2,
    })
  })

  it('names the nodes of a cluster', () => {
    expect(parseRedisAddress('rediss-cluster://a:7000,b:7001')).toMatchObject({
      kind: 'cluster',
      tls: true,
      nodes: [
        { host: 'a', port: 7000 },
        { host: 'b', port: 7001 },
      ],
    })
  })

  it('is refused when it is malformed, without repeating what may be a password', () => {
    const malformed = [
      'http://secret@localhost',
      'redis://',
      'redis://a,secret:1',
      'redis://localhost/secret',
      'redis-sentinel://secret@localhost',
      'redis-cluster://localhost/secret',
      'redis://secret%zz@localhost',
      'redis://:se@cret@localhost:port',
    ]
    for (const url of malformed) {
      expect(() => parseRedisAddress(url), url).toThrow(InvalidStoreAddressError)
      expect(() => parseRedisAddress(url), url).not.toThrow(/secret/)
    }
  })

  it('is described without credentials', () => {
    for (const url of [
      'redis://u:secret@h:1',
      'redis-sentinel://u:secret@h?name=x',
      'redis-cluster://u:secret@h',
    ]) {
      expect(describeAddress(parseRedisAddress(url))).not.toContain('secret')
    }
  })
})
