import { compositionSubject } from '@switchyard/contracts'
import type { CompositionRecord } from '@switchyard/contracts'
import { openSqliteEventLog } from '@switchyard/event-log'
import type { EventLog } from '@switchyard/event-log'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { chooseOnlyGraph } from '../src/choose-graph.ts'
import { createFolder } from './folder.ts'

async function openLog(): Promise<EventLog> {
  const storage = await openSqliteEventLog({ dataDir: await createFolder() })
  onTestFinished(() => storage[Symbol.asyncDispose]())
  return storage.log
}

async function append(log: EventLog, graph: string, type: CompositionRecord['type']): Promise<void> {
  const subject = compositionSubject({ namespace: 'default', graph })
  const last = (await log.last({ kind: 'subject', subject }))?.sequence ?? 0
  const common = { v: 1, namespace: 'default', graph, registrySequence: last + 1 } as const
  const record: CompositionRecord =
    type === 'graph.removed'
      ? { ...common, type }
      : { ...common, type, base: { status: 'empty' }, featureFlags: [], pinnedRevision: null }
  await log.append(subject, record, last)
}

function choose(log: EventLog) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const reasons: string[] = []
  const choice = chooseOnlyGraph({
    log,
    signal: stop.signal,
    onWaiting: (reason) => void reasons.push(reason),
  })
  return { choice, reasons, stop }
}

describe('choosing a graph', () => {
  it('takes the only one there is, whatever was removed before', async () => {
    const log = await openLog()
    await append(log, 'old', 'composition.completed')
    await append(log, 'shop', 'composition.completed')
    await append(log, 'old', 'graph.removed')
    const { choice, reasons } = choose(log)
    expect(await choice).toEqual({ namespace: 'default', graph: 'shop' })
    expect(reasons).toEqual([])
  })

  it('says that there is none, and takes the first one that comes', async () => {
    const log = await openLog()
    const { choice, reasons } = choose(log)
    await vi.waitFor(
      () => expect(reasons).toEqual([expect.stringContaining('no federated graph yet')]),
      PATIENTLY,
    )
    await append(log, 'shop', 'composition.completed')
    expect(await choice).toEqual({ namespace: 'default', graph: 'shop' })
  })

  it('names them when there are several, and takes the one that is left', async () => {
    const log = await openLog()
    await append(log, 'shop', 'composition.completed')
    await append(log, 'blog', 'composition.completed')
    const { choice, reasons } = choose(log)
    await vi.waitFor(
      () =>
        expect(reasons).toEqual([
          expect.stringMatching(/\(default\/blog, default\/shop\); choose one with --graph/),
        ]),
      PATIENTLY,
    )
    await append(log, 'blog', 'graph.removed')
    expect(await choice).toEqual({ namespace: 'default', graph: 'shop' })
  })

  it('ends without a choice when it is stopped', async () => {
    const { choice, stop } = choose(await openLog())
    stop.abort()
    expect(await choice).toBeNull()
  })
})
