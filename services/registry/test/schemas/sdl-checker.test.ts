import type { Problem } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { SdlChecker } from '../../src/schemas/sdl-checker.ts'

/** A union of as many members as give that many KiB. */
function sdl(kib: number): string {
  return `union U = ${'A | '.repeat(kib * 256)} A`
}

describe('the checker of SDL', () => {
  it('takes large texts of namespaces in turns, and those of one in order', async () => {
    await using checker = new SdlChecker()
    const checked: string[] = []
    const check = async (namespace: string, name: string): Promise<void> => {
      expect(await checker.check(namespace, name, sdl(64))).toBeNull()
      checked.push(name)
    }
    await Promise.all([
      ...['loud 1', 'loud 2', 'loud 3', 'loud 4'].map((name) => check('loud', name)),
      ...['quiet 1', 'quiet 2'].map((name) => check('quiet', name)),
    ])

    expect(checked).toEqual(['loud 1', 'loud 2', 'quiet 1', 'loud 3', 'quiet 2', 'loud 4'])
  })

  it('checks no more than 32 KiB in one turn of the event loop, however many texts that are', async () => {
    await using checker = new SdlChecker()
    const checked: number[] = []
    const checks = Array.from({ length: 10 }, (_, index) =>
      checker.check('one', String(index), sdl(10)).then(() => checked.push(index)),
    )
    // Promises that are settled in this turn.
    for (let step = 0; step < 20; step += 1) await Promise.resolve()
    expect(checked).toEqual([0, 1, 2])
    await Promise.all(checks)
    expect(checked).toHaveLength(10)
  })

  it('refuses what takes too much memory, and goes on with what others sent', async () => {
    await using checker = new SdlChecker({ memoryMb: 32 })
    const answers: (Problem | null)[] = await Promise.all([
      checker.check('loud', 'huge', sdl(4096)),
      checker.check('quiet', 'fine', sdl(40)),
    ])

    expect(answers).toMatchObject([
      { code: 'SCHEMA_INVALID', detail: expect.stringContaining('"huge" takes more memory') },
      null,
    ])
  })

  it('refuses what takes too much computing time, and goes on with what others sent', async () => {
    await using checker = new SdlChecker({ cpuMs: 20 })
    const answers = await Promise.all([
      checker.check('loud', 'huge', sdl(6 * 1024)),
      checker.check('quiet', 'fine', sdl(40)),
    ])

    expect(answers).toMatchObject([
      { code: 'SCHEMA_INVALID', detail: expect.stringContaining('"huge" takes more time') },
      null,
    ])
  })

  it('tells whoever waits that it was disposed', async () => {
    const checker = new SdlChecker()
    const checks = [checker.check('one', 'first', sdl(64)), checker.check('two', 'second', sdl(64))]
    const outcomes = Promise.allSettled(checks)
    await checker[Symbol.asyncDispose]()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
