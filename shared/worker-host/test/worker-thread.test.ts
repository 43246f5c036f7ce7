import { describe, expect, it } from 'vitest'
import { WorkerThread } from '../src/index.ts'

describe('a worker thread', () => {
  it('is not heard any more once it is terminated, whatever it said before', async () => {
    const said = new Int32Array(new SharedArrayBuffer(4))
    const heard: unknown[] = []
    const thread = new WorkerThread<never, unknown>(
      { module: new URL('./talking-thread.ts', import.meta.url), name: 'talking', data: said },
      { onMessage: (message) => void heard.push(message), onDeath: (death) => void heard.push(death) },
    )
    // Nothing is heard while this thread is blocked, so the message waits when the other one is terminated.
    expect(Atomics.wait(said, 0, 0, 30_000)).not.toBe('timed-out')
    await thread.terminate()
    expect(heard).toEqual([])
  })
})
