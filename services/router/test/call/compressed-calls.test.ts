/** Subgraphs that compress their answers, well or to do harm. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnswerDecoder } from '../../src/call/decoding/answer-decoder.ts'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, type TestRouter } from '../support/router.ts'
import { closeServer, listenOnFreePort } from '../support/subgraph.ts'

const MIB = 1024 * 1024
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const ENCODE = {
  gzip: (text: string) => gzipSync(text),
  br: (text: string) => brotliCompressSync(text, FAST),
  zstd: (text: string) => zstdCompressSync(text),
}
const CODINGS = ['gzip', 'br', 'zstd'] as const

/** 100 MB. */
const ZEROS = Buffer.alloc(100 * MIB)
const repeated = (bytes: Buffer): Buffer => Buffer.concat(Array.from({ length: 100 }, () => bytes))

const stack = new AsyncDisposableStack()
let answer: (response: ServerResponse) => void = (response) => response.end()
let received: IncomingHttpHeaders = {}
let url: string
const routers = new Map<string, TestRouter>()

beforeAll(async () => {
  const server = createServer((request, response) => {
    received = request.headers
    response.on('error', () => {})
    request.resume().on('end', () => answer(response))
  })
  url = `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
  stack.defer(() => closeServer(server))
})
afterAll(() => stack.disposeAsync())

async function routerWith(settings: string): Promise<TestRouter> {
  const known = routers.get(settings)
  if (known !== undefined) return known
  const world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: buildArtifact('base', { products: url, reviews: url }) })
  const router = stack.use(await routerOn(world, { settings: `subgraphs: ${settings}` }))
  await router.ready
  routers.set(settings, router)
  return router
}

const ALL = '[zstd, br, gzip]'
const versionOf = (version: string): string => JSON.stringify({ data: { version } })

function sends(encoding: string, pieces: readonly Buffer[]): void {
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
    const [first, ...rest] = pieces
    const next = (): void => {
      const piece = rest.shift()
      if (piece === undefined) response.end()
      else response.write(piece, () => setImmediate(next))
    }
    response.write(first ?? '', next)
  }
}

/** The version, or the error's message behind its code. */
async function ask(router: TestRouter): Promise<string> {
  const { json } = await post(router, { query: '{ version }' })
  const [error] = json.errors ?? []
  if (error === undefined) return String(json.data?.['version'])
  return `${String(error.extensions['code'])}: ${error.message}`
}

/** Members and frames may follow one another: 10 GB. */
const BOMBS = {
  gzip: repeated(gzipSync(ZEROS)),
  zstd: repeated(zstdCompressSync(ZEROS)),
  br: brotliCompressSync(ZEROS, FAST),
}

describe('answers of subgraphs', () => {
  const router = (more = '') => routerWith(`{ accept_encodings: ${ALL}${more} }`)

  it.each(CODINGS)('are read in %s, in one piece and byte by byte', async (coding) => {
    const version = `a version, ${'again and again, '.repeat(20)}ü😀`
    const bytes = ENCODE[coding](versionOf(version))
    sends(coding, [bytes])
    expect(await ask(await router())).toBe(version)
    expect(received['accept-encoding']).toBe('zstd, br, gzip')
    sends(
      coding,
      [...bytes].map((byte) => Buffer.of(byte)),
    )
    expect(await ask(await router())).toBe(version)
  })

  it.each(CODINGS)('are read in %s where they are large, and beside others', async (coding) => {
    const version = Array.from({ length: 200_000 }, (_, index) => (index * 7919).toString(36)).join(' ')
    sends(coding, [ENCODE[coding](versionOf(version))])
    const target = await router(', max_receiving_size: 200KiB, share_inflight: false')
    const query = (index: number) => ({ query: `query Q${index} { version }` })
    const replies = await Promise.all([0, 1, 2, 3].map((index) => post(target, query(index))))
    for (const { json } of replies) expect(json.data?.['version'] === version).toBe(true)
  })

  it.each(CODINGS)(
    'that are cut off or damaged in %s are refused, and the next one is read',
    async (coding) => {
      const bytes = ENCODE[coding](versionOf('a version, and something more'))
      const problem = `SUBGRAPH_INVALID_RESPONSE: Subgraph "products" sent an answer that is no complete, valid ${coding} (HTTP status 200).`
      for (const cut of [0, 1, bytes.length >> 1, bytes.length - 1]) {
        sends(coding, [bytes.subarray(0, cut)])
        // Nothing at all is no answer to begin with.
        expect(await ask(await router())).toMatch(cut === 0 ? /^SUBGRAPH_INVALID_RESPONSE/ : problem)
      }
      sends(coding, [Buffer.from(versionOf('plain'))])
      expect(await ask(await router())).toBe(problem)
      sends(coding, [bytes])
      expect(await ask(await router())).toBe('a version, and something more')
    },
  )

  it.each(['deflate', 'gzip, br', 'compress', 'GZIP; q=1'])('are refused in %s', async (encoding) => {
    sends(encoding, [gzipSync(versionOf('v'))])
    expect(await ask(await router())).toMatch(
      /^SUBGRAPH_INVALID_RESPONSE: .* sent an answer in a content coding that was not asked for/,
    )
  })

  it('are read as they are where they are not coded, or say identity, or x-gzip', async () => {
    sends('identity', [Buffer.from(versionOf('v'))])
    expect(await ask(await router())).toBe('v')
    sends('X-GZip', [gzipSync(versionOf('v'))])
    expect(await ask(await router())).toBe('v')
  })

  it('may not be compressed where nobody asks for that', async () => {
    const plain = await routerWith('{}')
    sends('gzip', [gzipSync(versionOf('v'))])
    expect(await ask(plain)).toMatch(/^SUBGRAPH_INVALID_RESPONSE: .* a content coding that was not asked for/)
    expect(received).not.toHaveProperty('accept-encoding')
  })

  it('are limited by what they unpack to', async () => {
    const text = Array.from({ length: 100_000 }, (_, index) => (index * 7919).toString(36)).join(' ')
    sends('gzip', [gzipSync(versionOf(text))])
    const target = await router(', max_response_size: 512KiB')
    expect(await ask(target)).toBe(
      'SUBGRAPH_RESPONSE_TOO_LARGE: Subgraph "products" sent more than the 524288 bytes allowed.',
    )
  })

  it.each(CODINGS)('that unpack to gigabytes in %s are given up at once', async (coding) => {
    const target = await router(', max_response_size: 1GiB')
    sends('gzip', [gzipSync(versionOf('v'))])
    expect(await ask(target)).toBe('v')
    const bytes = BOMBS[coding]
    let written = 0
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding })
      for (let at = 0; at < bytes.length; at += 64 * 1024)
        response.write(bytes.subarray(at, at + 64 * 1024), (error) => {
          if (error == null) written++
        })
      response.end()
    }
    const before = process.memoryUsage.rss()
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 1)
    const outcome = await ask(target)
    clearInterval(watch)
    expect(outcome).toMatch(
      /^SUBGRAPH_INVALID_RESPONSE: .* sent an answer that unpacks to more than 500 times its size/,
    )
    expect(peak - before).toBeLessThan(150 * MIB)
    expect(written).toBeLessThan(Math.max(2, bytes.length / (64 * 1024)) + 1)
  })
})

describe('a setting for one subgraph', () => {
  it('wins over that for all', async () => {
    const router = await routerWith(
      `{ accept_encodings: [gzip], overrides: { products: { accept_encodings: [] } } }`,
    )
    sends('identity', [Buffer.from(versionOf('v'))])
    expect(await ask(router)).toBe('v')
    expect(received).not.toHaveProperty('accept-encoding')
  })

  it('names each coding once, and no other', async () => {
    await expect(routerWith('{ accept_encodings: [gzip, gzip] }')).rejects.toThrow(/expected each name once/)
    await expect(routerWith('{ accept_encodings: [deflate] }')).rejects.toThrow(/accept_encodings/)
  })
})

describe.each(CODINGS)('a decoder of %s', (coding) => {
  const text = JSON.stringify({ data: { list: Array.from({ length: 40 }, (_, index) => ({ index })) } })
  const bytes = ENCODE[coding](text)

  function decode(pieces: readonly Buffer[]): Promise<string> {
    const made: Buffer[] = []
    return new Promise((resolve) => {
      const decoder = new AnswerDecoder(coding, {
        decoded: (piece) => void made.push(piece),
        ended: () => resolve(Buffer.concat(made).toString()),
        failed: (problem) => resolve(problem),
        drained: () => {},
      })
      for (const piece of pieces) decoder.write(piece)
      decoder.end()
    })
  }

  it('makes the same of an answer that is split anywhere', async () => {
    for (let at = 0; at <= bytes.length; at++)
      expect(await decode([bytes.subarray(0, at), bytes.subarray(at)])).toBe(text)
  })

  it('takes no part of an answer for the whole', async () => {
    for (let at = 1; at < bytes.length; at++)
      expect(await decode([bytes.subarray(0, at)])).toBe(`an answer that is no complete, valid ${coding}`)
  })
})
