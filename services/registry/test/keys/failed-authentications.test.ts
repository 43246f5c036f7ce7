import { describe, expect, it } from 'vitest'
import { FailedAuthentications } from '../../src/keys/failed-authentications.ts'

function limiter(more: Partial<ConstructorParameters<typeof FailedAuthentications>[0]> = {}) {
  const clock = { now: 1000 }
  const failures = new FailedAuthentications({
    monotonicNow: () => clock.now,
    perAddress: { burst: 3, everyMs: 100 },
    altogether: { burst: 1000, everyMs: 1 },
    ...more,
  })
  /** How many failures are let through until one has to wait. */
  const failUntilBlocked = (address: string): number => {
    for (let count = 0; ; count += 1) {
      if (failures.waitFor(address) > 0) return count
      failures.failed(address)
    }
  }
  return { clock, failures, failUntilBlocked }
}

describe('failed authentications', () => {
  it('are let through in a burst, then one per interval', () => {
    const { clock, failures, failUntilBlocked } = limiter()
    expect(failUntilBlocked('192.0.2.1')).toBe(3)
    expect(failures.waitFor('192.0.2.1')).toBe(100)
    clock.now += 99
    expect(failures.waitFor('192.0.2.1')).toBe(1)
    clock.now += 1
    expect(failUntilBlocked('192.0.2.1')).toBe(1)
    clock.now += 10_000
    expect(failUntilBlocked('192.0.2.1')).toBe(3)
  })

  it('of one address say nothing about another, until there are too many altogether', () => {
    const { failures, failUntilBlocked } = limiter({ altogether: { burst: 4, everyMs: 50 } })
    expect(failUntilBlocked('192.0.2.1')).toBe(3)
    expect(failUntilBlocked('192.0.2.2')).toBe(1)
    expect(failures.waitFor('192.0.2.3')).toBe(50)
  })

  it('are taken back for a key that turned out to be good', () => {
    const { failures, failUntilBlocked } = limiter()
    for (let round = 0; round < 10; round += 1) {
      failures.failed('192.0.2.1')
      failures.succeeded('192.0.2.1')
    }
    expect(failUntilBlocked('192.0.2.1')).toBe(3)
  })

  it('are remembered for so many addresses only, the latest ones, and not longer than they count', () => {
    const { clock, failures } = limiter({ addresses: 50 })
    for (let index = 0; index < 500; index += 1) failures.failed(`192.0.${index >> 8}.${index & 255}`)
    expect(failures.size).toBe(50)
    clock.now += 1000
    failures.failed('198.51.100.1')
    expect(failures.size).toBe(1)
  })

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::1', true],
    ['2001:db8::1', '2001:0db8:0000:0:ffff::', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::1', '::2', true],
    ['fe80::1%eth0', 'fe80::2%eth1', true],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['192.0.2.1', '192.0.2.2', false],
  ])('of %s and %s are counted together: %s', (one, other, together) => {
    const { failures, failUntilBlocked } = limiter()
    failUntilBlocked(one)
    expect(failures.waitFor(other) > 0).toBe(together)
  })
})
