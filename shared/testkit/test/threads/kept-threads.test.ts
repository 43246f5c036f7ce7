import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { keepThreads } from '../../src/threads/kept-threads.ts'

keepThreads()

const MODULE = new URL('./compile-worker.ts', import.meta.url)

describe('a thread that is told to end', () => {
  it('serves whoever starts the same module next', async () => {
    const first = new Worker(MODULE)
    const id = await answerOf(first)
    await first.terminate()
    const second = new Worker(MODULE)
    expect(await answerOf(second)).toBe(id)
    await second.terminate()
  })

  it('serves one at a time, even if it was told twice', async () => {
    const first = new Worker(MODULE)
    await answerOf(first)
    await first.terminate()
    await first.terminate()
    const [second, third] = [new Worker(MODULE), new Worker(MODULE)]
    expect(await answerOf(second)).not.toBe(await answerOf(third))
    await Promise.all([second.terminate(), third.terminate()])
  })

  it('is not used for other limits of memory', async () => {
    const first = new Worker(MODULE)
    const id = await answerOf(first)
    await first.terminate()
    const second = new Worker(MODULE, { resourceLimits: { maxOldGenerationSizeMb: 64 } })
    expect(await answerOf(second)).not.toBe(id)
    await second.terminate()
  })

  it('tells its former user nothing of what it does next', async () => {
    const heard: unknown[] = []
    const first = new Worker(MODULE)
    first.on('message', (message) => heard.push(message))
    await answerOf(first)
    await first.terminate()
    const second = new Worker(MODULE)
    await answerOf(second)
    expect(heard).toHaveLength(1)
    await second.terminate()
  })

  it.each([
    ['owes an answer', { kind: 'task', task: 'never answer' }],
    ['was told something that it may remember', { kind: 'notice', notice: null }],
  ])('ends if it %s', async (_, message) => {
    const worker = new Worker(MODULE)
    const id = await answerOf(worker)
    const exit = once(worker, 'exit')
    worker.postMessage(message, [])
    await worker.terminate()
    await exit
    const next = new Worker(MODULE)
    expect(await answerOf(next)).not.toBe(id)
    await next.terminate()
  })
})

async function answerOf(worker: Worker): Promise<unknown> {
  worker.postMessage({ kind: 'task', task: 'answer' }, [])
  const [{ result }] = await once(worker, 'message')
  return result
}
