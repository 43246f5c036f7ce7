import { describe, expect, it } from 'vitest'
import { GatheredPieces, PIECES } from '@switchyard/service-kit'

/** Bytes in pieces of these lengths, as they are handed on. `shared`: all pieces are parts of one buffer. */
function gathered(lengths: readonly number[], shared = false) {
  const whole = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0))
  for (let at = 0; at < whole.length; at++) whole[at] = (at * 7) % 251
  const handedOn: Buffer[] = []
  const pieces = new GatheredPieces((bytes) => handedOn.push(bytes))
  let at = 0
  for (const length of lengths) {
    const piece = whole.subarray(at, (at += length))
    // As node:http hands it over: each piece has a buffer of its own.
    pieces.add(shared ? piece : Buffer.from(new Uint8Array(piece).buffer))
  }
  pieces.flush()
  const buffers = new Set(handedOn.map(({ buffer }) => buffer))
  const held = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)
  return { whole, handedOn, pieces, held }
}

const times = (count: number, length: number) => Array.from({ length: count }, () => length)

describe('the pieces of a body', () => {
  it.each([
    ['of one byte', times(300_000, 1)],
    ['of a hundred bytes', times(3000, 100)],
    ['large and small in turns', times(100, 0).flatMap(() => [5000, 1])],
    ['of every size', times(500, 0).map((_, index) => (index * 37) % 9000)],
  ])('take memory for little more than their bytes: %s', (_, lengths) => {
    const { whole, handedOn, pieces, held } = gathered(lengths)
    expect(Buffer.concat(handedOn).equals(whole)).toBe(true)
    expect(pieces.length).toBe(whole.length)
    expect(held).toBeLessThanOrEqual(2 * whole.length + 8192)
    expect(handedOn.length).toBeLessThanOrEqual(10 + whole.length / 2048)
  })

  it('keep nothing else of the large buffers that they were read into', () => {
    const { handedOn, held, whole } = gathered([10, 10, 5000, ...times(20_000, 5)], true)
    expect(Buffer.concat(handedOn).equals(whole)).toBe(true)
    expect(handedOn.some(({ buffer }) => buffer === whole.buffer)).toBe(false)
    // Small copies are in one or two pools of Node, which others use as well.
    expect(held).toBeLessThanOrEqual(2 * whole.length + 8192 + 2 * Buffer.poolSize)
  })

  it('are handed on as they are if there is only one', () => {
    const only = Buffer.from(new Uint8Array([1, 2, 3]).buffer)
    const handedOn: Buffer[] = []
    const pieces = new GatheredPieces((bytes) => handedOn.push(bytes))
    pieces.add(only)
    pieces.flush()
    expect(handedOn).toEqual([only])
    expect(handedOn[0]).toBe(only)
  })

  it('are too many if they are small and more than programs send by accident', () => {
    const { pieces } = gathered(times(PIECES.any, 1))
    expect(pieces.areTooMany).toBe(false)
    expect(gathered(times(PIECES.any + 300, 1)).pieces.areTooMany).toBe(true)
    expect(gathered(times(3 * PIECES.any, PIECES.bytesEach)).pieces.areTooMany).toBe(false)
  })
})
