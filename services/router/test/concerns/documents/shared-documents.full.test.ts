/** Routers that share the documents that clients add, in one Redis, which goes away and comes back. */
import { redisServerAvailable, type SpawnedServer, startRedisServer } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../../support/config-world.ts'
import { sha256 } from '../../support/manifests.ts'
import { post, type Reply, routerOn, send, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const apq = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256(text) } })
const outcome = ({ json }: Reply): unknown =>
  json.errors?.[0]?.extensions['code'] ?? Object.keys(json.data ?? {})[0]
const NOT_FOUND = 'PERSISTED_QUERY_NOT_FOUND'
/** Redis is waited for: a machine with other work may answer later than the usual limit. */
const PATIENT = 60_000

describe.skipIf(!redisServerAvailable())('routers that share documents in Redis', () => {
  const stack = new AsyncDisposableStack()
  let shop: Shop
  let world: ConfigWorld
  beforeAll(async () => {
    shop = stack.use(await startShop())
    world = stack.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: shop.base })
  })
  afterAll(() => stack.disposeAsync())

  async function routersOn(redis: SpawnedServer, count: number, redisTimeout = 250): Promise<TestRouter[]> {
    const settings = `documents: { apq: { enabled: true, redis: { url: "${redis.url}", prefix: test } } }`
    const routers: TestRouter[] = []
    for (let index = 0; index < count; index++)
      routers.push(
        stack.use(await routerOn(world, { settings, overrides: { redisTimeout }, instance: `r${index}` })),
      )
    await Promise.all(routers.map(({ ready }) => ready))
    return routers
  }
  const known = async (router: TestRouter, query: string) =>
    outcome(await post(router, { extensions: apq(query) }))

  it('know at each what was sent to one, by POST and by GET', async () => {
    await using redis = await startRedisServer()
    const [first, second, third] = await routersOn(redis, 3, PATIENT)
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('three were started')
    const query = 'query Sent { version } # "é 🦊"'
    expect(await known(second, query)).toBe(NOT_FOUND)
    expect(outcome(await post(first, { query, extensions: apq(query) }))).toBe('version')
    await until(async () => (await known(second, query)) === 'version', 'the second one knows it')
    const search = new URLSearchParams({ extensions: JSON.stringify(apq(query)) })
    expect(outcome(await send(`${third.graphqlUrl}?${search}`))).toBe('version')
    const [late] = await routersOn(redis, 1, PATIENT)
    if (late === undefined) throw new Error('one was started')
    expect(await known(late, query)).toBe('version')
    expect(await known(late, '{ other: version }')).toBe(NOT_FOUND)
  })

  it('answer as one alone while Redis is away, and share again when it is back', async () => {
    await using redis = await startRedisServer()
    const [first, second] = await routersOn(redis, 2, 200)
    if (first === undefined || second === undefined) throw new Error('two were started')
    process.kill(redis.pid, 'SIGSTOP')
    const query = '{ version } # while it is away'
    expect(await known(second, query)).toBe(NOT_FOUND)
    expect(outcome(await post(first, { query, extensions: apq(query) }))).toBe('version')
    expect(await known(first, query)).toBe('version')
    const isAway = () => second.logs.some(({ event }) => event === 'documents.shared-away')
    for (let count = 0; !isAway(); count++)
      expect(await known(second, `{ a${count}: version }`)).toBe(NOT_FOUND)
    process.kill(redis.pid, 'SIGCONT')
    const after = '{ version } # when it is back'
    await until(async () => {
      // What was sent while it was away is not written later: another text is sent.
      const text = `${after} ${Math.random()}`
      await post(first, { query: text, extensions: apq(text) })
      return (await known(second, text)) === 'version'
    }, 'documents are shared again')
    expect(second.logs.some(({ event }) => event === 'documents.shared-back')).toBe(true)
  })

  it('work without it: absent at the start, and killed', async () => {
    await using absent = await startRedisServer()
    await absent.stop()
    const [alone] = await routersOn(absent, 1)
    if (alone === undefined) throw new Error('one was started')
    const query = '{ version } # alone'
    expect(await known(alone, query)).toBe(NOT_FOUND)
    expect(outcome(await post(alone, { query, extensions: apq(query) }))).toBe('version')
    expect(await known(alone, query)).toBe('version')
    await using redis = await startRedisServer()
    const [router] = await routersOn(redis, 1, PATIENT)
    if (router === undefined) throw new Error('one was started')
    expect(await known(router, query)).toBe(NOT_FOUND)
    process.kill(redis.pid, 'SIGKILL')
    expect(await known(router, '{ version } # killed')).toBe(NOT_FOUND)
    expect(outcome(await post(router, { query, extensions: apq(query) }))).toBe('version')
  })

  it('know the documents of lists of operations', async () => {
    await using redis = await startRedisServer()
    const settings = `
documents: { apq: { enabled: true, redis: { url: "${redis.url}" } } }
batching: { enabled: true }
`
    const [first, second] = [
      stack.use(await routerOn(world, { settings, instance: 'a' })),
      stack.use(await routerOn(world, { settings, instance: 'b' })),
    ]
    await Promise.all([first.ready, second.ready])
    const texts = ['{ version } # one', '{ version } # two']
    for (const query of texts) await post(first, { query, extensions: apq(query) })
    const list = [...texts, '{ version } # unknown'].map((query) => ({ extensions: apq(query) }))
    await until(async () => {
      const { text } = await send(second.graphqlUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(list),
      })
      const answers: Reply['json'][] = JSON.parse(text)
      const codes = answers.map(({ data, errors }) => data?.['version'] ?? errors?.[0]?.extensions['code'])
      return codes.join() === `products,products,${NOT_FOUND}`
    }, 'both are known, and the third is not')
  })
})
