import { describe, expect, it } from 'vitest'
import { VerificationLine } from '../../../src/concerns/authentication/verification-line.ts'
import { HttpError } from '../../../src/errors/http-error.ts'

const client = (address: string) => ({ address, name: '' })

/** A line whose verifications end when they are told to, in the order in which they began. */
function heldLine() {
  const line = new VerificationLine<string>()
  const begun: { readonly name: string; readonly end: () => void }[] = []
  const begin = (address: string, name: string) =>
    line.begin(client(address), () => {
      const { promise, resolve } = Promise.withResolvers<string>()
      begun.push({ name, end: () => resolve(name) })
      return promise
    })
  const endAll = async (): Promise<readonly string[]> => {
    for (let index = 0; index < begun.length; index++) {
      begun[index]?.end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return begun.map(({ name }) => name)
  }
  return { line, begun, begin, endAll }
}

describe('the line of tokens that are verified', () => {
  it('verifies two at a time', async () => {
    const { begin, begun, endAll } = heldLine()
    const all = ['a', 'b', 'c'].map((name) => begin('1', name).promise)
    expect(begun.map(({ name }) => name)).toEqual(['a', 'b'])
    await endAll()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c'])
  })

  it('takes one of each client in turns, however many one of them sends', async () => {
    const { begin, endAll } = heldLine()
    for (let index = 0; index < 20; index++) void begin('noisy', `noisy-${index}`)
    void begin('quiet', 'quiet')
    const order = await endAll()
    expect(order.indexOf('quiet')).toBe(3)
    expect(order).toHaveLength(21)
  })

  it('takes a token in the turn of whichever of its clients comes first', async () => {
    const { line, begin, endAll } = heldLine()
    for (let index = 0; index < 20; index++) void begin('noisy', `noisy-${index}`)
    const last = begin('noisy', 'wanted by two')
    line.join(client('quiet'), last)
    const order = await endAll()
    expect(order.indexOf('wanted by two')).toBe(3)
    expect(order.filter((name) => name === 'wanted by two')).toHaveLength(1)
  })

  it('refuses what waits longest of the client that has most, when more wait than may', async () => {
    const { begin, endAll } = heldLine()
    const quiet = begin('quiet', 'quiet').promise
    void begin('other', 'other')
    const noisy = Array.from({ length: 1001 }, (_, index) => begin('noisy', `noisy-${index}`).promise)
    const [first] = await Promise.allSettled(noisy.slice(0, 1))
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'OVERLOADED', status: 503 } })
    expect(first?.status === 'rejected' && first.reason instanceof HttpError).toBe(true)
    await endAll()
    expect(await quiet).toBe('quiet')
    expect(await Promise.all(noisy.slice(1))).toHaveLength(1000)
  })

  it('goes on after one that fails', async () => {
    const line = new VerificationLine<string>()
    const failed = ['a', 'b', 'c'].map(() =>
      line.begin(client('1'), () => Promise.reject(new Error('bad'))).promise.catch(() => 'failed'),
    )
    const last = line.begin(client('1'), () => Promise.resolve('good')).promise
    expect(await Promise.all([...failed, last])).toEqual(['failed', 'failed', 'failed', 'good'])
  })
})
