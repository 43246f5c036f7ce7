/** Bodies that are unpacked as they arrive, however they are cut. */
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import type { BodyDecoder, UnpackedSink } from '../../../src/concerns/compression/body-decoder.ts'
import { BrotliDecoder } from '../../../src/concerns/compression/brotli-decoder.ts'
import { BrotliLine } from '../../../src/concerns/compression/brotli-line.ts'
import { StreamedDecoder } from '../../../src/concerns/compression/streamed-decoder.ts'

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const ENCODE = {
  gzip: (text: string | Buffer) => gzipSync(text),
  br: (text: string | Buffer) => brotliCompressSync(text, FAST),
  zstd: (text: string | Buffer) => zstdCompressSync(text),
}
const CODINGS = ['gzip', 'br', 'zstd'] as const
type Coding = (typeof CODINGS)[number]

const KIB = 1024

/** A source that sends its pieces one after the other, and stops while it is paused. */
class Source {
  readonly #pieces: Buffer[]
  #decoder: BodyDecoder | null = null
  #isPaused = false
  #isOver = false
  sent = 0

  constructor(pieces: readonly Buffer[]) {
    this.#pieces = [...pieces]
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    setImmediate(() => this.#go())
  }

  sendTo(decoder: BodyDecoder): void {
    this.#decoder = decoder
    this.#go()
  }

  #go(): void {
    if (this.#isPaused || this.#isOver) return
    const piece = this.#pieces.shift()
    if (piece === undefined) {
      this.#isOver = true
      return this.#decoder?.end()
    }
    this.sent += piece.length
    this.#decoder?.write(piece)
    setImmediate(() => this.#go())
  }
}

const LIMIT = 64 * KIB * KIB
const line = new BrotliLine()
const clientOf = (address: string) => ({ address, name: '' })

function decoderOf(coding: Coding, source: Source, sink: UnpackedSink): BodyDecoder {
  if (coding !== 'br') return new StreamedDecoder(coding, source, sink)
  return new BrotliDecoder({ client: clientOf('a'), limit: LIMIT, line }, sink)
}

type Outcome = { readonly text: string; readonly error: string | null; readonly made: number }

function decode(coding: Coding, pieces: readonly Buffer[], onPiece = (_made: number, _sent: number) => {}) {
  return new Promise<Outcome>((resolve) => {
    const made: Buffer[] = []
    let length = 0
    let outcomes = 0
    let held = 0
    const over = (error: string | null) => {
      outcomes++
      const text = Buffer.concat(made).toString()
      setImmediate(() =>
        resolve({ text, error: outcomes === 1 ? error : 'over more than once', made: length }),
      )
    }
    const source = new Source(pieces)
    const decoder = decoderOf(coding, source, {
      unpacked: (bytes) => {
        made.push(bytes)
        length += bytes.length
        onPiece(length, source.sent)
      },
      held: (more) => {
        held += more
      },
      ended: () => over(held === 0 ? null : `${held} bytes count as held at the end`),
      failed: ({ message }) => over(message),
    })
    source.sendTo(decoder)
  })
}

const cutInto = (bytes: Buffer, size: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
/** Packs to about a quarter. */
const textOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `item ${(index * 7919).toString(36)}`).join(', ')

const INVALID = (coding: Coding) =>
  `The request body is no complete, valid ${coding}, which its Content-Encoding says that it is.`
const GOES_ON = (coding: Coding) =>
  `The request body goes on after the end of its ${coding} data. Expected nothing after that.`
const TOO_MUCH =
  'The request body unpacks to more than 65536 bytes and more than 20 times its size. Send it uncompressed.'

describe.each(CODINGS)('a body in %s', (coding) => {
  const text = `{"query":"{ version }","more":"${textOf(40)}"}`
  const bytes = ENCODE[coding](text)

  it('is the same however it is cut', async () => {
    for (let at = 0; at <= bytes.length; at++)
      expect(await decode(coding, [bytes.subarray(0, at), bytes.subarray(at)])).toMatchObject({
        text,
        error: null,
      })
    expect(await decode(coding, cutInto(bytes, 1))).toMatchObject({ text, error: null })
  })

  it('is unpacked where it is large', async () => {
    const large = textOf(200_000)
    const packed = ENCODE[coding](large)
    for (const pieces of [[packed], cutInto(packed, 4096), cutInto(packed, 100_000)]) {
      const { text: unpacked, error } = await decode(coding, pieces)
      expect(error).toBeNull()
      expect(unpacked === large).toBe(true)
    }
  })

  it('is refused where a part of it is missing', async () => {
    for (let length = 0; length < bytes.length; length++)
      expect((await decode(coding, [bytes.subarray(0, length)])).error).toBe(INVALID(coding))
  })

  it('is refused where it is not coded', async () => {
    expect((await decode(coding, [Buffer.from(text)])).error).toBe(INVALID(coding))
  })

  it.each(['x', '\0', '\0'.repeat(1000), '{"query":"{ other }"}'])(
    'is refused where something comes after its end (%#)',
    async (rest) => {
      const after = Buffer.from(rest)
      const refused = [GOES_ON(coding), INVALID(coding)]
      expect(refused).toContain((await decode(coding, [Buffer.concat([bytes, after])])).error)
      expect(refused).toContain((await decode(coding, [bytes, after])).error)
      expect(refused).toContain((await decode(coding, cutInto(Buffer.concat([bytes, after]), 1))).error)
    },
  )

  it('may unpack to 64 KiB from any size, and beyond that to 20 times its size', async () => {
    const small = ' '.repeat(64 * KIB)
    expect(await decode(coding, [ENCODE[coding](small)])).toMatchObject({ text: small, error: null })
    expect((await decode(coding, [ENCODE[coding](`${small} `)])).error).toBe(TOO_MUCH)
  })

  it('is judged by all of it, however it is cut, and unpacked no faster than it arrives', async () => {
    // The first half packs to nothing, and the second half to half: as a whole it is below the limit.
    const noise = Array.from({ length: 40_000 }, (_, index) =>
      ((index * 2_654_435_761) >>> 0).toString(36),
    ).join('')
    const mixed = ' '.repeat(1024 * KIB) + noise
    const packed = ENCODE[coding](mixed)
    expect(mixed.length / packed.length).toBeLessThan(20)
    expect(mixed.length / packed.length).toBeGreaterThan(5)
    for (const size of [100, 1000, 16_000, packed.length]) {
      let ahead = 0
      const { text: unpacked, error } = await decode(coding, cutInto(packed, size), (made, sent) => {
        ahead = Math.max(ahead, made - Math.max(64 * KIB, 20 * sent))
      })
      expect(error).toBeNull()
      expect(unpacked === mixed).toBe(true)
      // One piece of a decompressor may be beyond the limit.
      expect(ahead).toBeLessThanOrEqual(16 * KIB)
    }
    const less = ENCODE[coding](' '.repeat(4096 * KIB) + noise.slice(0, 20_000))
    for (const size of [100, 1000, less.length])
      expect((await decode(coding, cutInto(less, size))).error).toBe(TOO_MUCH)
  })

  it('that unpacks to gigabytes is given up with the piece that is too much', async () => {
    const bomb = ENCODE[coding](Buffer.alloc(10_000 * KIB))
    const { error, made } = await decode(coding, [Buffer.concat(Array.from({ length: 100 }, () => bomb))])
    expect([TOO_MUCH, GOES_ON(coding)]).toContain(error)
    const sent = 100 * bomb.length
    expect(made).toBeLessThan(Math.max(64 * KIB, 20 * sent) + 16 * KIB + 1)
  })
})

it.each(['gzip', 'zstd'] as const)('a body of several members in %s is unpacked whole', async (coding) => {
  const [one, two] = [ENCODE[coding]('{"query":'), ENCODE[coding]('"{ version }"}')]
  const whole = Buffer.concat([one, two])
  for (const pieces of [[whole], [one, two], cutInto(whole, 1)])
    expect(await decode(coding, pieces)).toMatchObject({ text: '{"query":"{ version }"}', error: null })
})

describe('a body in br', () => {
  const body = brotliCompressSync('{"query":"{ version }"}')

  it('may demand a window of 4 MiB, and no larger one', async () => {
    const text = textOf(40)
    for (const bits of [10, 11, 15, 16, 17, 18, 21, 22, 23, 24]) {
      const params = { [constants.BROTLI_PARAM_LGWIN]: bits }
      const { text: unpacked, error } = await decode('br', [brotliCompressSync(text, { params })])
      if (bits <= 22) expect([unpacked, error]).toEqual([text, null])
      else expect(error).toMatch(/^The request body demands a window of more than 4 MiB/)
    }
  })

  it('is unpacked while no other is, in the turn of its client', async () => {
    const own = new BrotliLine()
    const order: string[] = []
    const unpack = (client: string) =>
      new Promise<void>((resolve) => {
        own.unpack(clientOf(client), body, KIB, () => {
          order.push(client)
          resolve()
        })
      })
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'c'].map(unpack))
    // The first one begins at once, before others come.
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'a'])
  })

  it('leaves the line when nobody waits for it', async () => {
    const own = new BrotliLine()
    const done: number[] = []
    const jobs = [0, 1, 2].map((job) => own.unpack(clientOf('a'), body, KIB, () => void done.push(job)))
    jobs[1]?.[Symbol.dispose]()
    await vi.waitUntil(() => done.length === 2)
    expect(done).toEqual([0, 2])
  })
})
