import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { decodeChunks } from '../../src/defer/decode-chunks.ts'

const MIB = 2 ** 20

it('an answer that decompresses into far more than any probe is not read to its end', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * MIB))
  const chunks = Array.from({ length: 16 }, (_, index) => {
    const size = Math.ceil(bomb.length / 16)
    return { at: index, bytes: bomb.subarray(index * size, (index + 1) * size) }
  })
  const decoded = await decodeChunks(chunks, 'gzip')
  const sizes = decoded?.map(({ bytes }) => bytes.length) ?? []
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(16 * MIB)
  expect(decoded?.at(-1)?.at).toBeLessThan(4)
})
