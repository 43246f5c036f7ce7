/**
 * A subgraph with two addresses, one of which is ill while a call of it is made a second time at the other
 * one. What comes of the ill one is dropped or is what clients get, and is never mixed with the other answer.
 */
import { isLongRun, sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { until } from '../support/router.ts'
import { answerWell, httpAnswer, type IllCall, IllSubgraph, REPORT } from './ill-subgraph.ts'
import { type IllWorld, ITEMS, startIllWorld } from './ill-world.ts'
import { ILLNESSES } from './illnesses.ts'

const QUERY = '{ items { id name } report { title } }'

type Pair = AsyncDisposable & {
  readonly world: IllWorld
  readonly ill: IllSubgraph
  readonly well: IllSubgraph
}

/** `more`: of the settings of subgraphs. */
async function startPair(more = ''): Promise<Pair> {
  await using stack = new AsyncDisposableStack()
  const ill = stack.use(await IllSubgraph.start())
  const well = stack.use(await IllSubgraph.start())
  const urls = `overrides: { stock: { urls: ['${ill.url}', '${well.url}'] } }`
  const hedge = 'hedge: { enabled: true, after: 1ms, budget: 0.5 }'
  const settings = `timeout: 60s, accept_encodings: [gzip], ${hedge}, ${urls} ${more}`
  const world = stack.use(await startIllWorld(settings))
  const parts = stack.move()
  return { world, ill, well, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

/** The code of the one error at the subgraph's field; null: its data are there. Those of the other are. */
async function codeOf({ world }: Pair): Promise<unknown> {
  const { json } = await world.ask(QUERY)
  const [error, ...others] = json.errors ?? []
  expect(others).toEqual([])
  expect(json.data).toEqual({ items: ITEMS, report: error === undefined ? REPORT : null })
  return error?.extensions['code'] ?? null
}

/** Both calls of a request, none of which is answered. */
async function bothAsked(pair: Pair) {
  const held = new Map<IllSubgraph, IllCall>()
  const hold = { asked: (call: IllCall) => void held.set(call.subgraph, call) }
  pair.ill.fallIll(hold)
  pair.well.fallIll(hold)
  const code = codeOf(pair)
  await until(() => held.size === 2, 'it is called at both')
  const [ill, well] = [held.get(pair.ill), held.get(pair.well)]
  if (ill === undefined || well === undefined) throw new Error('both were called')
  return { ill, well, code }
}

/** By what an answer begins with, the other one is waited for. */
const DROPPED =
  /^(?:re(?:sets (?:when|amid its h)|directs)|closes when|answers HTML with|speaks|answers 503|answers 429)/
const FAILURES = ILLNESSES.filter(
  ({ gives, isSilent, asked }) => typeof gives === 'string' && isSilent !== true && asked !== undefined,
)

/** `make test` and CI look at every third. */
const SAMPLED = sampled(FAILURES, isLongRun() ? 1 : 3)

describe('a subgraph with a second call in progress, whose other address', () => {
  it.each(SAMPLED)('$name, gives that answer or the other one', async ({ name, asked, gives }) => {
    await using pair = await startPair(', max_response_size: 1MiB')
    const { ill, well, code } = await bothAsked(pair)
    asked?.(ill)
    answerWell(well)
    expect(await code).toBeOneOf(DROPPED.test(name) ? [null] : [null, gives])
    // Nothing is left on the connections that the next calls get.
    pair.ill.recover()
    pair.well.recover()
    for (let request = 0; request < 5; request++) expect(await codeOf(pair)).toBeNull()
  })

  it.each([
    ['never answers', (): void => {}],
    ['sends half a head', ({ socket }: IllCall) => void socket.write('HTTP/1.1 200 OK\r\nx-slow: ')],
    ['sends interim answers', ({ socket }: IllCall) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n')],
  ])('%s, costs no answer, and keeps no connection', async (_, asked) => {
    await using pair = await startPair()
    pair.ill.fallIll({ asked })
    for (let request = 0; request < 10; request++) expect(await codeOf(pair)).toBeNull()
    await until(() => pair.ill.open.size === 0, 'all its calls are given up')
    expect(pair.world.events('subgraph.failed')).toEqual([])
  })

  it('answers when the other one has, is not heard', async () => {
    await using pair = await startPair()
    for (let request = 0; request < 5; request++) {
      const { ill, well, code } = await bothAsked(pair)
      answerWell(well)
      expect(await code).toBeNull()
      ill.socket.write(httpAnswer('{"data":{"report":{"title":"of another request"}}}'))
      pair.ill.recover()
      pair.well.recover()
      expect(await codeOf(pair)).toBeNull()
    }
  })
})

it('each of the two calls has limits for its phases', async () => {
  await using pair = await startPair(', first_byte_timeout: 200ms')
  const { code } = await bothAsked(pair)
  expect(await code).toBe('SUBGRAPH_TIMEOUT')
  await until(() => pair.ill.open.size + pair.well.open.size === 0, 'both are given up')
})
