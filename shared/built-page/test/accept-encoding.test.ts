import { describe, expect, it } from 'vitest'
import { negotiateCoding } from '../src/accept-encoding.ts'

const ALL = ['zstd', 'br', 'gzip'] as const

describe('the content coding of an answer', () => {
  it.each<[string | undefined, string | null]>([
    // Browsers.
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    // RFC 9110 section 12.5.3, with its examples.
    ['compress, gzip', 'gzip'],
    ['', null],
    ['*', 'zstd'],
    ['compress;q=0.5, gzip;q=1.0', 'gzip'],
    ['gzip;q=1.0, identity; q=0.5, *;q=0', 'gzip'],
    [undefined, null],
    ['x-gzip', 'gzip'],
    ['X-GZIP;Q=0.5', 'gzip'],
    ['gzip;q=0', null],
    ['br;q=0, *', 'zstd'],
    ['zstd;q=0, br;q=0.1, *;q=0.05', 'br'],
    ['gzip;q=0.5, br;q=0.9, zstd;q=0.1', 'br'],
    ['gzip;q=0.5, identity', null],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['identity;q=0', null],
    ['identity', null],
    ['deflate', null],
    // What cannot be read is left out.
    ['gzip;q=2, br;q=abc', null],
    ['gzip;level=9', null],
    ['gzip;q=0.5;q=1', null],
    [',, ;q=1, gzip', 'gzip'],
  ])('of a client that accepts %j is %j', (header, coding) => {
    expect(negotiateCoding(header, ALL)).toBe(coding)
  })

  it('is none that the settings do not name', () => {
    expect(negotiateCoding('zstd, br;q=0.5, gzip;q=0.1', ['gzip'])).toBe('gzip')
    expect(negotiateCoding('*', ['gzip', 'br'])).toBe('gzip')
    expect(negotiateCoding('br', ['gzip'])).toBeNull()
  })
})
