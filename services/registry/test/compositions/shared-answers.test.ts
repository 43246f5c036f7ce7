import { describe, expect, it } from 'vitest'
import { SharedAnswers } from '../../src/http/reads/shared-answers.ts'

const MIB = 1024 * 1024

/** Makes answers of some bytes, and counts them. */
function maker(bytes = 1) {
  const made: string[] = []
  const answers = new SharedAnswers()
  const ask = (key: string) =>
    answers.of(key, async () => {
      made.push(key)
      return new Uint8Array(bytes)
    })
  return { made, ask }
}

describe('answers that are shared', () => {
  it('are made once, for those who ask meanwhile and for those who ask later', async () => {
    const { made, ask } = maker()
    await Promise.all([ask('a'), ask('a'), ask('b')])
    await ask('a')
    expect(made).toEqual(['a', 'b'])
  })

  it('are few, and those that were asked for last', async () => {
    const { made, ask } = maker()
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'a', 'i', 'a', 'b']) await ask(key)
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'b'])
  })

  it('are not kept if they are large', async () => {
    const { made, ask } = maker(2 * MIB)
    await Promise.all([ask('a'), ask('a')])
    await ask('a')
    expect(made).toEqual(['a', 'a'])
  })

  it('are made again after a failure, which everybody is told who asked', async () => {
    const answers = new SharedAnswers()
    const fail = () => Promise.reject(new Error('too much'))
    const both = await Promise.allSettled([answers.of('a', fail), answers.of('a', fail)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await answers.of('a', async () => new Uint8Array(3))).toHaveLength(3)
  })
})
