/** How often subscriptions are looked at, by a clock that the test moves. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OpenSubscriptions, type ServedSubscription } from '../../src/subscriptions/open-subscriptions.ts'

const SETTINGS = { maxSubscriptions: 3000, keepAlive: 10_000, moveWindow: 5000 }

class Looked implements ServedSubscription {
  moves = 0
  signs = 0
  readonly ends: string[] = []
  answer: ServedSubscription['move'] = () => null

  move() {
    this.moves++
    return this.answer()
  }
  keepAlive(): void {
    this.signs++
  }
  end({ code }: { readonly code: string }): void {
    this.ends.push(code)
  }
  leave({ code }: { readonly code: string }): void {
    this.ends.push(code)
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function opened(count: number) {
  const defects: unknown[] = []
  const open = new OpenSubscriptions(
    () => SETTINGS,
    (error) => defects.push(error),
  )
  const all = Array.from({ length: count }, () => new Looked())
  for (const one of all) open.add(one)
  return { open, all, defects }
}

describe('open subscriptions', () => {
  it.each([1, 7, 3000])('show a sign of life as often as they must, and no more: %d', (count) => {
    const { open, all } = opened(count)
    vi.advanceTimersByTime(31_000)
    expect(Math.max(...all.map(({ signs }) => signs))).toBeLessThanOrEqual(3)
    expect(Math.min(...all.map(({ signs }) => signs))).toBeGreaterThanOrEqual(2)
    open[Symbol.dispose]()
  })

  it('are each looked at within the window, a part of them at a time', () => {
    const { open, all } = opened(1000)
    vi.advanceTimersByTime(100)
    expect(all.filter(({ moves }) => moves > 0)).toHaveLength(20)
    vi.advanceTimersByTime(SETTINGS.moveWindow)
    expect(all.every(({ moves }) => moves > 0)).toBe(true)
    open[Symbol.dispose]()
  })

  it('end with the reason for which they cannot go on, at once or later', async () => {
    const { open, all, defects } = opened(3)
    const [first = new Looked(), second = new Looked(), third = new Looked()] = all
    first.answer = () => ({ code: 'NOW', message: '' })
    second.answer = () => Promise.resolve({ code: 'LATER', message: '' })
    third.answer = () => Promise.reject(new Error('no'))
    await vi.advanceTimersByTimeAsync(400)
    expect(first.ends[0]).toBe('NOW')
    expect(second.ends[0]).toBe('LATER')
    expect(third.ends).toEqual([])
    expect(defects[0]).toEqual(new Error('no'))
    open[Symbol.dispose]()
  })

  it('of earlier settings end, spread over the window, and later ones do not', () => {
    const { open, all } = opened(200)
    for (const first of all.slice(0, 1)) open.remove(first)
    open.settingsChanged()
    const later = new Looked()
    open.add(later)
    vi.advanceTimersByTime(200)
    const ended = all.filter(({ ends }) => ends.length > 0).length
    expect(ended).toBeGreaterThan(0)
    expect(ended).toBeLessThan(100)
    vi.advanceTimersByTime(SETTINGS.moveWindow)
    expect(all.map(({ ends }) => ends)).toEqual(
      all.map((_, index) => (index === 0 ? [] : ['SUBSCRIPTION_SETTINGS_CHANGED'])),
    )
    expect(later.ends).toEqual([])
    open[Symbol.dispose]()
    expect(later.ends).toEqual(['DRAINING'])
  })
})
