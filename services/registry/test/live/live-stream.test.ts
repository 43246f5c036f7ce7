/** What waits for a client that takes nothing for a while. */
import type { LiveEvent } from '@switchyard/contracts'
import { waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { liveFrame } from '../../src/live/live-frame.ts'
import { LiveStream } from '../../src/live/live-stream.ts'

const reader = { includes: () => true, everyNamespace: true, key: '' }
const shop = { namespace: 'default', graph: 'shop' }
const changed = (sequence: number) =>
  ({ kind: 'changed', sequence, namespace: 'default', graphs: [] }) satisfies LiveEvent

/** A stream that was told events, each with the sequence at that moment, before anybody takes one. */
function waiting(...told: readonly (readonly [LiveEvent, number])[]): LiveStream {
  const stream = new LiveStream({ reader, mayGoOn: async () => true })
  for (const [event, sequence] of told) stream.tell(liveFrame(event, sequence))
  return stream
}

async function untilFinished(stream: LiveStream): Promise<string> {
  let text = ''
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await waitFor('what waits', () => text !== '')
  stream.finish()
  await waitFor('the end', () => stream.readableEnded)
  return text
}

describe('events that wait for a client', () => {
  it('are replaced by newer ones of the same graph, but for changes, and their ids only increase', async () => {
    const stream = waiting(
      [{ kind: 'composed', ...shop }, 1],
      [changed(2), 2],
      [{ kind: 'published', ...shop }, 2],
      [{ kind: 'fleet' }, 2],
      [{ kind: 'figures', graphs: [] }, 2],
      [changed(3), 3],
      [{ kind: 'composed', ...shop, graph: 'blog' }, 3],
      [{ kind: 'composed', ...shop }, 3],
      [{ kind: 'fleet' }, 3],
      [{ kind: 'figures', graphs: [] }, 3],
    )
    const text = await untilFinished(stream)
    const events = [...text.matchAll(/event: (\w+)\nid: (\d)\ndata: (.*)\n\n/g)].map(([, kind, id, data]) =>
      `${id} ${kind} ${/"graph":"(\w+)"/.exec(data ?? '')?.[1] ?? ''}`.trim(),
    )
    expect(events).toEqual([
      '2 changed',
      '2 published shop',
      '3 changed',
      '3 composed blog',
      '3 composed shop',
      '3 fleet',
      '3 figures',
    ])
    expect(text).toMatch(/\n\nretry: \d{4}\n\n$/)
  })

  it('cut the client off when they are more than a megabyte, and not before', () => {
    const stream = waiting()
    const graphs = Array.from({ length: 500 }, () => 'g'.repeat(100))
    const frames = Array.from({ length: 30 }, (_, at) => liveFrame({ ...changed(at), graphs }, at))
    const fleet = liveFrame({ kind: 'fleet' }, 0)
    let length = fleet.text.length
    for (const frame of frames) {
      for (let again = 0; again < 20; again++) stream.tell(fleet)
      stream.tell(frame)
      length += frame.text.length
      if (length > 1024 * 1024) break
      expect(stream.destroyed).toBe(false)
    }
    expect(length).toBeGreaterThan(1024 * 1024)
    expect(stream.destroyed).toBe(true)
  })

  it('are dropped when the client may not read them any more', async () => {
    const stream = new LiveStream({ reader, mayGoOn: async () => false })
    stream.tell(liveFrame(changed(1), 1))
    let text = ''
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await waitFor('the end', () => stream.readableEnded)
    expect(text).toMatch(/^retry: \d{4}\n\n$/)
  })

  it('do not hold up the end of a client that takes nothing', async () => {
    const stream = waiting([changed(1), 1])
    stream.finish()
    expect(stream.destroyed).toBe(true)
  })
})
