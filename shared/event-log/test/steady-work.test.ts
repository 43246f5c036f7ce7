import { describe, expect, it } from 'vitest'
import { RecordNotUnderstoodError, SteadyWork } from '../src/index.ts'

function workOf(script: readonly ('done' | 'more' | Error)[], signal = new AbortController().signal) {
  const seen: string[] = []
  const over = Promise.withResolvers<void>()
  let turn = 0
  const work: SteadyWork = new SteadyWork({
    signal,
    onChange: () => seen.push(work.problem === null ? 'well' : `problem ${work.problem}`),
    onFailed: (error) => seen.push(`failed ${String(error)}`),
    onEnded: () => seen.push('ended'),
  })
  const running = work.run(async () => {
    const next = script[turn++]
    seen.push(next instanceof Error ? 'throws' : String(next))
    if (turn === script.length) over.resolve()
    if (next instanceof Error) throw next
    return next ?? 'done'
  })
  return { work, seen, running, over: over.promise }
}

describe('steady work', () => {
  it('goes on at once while there is more, and waits to be woken when all is done', async () => {
    const { work, seen, over } = workOf(['more', 'more', 'done', 'done'])
    while (seen.at(-1) !== 'well') await new Promise((resolve) => setTimeout(resolve, 1))
    expect(seen).toEqual(['more', 'more', 'done', 'well'])
    work.wake()
    await over
    expect(seen.slice(4)).toEqual(['done'])
  })

  it('is tried again while it fails, tells an outage once, and is well again only when all is done', async () => {
    const { work, seen, over } = workOf([new Error('down'), new Error('still'), 'more', 'done'])
    await over
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen).toEqual([
      'throws',
      'failed Error: down',
      'problem down',
      'throws',
      'problem still',
      'more',
      'done',
      'well',
    ])
    expect(work.ended).toBe(false)
  })

  it('ends at a record that is not understood', async () => {
    const error = new RecordNotUnderstoodError('compositions.a.b', 7, new Error('no such member'))
    const { work, seen, running } = workOf([error])
    await running
    expect(seen).toEqual(['throws', 'ended', `problem ${error.message}`])
    expect(work.ended).toBe(true)
  })

  it('stops when it is aborted, without calling that a failure', async () => {
    const abort = new AbortController()
    const { seen, running, over } = workOf(['more', new Error('down')], abort.signal)
    void over.then(() => abort.abort())
    abort.abort()
    await running
    expect(seen.filter((line) => line.startsWith('failed'))).toEqual([])
  })
})
