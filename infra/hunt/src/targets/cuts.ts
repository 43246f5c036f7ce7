/**
 * How input is cut, at every entrance: requests of clients, answers of subgraphs, publishes. An input says
 * how many bytes come in how many pieces; what the bytes say is always valid, so that it must be answered
 * unless there are too many pieces.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCertificate, waitFor } from '@switchyard/testkit'
import { PIECES } from '@switchyard/service-kit/gathered-pieces'
import { type Arbitrary, array, boolean, constantFrom, integer, oneof, record } from 'fast-check'
import { z } from 'zod'
import { type Cut, MOST_CONNECTIONS, MOST_FILL, piecesOf, type Run } from '../cutting/cut.ts'
import {
  type CuttingSubgraphs,
  startCuttingSubgraphs,
  type SubgraphName,
  SUBGRAPHS,
} from '../cutting/cutting-subgraphs.ts'
import { type CutAnswer, type CutRequest, sendHttp1, sendHttp2 } from '../cutting/send-cut.ts'
import { startMeasuredRouter } from '../measuring/measured-router.ts'
import { MeasuredThread } from '../measuring/measured-thread.ts'
import type { Arena, Outcome, Target } from './target.ts'

const CLIENT_ENTRANCES = ['chunks', 'packets', 'head', 'data frames', 'header frames'] as const
const ROUTER_ENTRANCES: readonly string[] = [
  ...CLIENT_ENTRANCES,
  ...SUBGRAPHS.map((name) => `answer: ${name}`),
]
const REGISTRY_ENTRANCES: readonly string[] = ['publish: chunks', 'publish: packets', 'publish: head']

const run = (size: number, count: number, isApart = false): Run => ({ size, count, isApart })
const cut = (entrance: string, connections: number, fill: number, ...runs: readonly Run[]): Cut => ({
  entrance,
  connections,
  fill,
  runs,
})

/**
 * Returns seeds that come uncut, in small pieces, in packets of one byte, and in more pieces than any limit
 * allows, on one connection and on several.
 */
function seedsOf(entrances: readonly string[]): Target['seeds'] {
  const cuts = entrances.flatMap((entrance) => [
    cut(entrance, 1, 0),
    cut(entrance, 1, 1000, run(1, 100), run(100, 5)),
    cut(entrance, 1, 100, run(1, 60, true)),
    cut(entrance, 1, 20_000, run(1, 20_000)),
    cut(entrance, 4, 60_000, run(1, 60_000)),
  ])
  return Object.fromEntries(cuts.map((each, index) => [`${each.entrance} ${index % 5}`, bytesOf(each)]))
}

function bytesOf(input: Cut): Buffer {
  return Buffer.from(JSON.stringify(input))
}

/** Limits are near some of these numbers. */
const usual = constantFrom(1, 2, 3, 4, 7, 31, 33, 100, 1000, 4095, 4097, 8191, 10_000, 60_000)
/** More than any limit of a body, so that runs go on to its end. */
const MOST_OF_RUN = 100_000
const runs = array(
  record({
    size: oneof(usual, integer({ min: 1, max: 200 })),
    count: oneof(usual, integer({ min: 1, max: MOST_OF_RUN })),
    isApart: boolean(),
  }),
  { maxLength: 20 },
)

function drawnCuts(entrances: readonly string[]): Arbitrary<Cut> {
  return record({
    entrance: constantFrom(...entrances),
    connections: oneof({ arbitrary: constantFrom(1), weight: 3 }, integer({ min: 2, max: MOST_CONNECTIONS })),
    fill: oneof(usual, integer({ min: 0, max: MOST_FILL })),
    runs,
  })
}

const CutInput = z.object({
  entrance: z.string(),
  connections: z.number(),
  fill: z.number(),
  runs: z.array(z.object({ size: z.number(), count: z.number(), isApart: z.boolean() })),
})

type CutTarget = {
  readonly name: string
  readonly entrances: readonly string[]
  readonly open: () => Promise<CutArena>
}

/** A running program, and how inputs are sent to its entrances. */
type CutArena = AsyncDisposable & {
  readonly thread: MeasuredThread
  /** Sends a cut once. */
  send(cut: Cut): Promise<Sent>
}

type Sent = CutAnswer & {
  /** True if the answer is the one to bytes that were understood. */
  readonly isRight: boolean
  /** True if the answer has to be the same as to an input that is not cut. */
  readonly mustBeRight: boolean
}

function cutTarget({ name, entrances, open }: CutTarget): Target {
  return {
    name,
    judgesTimes: true,
    seeds: seedsOf(entrances),
    drawn: drawnCuts(entrances).map(bytesOf),
    async open(): Promise<Arena> {
      const arena = await open()
      return {
        thread: arena.thread,
        attempt: (bytes) => {
          const input = CutInput.parse(JSON.parse(bytes.toString('utf8')))
          return arena.thread.measure(async () => outcomeOf(input, await sendOnAll(arena, input)))
        },
        [Symbol.asyncDispose]: () => arena[Symbol.asyncDispose](),
      }
    },
  }
}

function sendOnAll(arena: CutArena, input: Cut): Promise<readonly Sent[]> {
  return Promise.all(Array.from({ length: input.connections }, () => arena.send(input)))
}

function outcomeOf({ entrance }: Cut, all: readonly Sent[]): Outcome {
  const wrong = all.find(({ isRight, mustBeRight }) => mustBeRight && !isRight)
  const fault = all.find(
    ({ status }) => status === 'no answer' || (status.startsWith('5') && status !== '503'),
  )
  const bad = wrong ?? fault
  const endings = new Set(all.map(({ status, isRight }) => `${status}${isRight ? '' : ', refused'}`))
  return {
    name: `${entrance}: ${[...endings].sort().join(' ')}`,
    bytesOut: all.reduce((sum, { bytes }) => sum + bytes, 0),
    complaint:
      bad === undefined ? null : `It was answered ${bad.status} ${JSON.stringify(bad.body.slice(0, 300))}.`,
  }
}

/** True if the bytes come in so few pieces that they must be understood. */
function isAllowed(bytes: Buffer, runs: readonly Run[]): boolean {
  return piecesOf(bytes, runs).length <= PIECES.any
}

const JSON_TYPE = ['content-type', 'application/json'] as const
/** Bytes of a head that routers and registries must accept: a quarter of their limits. */
const HEAD = 4000
/** Bytes of a body that a stream of HTTP/2 takes before anybody has read of it. */
const WINDOW = 60_000
/** Frames of one block of headers that nghttp2 accepts. */
const CONTINUATIONS = 8

/** `fill` as a header, in the head of a request. */
function headOf(fill: number): CutRequest['headers'] {
  return fill === 0 ? [JSON_TYPE] : [JSON_TYPE, ['x-fill', 'v'.repeat(fill)]]
}

export const ROUTER_CUTS = cutTarget({
  name: 'cuts',
  entrances: ROUTER_ENTRANCES,
  open: openRouter,
})

const SUPERGRAPH = (urls: Readonly<Record<SubgraphName, string>>) => `
  schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
  directive @link(url: String, for: link__Purpose) repeatable on SCHEMA
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__type(graph: join__Graph!) repeatable on OBJECT
  directive @join__field(graph: join__Graph) repeatable on FIELD_DEFINITION
  enum link__Purpose { EXECUTION }
  enum join__Graph { ${SUBGRAPHS.map((name) => `${name.toUpperCase()} @join__graph(name: "${name}", url: "${urls[name]}")`).join(' ')} }
  type Query ${SUBGRAPHS.map((name) => `@join__type(graph: ${name.toUpperCase()})`).join(' ')} {
    ${SUBGRAPHS.map((name) => `${name}: String @join__field(graph: ${name.toUpperCase()})`).join(' ')}
  }`

async function openRouter(): Promise<CutArena> {
  await using parts = new AsyncDisposableStack()
  const certificate = createCertificate()
  const subgraphs = parts.use(await startCuttingSubgraphs(certificate))
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-hunt-cuts-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const files = { supergraph: join(folder, 'supergraph.graphql'), ca: join(folder, 'ca.crt') }
  const urlOf = (name: SubgraphName) =>
    `${name === 'secure' ? 'https' : 'http'}://127.0.0.1:${subgraphs.ports[name]}/`
  await writeFile(files.ca, certificate.cert)
  await writeFile(
    files.supergraph,
    SUPERGRAPH({ plain: urlOf('plain'), secure: urlOf('secure'), framed: urlOf('framed') }),
  )
  const settings = `
access_log: { enabled: false }
subgraphs: { overrides: { secure: { tls: { ca_file: ${files.ca} } }, framed: { http2: true } } }
`
  const router = parts.use(await startMeasuredRouter({ supergraph: files.supergraph, settings }))
  const all = parts.move()
  return {
    thread: router.thread,
    send: (input) => sendToRouter(router.port, subgraphs, input),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const QUERY = '{"query":"{ __typename }"}'
const ANSWER = '"__typename":"Query"'

async function sendToRouter(port: number, subgraphs: CuttingSubgraphs, cut: Cut): Promise<Sent> {
  const { entrance, fill, runs } = cut
  const request = { port, method: 'POST', path: '/graphql', headers: [JSON_TYPE], runs } as const
  const body = (spaces: number) => Buffer.from(QUERY + ' '.repeat(spaces))
  const judged = (answer: CutAnswer, mustBeRight: boolean): Sent => ({
    ...answer,
    isRight: answer.body.includes(ANSWER),
    mustBeRight,
  })
  switch (entrance) {
    case 'chunks':
    case 'packets': {
      const sent = { ...request, body: body(fill) }
      return judged(await sendHttp1(sent, entrance), isAllowed(sent.body, runs))
    }
    case 'head': {
      const sent = { ...request, headers: headOf(fill), body: body(0) }
      return judged(await sendHttp1(sent, 'head'), fill <= HEAD)
    }
    case 'data frames': {
      const sent = { ...request, body: body(Math.min(fill, WINDOW)) }
      return judged(await sendHttp2(sent, 'data'), isAllowed(sent.body, runs))
    }
    case 'header frames': {
      const sent = { ...request, headers: headOf(Math.min(fill, 100)), body: body(0) }
      const isUncut = runs.length === 0 || piecesOf(Buffer.alloc(200), runs).length < CONTINUATIONS
      return judged(await sendHttp2(sent, 'headers'), isUncut)
    }
    default:
      return askForCutAnswer(port, subgraphs, cut)
  }
}

async function askForCutAnswer(port: number, subgraphs: CuttingSubgraphs, cut: Cut): Promise<Sent> {
  const { entrance, fill, runs } = cut
  const name = SUBGRAPHS.find((known) => entrance === `answer: ${known}`) ?? 'plain'
  const body = Buffer.from(`{"data":{"${name}":"x"}}${' '.repeat(Math.min(fill, WINDOW))}`)
  subgraphs.reply = { body, runs }
  const answer = await sendHttp1(
    {
      port,
      method: 'POST',
      path: '/graphql',
      headers: [JSON_TYPE],
      body: Buffer.from(JSON.stringify({ query: `{ ${name} }` })),
      runs: [],
    },
    'packets',
  )
  return { ...answer, isRight: answer.body.includes(`"${name}":"x"`), mustBeRight: isAllowed(body, runs) }
}

export const REGISTRY_CUTS = cutTarget({
  name: 'publishes',
  entrances: REGISTRY_ENTRANCES,
  open: openRegistry,
})

const API_KEY = 'key-of-the-hunt-for-cuts'
const Ready = z.object({ port: z.number(), dataDir: z.string() })
const PUBLISH = JSON.stringify({ sdl: 'type Query { a: Int }', routingUrl: 'http://a.test/' })

async function openRegistry(): Promise<CutArena> {
  await using parts = new AsyncDisposableStack()
  const started = await MeasuredThread.start(new URL('../measuring/registry-thread.ts', import.meta.url), {
    apiKey: API_KEY,
  })
  const { port, dataDir } = Ready.parse(started.ready)
  parts.defer(() => rm(dataDir, { recursive: true, force: true }))
  const thread = parts.use(started.thread)
  await waitFor('the registry to be ready', async () => {
    const { ok, body } = await fetch(`http://127.0.0.1:${port}/health/ready`)
    await body?.cancel()
    return ok
  })
  const all = parts.move()
  return {
    thread,
    send: (input) => sendToRegistry(port, input),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function sendToRegistry(port: number, { entrance, fill, runs }: Cut): Promise<Sent> {
  const part = entrance === 'publish: head' ? 'head' : entrance === 'publish: packets' ? 'packets' : 'chunks'
  const body = Buffer.from(PUBLISH + ' '.repeat(part === 'head' ? 0 : fill))
  const request = {
    port,
    method: 'PUT',
    path: '/v1/subgraphs/default/a/schema?wait=0',
    headers: [['authorization', `Bearer ${API_KEY}`] as const, ...headOf(part === 'head' ? fill : 0)],
    body,
    runs,
  }
  const answer = await sendHttp1(request, part)
  const mustBeRight = part === 'head' ? fill <= HEAD : isAllowed(body, runs)
  return { ...answer, isRight: answer.status.startsWith('2'), mustBeRight }
}
