/** Real threads; told-thread.ts does what a task tells it. */
import { once } from 'node:events'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { type TaskLimits, WorkerHost, type WorkerHostOptions } from '../src/index.ts'
import type { Told } from './told-thread.ts'

const execute = promisify(execFile)
const PLENTY = { timeMs: 60_000 } as const

class TestHost extends WorkerHost<Told, string, string> {
  /** Every thread that was started. */
  readonly workers: Worker[]

  constructor(options: Partial<WorkerHostOptions> = {}) {
    const workers: Worker[] = []
    super({
      module: new URL('./told-thread.ts', import.meta.url),
      name: 'told',
      createWorker: (module, workerOptions) => {
        const worker = new Worker(module, workerOptions)
        workers.push(worker)
        return worker
      },
      ...options,
    })
    this.workers = workers
  }

  /** How a task ended that was told this. */
  async end(told: Told, limits: TaskLimits = PLENTY) {
    return await this.run(told, limits)
  }

  async answers(): Promise<void> {
    expect(await this.end('answer')).toMatchObject({ kind: 'done', result: 'answered' })
  }

  async exit(): Promise<void> {
    const worker = this.workers.at(-1)
    if (worker !== undefined && worker.threadId !== -1) await once(worker, 'exit')
  }
}

describe('a worker host', () => {
  it('starts a thread with the first task and keeps it for the next ones', async () => {
    await using host = new TestHost()
    expect(host.hasThread).toBe(false)
    await host.answers()
    await host.answers()
    expect(host.workers).toHaveLength(1)
  })

  it('starts a thread ahead of the first task when it is told to', async () => {
    await using host = new TestHost()
    host.start()
    host.start()
    await host.answers()
    expect(host.workers).toHaveLength(1)
  })

  it('runs one task at a time', async () => {
    await using host = new TestHost()
    const first = host.end('answer')
    expect(host.isBusy).toBe(true)
    await expect(host.end('answer')).rejects.toThrow(RangeError)
    expect(await first).toMatchObject({ kind: 'done' })
    expect(host.isBusy).toBe(false)
  })

  it('ends a task after its time, and runs the next one in a new thread', async () => {
    await using host = new TestHost()
    const end = await host.end('loop', { timeMs: 50 })
    expect(end.kind).toBe('time-limit')
    expect(end.elapsedMs).toBeGreaterThanOrEqual(49)
    await host.answers()
    expect(host.workers).toHaveLength(2)
  })

  it('ends a task after its CPU, and tells how much that was', async () => {
    await using host = new TestHost()
    const end = await host.end('loop', { cpuMs: 100 })
    expect(end.kind).toBe('cpu-limit')
    expect(end.cpuMs).toBeGreaterThan(100)
    await host.answers()
  })

  it('counts CPU and not time where the limit is one of CPU', async () => {
    await using host = new TestHost()
    const end = await host.end('sleep', { cpuMs: 300 })
    expect(end).toMatchObject({ kind: 'done', result: 'slept' })
    expect(end.cpuMs).toBeLessThan(300)
  })

  it('ends alone a task that takes more memory than it may, and says that it was memory', async () => {
    await using host = new TestHost({ memoryMb: 16 })
    await using other = new TestHost()
    const sleeping = other.end('sleep')
    expect((await host.end('eat memory')).kind).toBe('memory-limit')
    expect(await sleeping).toMatchObject({ kind: 'done', result: 'slept' })
    await host.answers()
  })

  it.each(['throw', 'reject'] as const)('tells what a task threw, and starts again (%s)', async (told) => {
    await using host = new TestHost()
    const end = await host.end(told)
    expect(end).toMatchObject({ kind: 'crashed', error: { message: 'the task fell over' } })
    await host.answers()
    expect(host.workers).toHaveLength(2)
  })

  it('tells that a thread exited in the middle of a task, and starts again', async () => {
    await using host = new TestHost()
    const end = await host.end('exit')
    expect(end).toMatchObject({ kind: 'crashed', error: { message: 'it exited with code 3' } })
    await host.answers()
  })

  it('does not notice in the next task that a thread died between two', async () => {
    const gone: string[] = []
    await using host = new TestHost({ onThreadGone: () => void gone.push('gone') })
    expect(await host.end('exit soon')).toMatchObject({ kind: 'done', result: 'exits' })
    await host.exit()
    expect(gone).toEqual(['gone'])
    await host.answers()
    expect(host.workers).toHaveLength(2)
  })

  it('ends a task that is cancelled, before or while it runs', async () => {
    await using host = new TestHost()
    await host.answers()
    const end = new AbortController()
    const running = host.end('loop', { ...PLENTY, signal: end.signal })
    end.abort()
    expect((await running).kind).toBe('cancelled')
    expect((await host.end('answer', { ...PLENTY, signal: end.signal })).kind).toBe('cancelled')
    await host.answers()
    expect(host.workers).toHaveLength(2)
  })

  it('ends a task whose thread never begins', async () => {
    await using host = new TestHost({
      module: new URL('./silent-thread.ts', import.meta.url),
      silentMs: 50,
    })
    expect(await host.end('answer')).toMatchObject({ kind: 'silent', elapsedMs: 0 })
  })

  it('ends the running task and its thread when it is disposed, and takes none afterwards', async () => {
    const host = new TestHost()
    await host.answers()
    const running = host.end('loop')
    await host[Symbol.asyncDispose]()
    expect((await running).kind).toBe('disposed')
    expect((await host.end('answer')).kind).toBe('disposed')
    host.start()
    expect(host.workers.map(({ threadId }) => threadId)).toEqual([-1])
  })

  it('ends a thread that had no task for its idle time', async () => {
    await using host = new TestHost({ idleMs: 20 })
    await host.answers()
    await host.exit()
    expect(host.hasThread).toBe(false)
    await host.answers()
    expect(host.workers).toHaveLength(2)
  })

  it('tells a thread what needs no answer, in order with the tasks', async () => {
    await using host = new TestHost()
    host.tell('nobody is there')
    await host.answers()
    host.tell('one')
    host.tell('two')
    expect(await host.end('hear')).toMatchObject({ result: 'one,two' })
  })

  it('keeps the process alive as long as a task runs, and not longer', async () => {
    const program = fileURLToPath(new URL('./one-task.ts', import.meta.url))
    const { stdout } = await execute(process.execPath, [program])
    expect(stdout).toBe('slept\n')
  })

  it('tells that a thread could not be started, and tries again with the next task', async () => {
    let attempts = 0
    await using host = new TestHost({
      createWorker: (module, options) => {
        attempts += 1
        if (attempts <= 2) throw new Error('no threads left')
        return new Worker(module, options)
      },
    })
    host.start()
    expect(await host.end('answer')).toMatchObject({
      kind: 'crashed',
      error: { message: 'it could not be started: no threads left' },
    })
    await host.answers()
  })

  it('rejects what cannot be sent to a thread, and goes on', async () => {
    await using host = new TestHost()
    const unsendable = (() => {}) as unknown as Told
    await expect(host.end(unsendable)).rejects.toThrow('could not be cloned')
    await host.answers()
  })
})
