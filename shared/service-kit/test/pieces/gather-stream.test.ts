import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { gatherStream, PIECES } from '@switchyard/service-kit'

describe('a stream whose data is gathered', () => {
  it('goes on to count pieces after there were too many: its connection waits for them as well', () => {
    const stream = new Readable({ read: () => {} })
    let counted = 0
    let refusals = 0
    const pace = { piecesRead: (count: number) => (counted += count) }
    gatherStream(stream, pace, () => refusals++)
    const sent = 2 * PIECES.any
    for (let piece = 0; piece < sent; piece++) stream.push(Buffer.from(' '))
    expect([refusals, counted]).toEqual([1, sent])
  })
})
