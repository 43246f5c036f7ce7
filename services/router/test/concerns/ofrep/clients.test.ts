/** OpenFeature SDKs and providers of OFREP as their authors publish them, against real routers. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature as ServerOpenFeature } from '@openfeature/server-sdk'
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../../support/config-world.ts'
import { rollout } from '../../support/rollouts.ts'
import { post, until } from '../../support/router.ts'
import { startRouterProcess } from '../../support/router-process.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { ANN, BEN, serving, type Served, SETTINGS } from './serving.ts'

const QUERY = { query: '{ version }' }

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())
afterEach(async () => {
  await OpenFeature.clearProviders()
  await ServerOpenFeature.clearProviders()
})

type Header = [name: string, value: string]
const headersOf = (headers: Record<string, string>): Header[] => Object.entries(headers)

/** Remembers the statuses of its answers. */
function recordingFetch() {
  const statuses: number[] = []
  const recorded = async (...request: Parameters<typeof fetch>) => {
    const response = await fetch(...request)
    statuses.push(response.status)
    return response
  }
  return { fetch: recorded, statuses }
}

/** A client of the SDK for pages, whose provider is ready. */
async function pageClient(url: string, headers: Record<string, string>) {
  const { fetch: fetchImplementation, statuses } = recordingFetch()
  const options = {
    baseUrl: url,
    cacheMode: 'disabled',
    pollInterval: 30,
    headers: headersOf(headers),
  } as const
  const provider = new OFREPWebProvider({ ...options, fetchImplementation })
  // Its optional members may be undefined, which the types of the SDK exclude.
  await OpenFeature.setProviderAndWait(Object.assign(provider, { hooks: [] }))
  return { client: OpenFeature.getClient(), statuses }
}

/** A client of the SDK for servers. */
async function serverClient({ router }: Served, headers: Record<string, string>) {
  await ServerOpenFeature.setProviderAndWait(
    new OFREPProvider({ baseUrl: router.url, headers: headersOf(headers) }),
  )
  return ServerOpenFeature.getClient()
}

describe('the provider for pages', () => {
  it.each([
    ['inside of a percentage', ANN, { value: true, variant: 'on', reason: 'SPLIT' }],
    ['outside of it', BEN, { value: false, variant: 'off', reason: 'SPLIT' }],
    [
      'that names a flag',
      { ...BEN, 'x-feature-flag': 'next' },
      { value: true, variant: 'on', reason: 'STATIC' },
    ],
  ])('tells a user %s what GraphQL answers', async (_, headers, expected) => {
    await using served = await serving(shop, [rollout()])
    const { client } = await pageClient(served.router.url, headers)
    const fallback = !expected.value
    expect(client.getBooleanDetails('next', fallback)).toMatchObject(expected)
    const { headers: got } = await post(served.router, QUERY, headers)
    expect(got['x-feature-flag'] === 'next').toBe(expected.value)
  })

  it('knows no flag that is not listed', async () => {
    await using served = await serving(shop, [rollout({ flag: 'other', percent: 100, key: [] })])
    const { client } = await pageClient(served.router.url, {})
    expect(client.getBooleanDetails('other', false)).toMatchObject({
      value: false,
      errorCode: 'FLAG_NOT_FOUND',
    })
    expect(client.getBooleanDetails('gone', true)).toMatchObject({ value: false, reason: 'DISABLED' })
    expect(client.getStringDetails('next', 'x')).toMatchObject({ value: 'x', errorCode: 'TYPE_MISMATCH' })
  })

  it('polls a real process with the tag of its answer, and hears of a change', async () => {
    await using world = await ConfigWorld.create()
    const flags = { next: shop.flag }
    await world.publish({ revision: 1, base: shop.base, flags, rollouts: [rollout()] })
    await using router = await startRouterProcess(world, `${SETTINGS}\nconfig: { poll_interval: 100ms }`)
    const { client, statuses } = await pageClient(router.url, ANN)
    const changes: (readonly string[])[] = []
    client.addHandler(ProviderEvents.ConfigurationChanged, (event) => {
      changes.push(event?.flagsChanged ?? [])
    })
    expect(client.getBooleanValue('next', false)).toBe(true)
    await until(() => statuses.filter((status) => status === 304).length >= 2, 'nothing has changed')
    expect([statuses[0], changes]).toEqual([200, []])
    await world.publish({ revision: 2, base: shop.base, flags, rollouts: [rollout({ percent: 0 })] })
    await until(() => changes.length > 0, 'the change is heard of')
    expect([changes.flat(), client.getBooleanDetails('next', true)]).toEqual([
      ['next'],
      expect.objectContaining({ value: false, reason: 'SPLIT' }),
    ])
    expect((await post(router, QUERY, ANN)).headers['x-feature-flag']).toBeUndefined()
  })
})

describe('the provider for servers', () => {
  it('tells what GraphQL answers, and what is wrong', async () => {
    await using served = await serving(shop, [rollout()])
    const ann = await serverClient(served, ANN)
    expect(await ann.getBooleanDetails('next', false)).toMatchObject({ value: true, reason: 'SPLIT' })
    expect(await ann.getBooleanDetails('other', false)).toMatchObject({
      value: false,
      errorCode: 'FLAG_NOT_FOUND',
    })
    // The context is not who asks.
    const ben = await serverClient(served, BEN)
    const context = { targetingKey: ANN['x-user'], 'x-user': ANN['x-user'] }
    expect(await ben.getBooleanDetails('next', true, context)).toMatchObject({ value: false, variant: 'off' })
    const named = await serverClient(served, { 'x-feature-flag': 'next' })
    expect(await named.getBooleanDetails('next', false)).toMatchObject({ value: true, reason: 'STATIC' })
  })

  it('waits as long as the router says when there are too many requests', async () => {
    const settings = 'rate_limits: { rules: [{ name: all, limit: 1, per: 1h, key: [] }] }'
    await using served = await serving(shop, [], { settings })
    const client = await serverClient(served, {})
    expect(await client.getBooleanDetails('next', true)).toMatchObject({ value: false, reason: 'DEFAULT' })
    const refused = await client.getBooleanDetails('next', true)
    expect([refused.value, refused.errorMessage]).toEqual([
      true,
      expect.stringMatching(/^rate limit exceeded/),
    ])
    const paused = await client.getBooleanDetails('next', true)
    expect(paused.errorMessage).toMatch(/^OFREP evaluation paused due to TooManyRequests until /)
    const asked = served.router.logs.filter(({ event }) => event === 'request.answered')
    expect(asked.length).toBeLessThanOrEqual(2)
  })
})

describe('the example of docs/ofrep.md', () => {
  it('prints which catalogue the router answers with', async () => {
    const page = readFileSync(new URL('../../../../../docs/ofrep.md', import.meta.url), 'utf8')
    const example = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
    expect(example).toContain('https://graphql.shop.example')
    const settings = SETTINGS.replace('gone', 'new-catalogue')
    await using world = await ConfigWorld.create()
    const flags = { 'new-catalogue': shop.flag }
    const rollouts = [rollout({ flag: 'new-catalogue', percent: 100, key: [] })]
    await world.publish({ revision: 1, base: shop.base, flags, rollouts })
    await using router = await startRouterProcess(world, settings)
    const program = example.replace('https://graphql.shop.example', router.url)
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const printed: string[] = []
    for await (const line of createInterface(child.stdout)) {
      printed.push(line)
      child.kill()
    }
    expect(printed).toEqual(['the new catalogue'])
  })
})
