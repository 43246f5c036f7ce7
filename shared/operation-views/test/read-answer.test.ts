/** Answers as they stream from a router, or from something else. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ReadAnswer, readAnswer } from '../src/answers/read-answer.ts'
import { deferredResponses } from './deferred-responses.ts'

const MULTIPART = { 'content-type': 'multipart/mixed; boundary="-"' }

/** The bytes of a multipart answer. The last boundary can be left out, as if the connection broke. */
function multipart(parts: readonly unknown[], isWhole = true): Uint8Array {
  const texts = parts.map(partText)
  return new TextEncoder().encode(texts.join('') + (isWhole ? '\r\n-----\r\n' : '\r\n---'))
}

function partText(part: unknown): string {
  return `\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${JSON.stringify(part)}`
}

/** A response whose bytes come in pieces of these sizes, over and over. */
function streamed(bytes: Uint8Array, sizes: readonly number[], headers: HeadersInit = MULTIPART): Response {
  let at = 0
  let turn = 0
  const body = new ReadableStream({
    pull(controller) {
      const size = sizes[turn % sizes.length] ?? 1
      turn += 1
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
  return new Response(body, { headers })
}

async function read(response: Response, limits = { bytes: 1_000_000, parts: 100 }): Promise<ReadAnswer[]> {
  let time = 0
  const answers: ReadAnswer[] = []
  for await (const answer of readAnswer(response, { began: 0, now: () => (time += 5), limits }))
    answers.push(answer)
  return answers
}

const json = (text: string, status = 200, type = 'application/json') =>
  new Response(text, { status, headers: { 'content-type': type } })

describe('an answer in parts', () => {
  it('is there after each part, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        deferredResponses(),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (parts, sizes) => {
          const answers = await read(streamed(multipart(parts), sizes))
          expect(answers.map((answer) => answer.parts.length)).toEqual(parts.map((_, index) => index + 1))
          expect(answers.at(-1)).toMatchObject({ hasNext: false, failure: null, status: 200 })
          expect(answers.at(-1)?.parts.map(({ body }) => body)).toEqual(parts)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('says that it broke off, and keeps what has come', async () => {
    const answers = await read(streamed(multipart([{ data: { a: 1 }, hasNext: true }], false), [7]))
    expect(answers.at(-1)).toMatchObject({
      data: { a: 1 },
      hasNext: false,
      failure: expect.stringContaining('broke off before its last part'),
    })
  })

  it('is ended where it has too many parts, such as one that never ends', async () => {
    const [first, part] = [
      { data: {}, hasNext: true },
      { incremental: [], hasNext: true },
    ].map((body) => new TextEncoder().encode(partText(body)))
    let isFirst = true
    const { promise: isLeft, resolve } = Promise.withResolvers<void>()
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(isFirst ? first : part)
        isFirst = false
      },
      // The connection is closed, and nothing more is sent to a page that reads nothing.
      cancel: () => resolve(),
    })
    const answers = await read(new Response(body, { headers: MULTIPART }), { bytes: 1_000_000, parts: 5 })
    expect(answers.at(-1)?.failure).toContain('more than 5 parts')
    await isLeft
  })

  it('is ended where it is too large', async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64_000).fill(97)),
    })
    const [only] = await read(new Response(body, { headers: { 'content-type': 'application/json' } }), {
      bytes: 2 * 1024 * 1024,
      parts: 5,
    })
    expect(only?.failure).toContain('more than 2 MiB')
  })

  it.each([
    ['no JSON', new TextEncoder().encode('\r\n---\r\nContent-Type: application/json\r\n\r\n<html>\r\n-----')],
    ['no object', multipart([7])],
    ['nowhere to go', multipart([{ data: {}, hasNext: true }, { incremental: [{ id: '1', data: {} }] }])],
  ])('says that a part has %s', async (_, bytes) => {
    const answers = await read(streamed(bytes, [1_000]))
    expect(answers.at(-1)).toMatchObject({ hasNext: false, failure: expect.any(String) })
  })
})

describe('an answer in one piece', () => {
  it('is one part', async () => {
    expect(await read(json('{"errors":[{"message":"no"}]}', 400))).toMatchObject([
      { status: 400, errors: [{ message: 'no' }], hasNext: false, failure: null, parts: [{ after: 5 }] },
    ])
  })

  it.each([
    ['<html>\u0007</html>', 502, 'text/html', 'status 502, text/html, "<html>'],
    ['{"ok":true}', 200, 'application/json', 'The answer is not one of GraphQL'],
    ['', 204, 'text/plain', 'status 204'],
    ['[]', 200, 'application/json', 'not one of GraphQL'],
  ])('says what came instead: %s', async (text, status, type, said) => {
    const response =
      status === 204
        ? new Response(null, { status, headers: { 'content-type': type } })
        : json(text, status, type)
    const [only] = await read(response)
    expect(only).toMatchObject({ status, parts: [], failure: expect.stringContaining(said) })
  })
})
