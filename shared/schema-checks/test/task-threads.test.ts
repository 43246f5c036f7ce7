import { describe, expect, it } from 'vitest'
import type { DocumentResult, DocumentTask } from '../src/threads/document-task.ts'
import { CheckLimitError, TaskThreads } from '../src/threads/task-threads.ts'
import { FEDERATION, Platform } from './platform.ts'

const HELLO = `${FEDERATION}type Query { hello: String }`
const platform = new Platform().graph('open').subgraph('hello', HELLO).serve()
const supergraph = platform.served.get('open')?.supergraphs.get(null) ?? ''

function documentThreads(cpuMs: number): TaskThreads<DocumentTask, DocumentResult> {
  const module = new URL('../src/threads/document-thread.ts', import.meta.url)
  return new TaskThreads({ module, name: 'documents', threads: 2, cpuMs, doing: 'Trying documents' })
}

const trying = (...documents: readonly string[]): DocumentTask => ({
  supergraph,
  documents,
  explains: false,
})

describe('threads of a check', () => {
  it('give results in the order of the tasks, one list after the other', async () => {
    await using threads = documentThreads(60_000)
    const tasks = ['{ hello }', '{ a }', '{ hello }', '{ b }'].map((text) => trying(text))
    for (const _ of [1, 2]) {
      const results = await threads.run(tasks, undefined)
      expect(results.map(({ unfit }) => unfit)).toEqual([[], [0], [], [0]])
    }
    expect(await threads.run([], undefined)).toEqual([])
  })

  it('end a task that takes too much, and the check with it', async () => {
    await using threads = documentThreads(40)
    const many = Array.from({ length: 20_000 }, (_, index) => `query Q${index} { hello a b c d }`)
    const running = threads.run([trying('{ hello }'), trying(...many)], undefined)
    await expect(running).rejects.toThrow(CheckLimitError)
    await expect(running).rejects.toThrow(/Trying documents used more than 0\.04 s of CPU/)
  })

  it('stop when nobody wants the results any more', async () => {
    await using threads = documentThreads(60_000)
    const many = Array.from({ length: 20_000 }, (_, index) => `query Q${index} { hello a b c d }`)
    const ended = new AbortController()
    const running = threads.run([trying(...many)], ended.signal)
    ended.abort(new Error('interrupted'))
    await expect(running).rejects.toThrow('interrupted')
  })

  it('say what is wrong with a text that is no document, too', async () => {
    await using threads = documentThreads(60_000)
    const task = { ...trying('{ hello', 'query A { hello } query B { b }'), explains: true }
    expect(await threads.run([task], undefined)).toEqual([
      {
        unfit: [0, 1],
        explanations: [
          {
            operationName: null,
            message: expect.stringContaining('Syntax Error'),
            locations: [expect.anything()],
          },
          {
            operationName: 'A',
            message: expect.stringContaining('"b"'),
            locations: [{ line: 1, column: 29 }],
          },
        ],
      },
    ])
  })
})
