/**
 * Answers of subgraphs to the router, which executes one of a few operations: the first call is answered with
 * the input.
 */
import type { Ground } from '../ground/ground.ts'
import { openClient } from '../measuring/client.ts'
import { judgeAnswer } from './judge-answer.ts'
import type { Arena, Seeds, Target } from './target.ts'
import { textTarget } from './text-target.ts'

/** An eighth of the default of `subgraphs.max_response_size`, so that there is time for many. */
const MAX_ANSWER = 8 * 1024 * 1024

const object = (id: number) => ({
  __typename: 'T1',
  id: String(id),
  name: 'a',
  score: 1.5,
  json: { a: [1, { b: 2 }] },
  stock: 1,
})
const many = (count: number, make: (index: number) => unknown): readonly unknown[] =>
  Array.from({ length: count }, (_, index) => make(index))
const failed = (path: readonly (string | number)[], message = 'no') => ({
  message,
  path,
  extensions: { code: 'X', stack: ['a'] },
  locations: [{ line: 1, column: 1 }],
})

/** Operations, each with answers of the subgraph that is asked first. */
const OPERATIONS: readonly { readonly query: string; readonly answers: Readonly<Record<string, unknown>> }[] =
  [
    {
      query: '{ me { id name score json next { id name } } }',
      answers: {
        'an object': { data: { me: { ...object(1), next: object(2) } } },
        'an error': { data: { me: null }, errors: [failed(['me'], 'x'.repeat(3000))] },
        'deep extensions': {
          data: { me: null },
          errors: [
            {
              message: 'a',
              extensions: JSON.parse(`${'{"code":'.repeat(300)}1${'}'.repeat(300)}`) as unknown,
            },
          ],
        },
        'only errors': { errors: [{ message: 'a' }] },
        'no data': {},
      },
    },
    {
      query: '{ nodes { __typename id ... on T1 { name json } ... on T11 { peers { name } } } }',
      answers: {
        'a list': { data: { nodes: many(20, object) } },
        'a long list': { data: { nodes: many(3000, object) } },
        'wrong types': {
          data: {
            nodes: many(50, (n) => ({ __typename: n % 2 === 0 ? 'T9999' : 7, id: { a: 1 }, name: [1] })),
          },
        },
        'errors in a list': {
          data: { nodes: many(100, () => null) },
          errors: many(100, (n) => failed(['nodes', n, 'name'])),
        },
      },
    },
    {
      query: '{ stocked { id name stock twin { id name next { name } } } }',
      answers: {
        entities: {
          data: {
            stocked: many(20, (n) => ({
              __typename: 'T2',
              id: n,
              stock: n,
              twin: { __typename: 'T3', id: n },
            })),
          },
        },
        'the same entity': {
          data: {
            stocked: many(500, () => ({
              __typename: 'T2',
              id: 'same',
              stock: 1,
              twin: { __typename: 'T3', id: 'same' },
            })),
          },
        },
        'long keys': {
          data: {
            stocked: many(20, (n) => ({
              __typename: 'T2',
              id: `${'k'.repeat(1000)}${n}`,
              twin: { __typename: 'T3', id: '1' },
            })),
          },
        },
      },
    },
    {
      query: '{ cube { id name peers { id ... on T1 { name } } } }',
      answers: { 'lists in lists': { data: { cube: many(5, () => many(5, () => many(5, object))) } } },
    },
    {
      query:
        '{ me { id ... @defer { name json next { id name } } } stocked { id ... @defer(label: "a") { name stock twin { id ... @defer(label: "b") { name } } } } }',
      answers: {
        deferred: {
          data: {
            stocked: many(20, (n) => ({
              __typename: 'T2',
              id: n,
              stock: n,
              twin: { __typename: 'T3', id: n },
            })),
            me: object(1),
          },
        },
      },
    },
    {
      query: `{ ${many(100, (n) => `a${n}: me { name json }`).join(' ')} }`,
      answers: {
        aliases: { data: Object.fromEntries(many(100, (n) => [`a${n}`, object(1)]) as [string, unknown][]) },
      },
    },
  ]

/** The first line of an input is the number of the operation. */
const SEEDS: Seeds = {
  ...Object.fromEntries(
    OPERATIONS.flatMap(({ answers }, operation) =>
      Object.entries(answers).map(([name, body]) => [name, `${operation}\n${JSON.stringify(body)}`]),
    ),
  ),
  'exact numbers': '0\n{"data":{"me":{"id":12345678901234567890,"json":1e400}},"errors":[]}',
  'no JSON': '0\n<html>',
  escapes: `0\n{"data":{"me":{"json":"${'\\"'.repeat(5000)}"}}}`,
}

const WORDS = [
  'me',
  'data',
  'errors',
  'message',
  'path',
  'extensions',
  'code',
  '__typename',
  'T1',
  'T2',
].concat(['id', 'name', 'nodes', '__proto__', 'x'.repeat(100_000)])

export function answerTarget(ground: Ground): Target {
  return textTarget({
    name: 'answers',
    judgesTimes: true,
    seeds: SEEDS,
    words: WORDS,
    maxLength: MAX_ANSWER,
    bytesOf: (text) => Buffer.from(text).subarray(0, MAX_ANSWER),
    open: () => openAnswerArena(ground),
  })
}

const HEADERS = { accept: 'multipart/mixed, application/json' }

async function openAnswerArena({ startRouter, subgraphs }: Ground): Promise<Arena> {
  const router = await startRouter({ remembersOperations: true })
  const client = openClient(router.port)
  const ask = async (body: Buffer) => judgeAnswer(await client.post(body, HEADERS), router.takeErrors())
  return {
    thread: router.thread,
    attempt(bytes) {
      const end = bytes.indexOf('\n')
      const { query } = OPERATIONS[Number(bytes.subarray(0, end))] ?? { query: '{ me { id } }' }
      subgraphs.answer = bytes.subarray(end + 1)
      return router.thread.measure(() => ask(Buffer.from(JSON.stringify({ query }))))
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await router[Symbol.asyncDispose]()
    },
  }
}
