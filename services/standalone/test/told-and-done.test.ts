/**
 * What the management API says about flags is what the router does: after every command of a random sequence,
 * a flag is answered with its own schema exactly when its state is `served`.
 */
import { readFile } from 'node:fs/promises'
import { CommandOutcome, FederatedGraphDetail, Problem } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Random } from '@switchyard/samples'
import { startStandalone } from '../src/standalone.ts'
import { createFolder } from './folder.ts'

const STEPS = Number(process.env['SWITCHYARD_TEST_STEPS'] ?? 25)
const FLAGS = ['one', 'two', 'both']
const MEMBERS: Record<string, string[]> = { one: ['a-next'], two: ['b-next'], both: ['a-next', 'b-next'] }

type Request = { readonly method: string; readonly path: string; readonly body?: object }

async function start() {
  const folder = await createFolder()
  const graph = { namespace: 'default', graph: 'shop' }
  const logger = createLogger({ name: 'test', level: 'silent' })
  const standalone = await startStandalone({ dataDir: folder, logger, registryPort: 0, routerPort: 0, graph })
  onTestFinished(() => standalone[Symbol.asyncDispose]())
  const key = (await readFile(standalone.apiKeyFile, 'utf8')).trim()
  const send = async ({ method, path, body }: Request): Promise<unknown> => {
    const response = await fetch(`${standalone.registryUrl}/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return response.json()
  }
  /** Null while the router serves nothing; else whether it chose the flag. */
  const chosen = async (flag: string): Promise<boolean | null> => {
    const response = await fetch(standalone.routerUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-feature-flag': flag },
      body: JSON.stringify({ query: '{ __typename }' }),
    })
    await response.body?.cancel()
    return response.status === 200 ? response.headers.get('x-feature-flag') === flag : null
  }
  return { send, chosen }
}

let serial = 0
const sdl = (field: string, isGood: boolean) => {
  serial += 1
  return `type Query { ${field}: ${isGood ? 'Int' : 'Missing'} ${field}${serial % 4}: Int }`
}

function nextRequest(random: Random, revision: number): Request {
  const flag = random.pick(FLAGS)
  const subgraph = random.pick(['a', 'b', 'a-next', 'b-next'])
  const [field = ''] = subgraph
  const url = 'http://127.0.0.1:9/graphql'
  const base = subgraph.endsWith('-next') ? { subgraph: field } : {}
  const publish = (isGood: boolean) => ({
    method: 'PUT',
    path: `subgraphs/default/${subgraph}/schema`,
    body: { sdl: sdl(field, isGood), routingUrl: url, ...base },
  })
  const created = { name: flag, featureSubgraphs: MEMBERS[flag], enabled: true }
  const pinned = Math.max(1, revision - random.pick([0, 1, 2, 3]))
  const builds: readonly Request[] = [
    { method: 'POST', path: 'graphs/default', body: { name: 'shop' } },
    { method: 'POST', path: 'feature-flags/default', body: created },
    { method: 'POST', path: `feature-flags/default/${flag}/enable`, body: {} },
    publish(true),
    publish(true),
    { method: 'PATCH', path: 'graphs/default/shop', body: { labelMatchers: [] } },
    { method: 'PATCH', path: `feature-flags/default/${flag}`, body: { labels: [] } },
    {
      method: 'PATCH',
      path: `feature-flags/default/${flag}`,
      body: { featureSubgraphs: MEMBERS[random.pick(FLAGS)] },
    },
    { method: 'DELETE', path: 'graphs/default/shop/pin' },
  ]
  const changes: readonly Request[] = [
    { method: 'POST', path: `feature-flags/default/${flag}/disable`, body: {} },
    publish(false),
    { method: 'PUT', path: 'graphs/default/shop/pin', body: { revision: pinned } },
    { method: 'PATCH', path: `subgraphs/default/${subgraph}`, body: { routingUrl: `${url}/${serial}` } },
    { method: 'PATCH', path: `feature-flags/default/${flag}`, body: { labels: ['x=y'] } },
  ]
  const losses: readonly Request[] = [
    { method: 'DELETE', path: `feature-flags/default/${flag}` },
    { method: 'DELETE', path: `subgraphs/default/${subgraph}` },
    { method: 'DELETE', path: 'graphs/default/shop' },
    { method: 'PATCH', path: 'graphs/default/shop', body: { labelMatchers: ['x=y'] } },
  ]
  return random.pick(random.pick([builds, builds, builds, builds, changes, changes, changes, losses]))
}

/** Sequences in which flags are served at times. */
const seeds = (process.env['SWITCHYARD_TEST_SEEDS'] ?? '2,3').split(',').map(Number)

describe('after any sequence of commands', () => {
  it.each(seeds)(
    'a flag is served exactly when its state says so (seed %i)',
    async (seed) => {
      const { send, chosen } = await start()
      const random = new Random(seed)
      const done: string[] = []
      let revision = 1
      let served = 0
      for (const name of ['a', 'b', 'a-next', 'b-next']) {
        const base = name.endsWith('-next') ? { subgraph: name.slice(0, 1) } : {}
        const body = { sdl: sdl(name.slice(0, 1), true), routingUrl: 'http://127.0.0.1:9/graphql', ...base }
        await send({ method: 'PUT', path: `subgraphs/default/${name}/schema`, body })
      }
      await send({ method: 'POST', path: 'graphs/default', body: { name: 'shop' } })
      for (const name of FLAGS) {
        const body = { name, featureSubgraphs: MEMBERS[name], enabled: true }
        await send({ method: 'POST', path: 'feature-flags/default', body })
      }
      while (done.length < STEPS) {
        const request = nextRequest(random, revision)
        const reply = await send(request)
        const outcome = CommandOutcome.safeParse(reply)
        if (!outcome.success) {
          Problem.parse(reply)
          continue
        }
        if (!outcome.data.changed) continue
        const { message, pending, routers } = outcome.data
        done.push(`${request.method} ${request.path} ${JSON.stringify(request.body)}: ${message}`)
        const where = done.join('\n')
        expect(pending, where).toBe(false)
        expect(routers.serving, where).toBeLessThanOrEqual(routers.total)
        await vi.waitFor(async () => {
          const graph = FederatedGraphDetail.safeParse(
            await send({ method: 'GET', path: 'graphs/default/shop' }),
          )
          const states = new Map(graph.data?.featureFlags.map(({ name, state }) => [name, state]))
          expect([...states.values()], where).not.toContain('pending')
          // A router whose graph was deleted serves what it has until there is something else.
          if (graph.data === undefined || graph.data.revision === null) return
          ;({ revision } = graph.data)
          for (const flag of FLAGS) {
            const state = states.get(flag)
            expect(await chosen(flag), `${flag}: ${state}\n${where}`).toBe(state === 'served')
            if (state === 'served') served += 1
          }
        }, PATIENTLY)
      }
      expect(served, done.join('\n')).toBeGreaterThan(0)
    },
    STEPS * 35_000,
  )
})
