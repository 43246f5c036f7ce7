/** Flags as clients ask for them by OFREP: what they are told is what they get by GraphQL. */
import { connect } from 'node:http2'
import type { ManifestRollout } from '@switchyard/contracts'
import { recordMetrics, recordSpans } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../../src/config/router-config.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { issueTokens } from '../../support/issued-tokens.ts'
import { rollout, untilServed, usersOf } from '../../support/rollouts.ts'
import { post, routerOn, send, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { ANN, ask, BEN, flagsOf, FLAGS, serving, SETTINGS, told } from './serving.ts'

const QUERY = { query: '{ version }' }

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

describe('the answer for all flags', () => {
  it.each<[string, Record<string, string>, readonly string[]]>([
    ['inside of the percentage', ANN, ['next on SPLIT', 'broken off DISABLED', 'gone off DISABLED']],
    ['outside of the percentage', BEN, ['next off SPLIT', 'broken off DISABLED', 'gone off DISABLED']],
    ['without a key', {}, ['next off DEFAULT', 'broken off DISABLED', 'gone off DISABLED']],
    [
      'that names a flag by header',
      { ...BEN, 'x-feature-flag': 'next' },
      ['next on STATIC', 'broken off DISABLED', 'gone off DISABLED'],
    ],
    [
      'that names a flag by cookie',
      { ...BEN, cookie: 'feature_flag=next' },
      ['next on STATIC', 'broken off DISABLED', 'gone off DISABLED'],
    ],
    [
      'that names an unknown flag',
      { ...ANN, 'x-feature-flag': 'nothing' },
      ['next off STATIC', 'broken off DISABLED', 'gone off DISABLED'],
    ],
    [
      'that names a flag which is not listed',
      { ...ANN, 'x-feature-flag': 'other' },
      ['next off STATIC', 'broken off DISABLED', 'gone off DISABLED'],
    ],
  ])('to a request %s', async (_, headers, expected) => {
    await using served = await serving(shop, [rollout()])
    const all = await ask(served.router, { headers })
    expect([all.status, all.headers['content-type'], told(all)]).toEqual([
      200,
      'application/json; charset=utf-8',
      expected,
    ])
    const one = await ask(served.router, { headers, path: '/next' })
    expect([one.status, JSON.parse(one.text)]).toEqual([200, JSON.parse(all.text).flags[0]])
    expect(all.headers['x-feature-flag']).toBeUndefined()
    expect(Object.keys(JSON.parse(one.text))).toEqual(['key', 'value', 'variant', 'reason'])
  })

  it('says that whole audiences get a flag, and which rollout decides nothing about the others', async () => {
    const rollouts = [rollout({ flag: 'other', percent: 100, key: [] }), rollout({ name: 'second' })]
    await using served = await serving(shop, rollouts)
    expect(told(await ask(served.router, { headers: ANN }))[0]).toBe('next off DEFAULT')
    await using whole = await serving(shop, [rollout({ percent: 100, key: [] })])
    expect(told(await ask(whole.router))[0]).toBe('next on TARGETING_MATCH')
  })

  it('has a tag, and nothing but the tag for who has the answer', async () => {
    await using served = await serving(shop, [rollout()])
    const { router } = served
    const first = await ask(router, { headers: ANN })
    const tag = first.headers.etag ?? ''
    expect(tag).toMatch(/^W\/"[\w-]+"$/)
    for (const known of [tag, `"x", ${tag}`, '*']) {
      const again = await ask(router, { headers: { ...ANN, 'if-none-match': known } })
      expect([again.status, again.text, again.headers.etag, again.headers['cache-control']]).toEqual([
        304,
        '',
        tag,
        'no-store',
      ])
    }
    expect((await ask(router, { headers: { ...BEN, 'if-none-match': tag } })).status).toBe(200)
    const rollouts = [rollout({ percent: 0 })]
    await served.world.publish({ revision: 2, base: shop.base, flags: flagsOf(shop), rollouts })
    await untilServed(router, 2)
    const changed = await ask(router, { headers: { ...ANN, 'if-none-match': tag } })
    expect([changed.status, told(changed)[0]]).toEqual([200, 'next off SPLIT'])
  })
})

describe('what a client is told', () => {
  const { inside, outside } = usersOf(50, 20)
  const RANDOM: readonly ManifestRollout[] = [
    rollout({
      name: 'named',
      flag: 'other',
      percent: 100,
      key: [],
      where: [{ on: 'header:X-Plan', equals: 'pro' }],
    }),
    rollout({
      name: 'broken',
      flag: 'broken',
      percent: 100,
      key: [],
      where: [{ on: 'cookie:beta', exists: true }],
    }),
    rollout({ name: 'client', percent: 100, key: [], where: [{ on: 'client', equals: 'app' }] }),
    rollout(),
  ]

  it('is what it gets by GraphQL with the same headers', async () => {
    const settings = 'ofrep: { enabled: true, flags: [next, other, broken] }'
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, flags: flagsOf(shop), rollouts: RANDOM })
    await using router = await routerOn(world, { settings })
    await router.ready
    const users = [...inside, ...outside, ''].map((user) => (user === '' ? {} : { 'x-user': user }))
    const more = [
      {},
      { 'x-plan': 'pro' },
      { cookie: 'beta=1' },
      { 'apollographql-client-name': 'app' },
      { 'x-feature-flag': 'other' },
      { 'x-feature-flag': 'gone', cookie: 'feature_flag=next' },
      { cookie: 'feature_flag=next' },
    ]
    let count = 0
    for (const user of users)
      for (const added of more) {
        const headers = { ...user, ...added }
        const [asked, got] = await Promise.all([ask(router, { headers }), post(router, QUERY, headers)])
        const on = told(asked).filter((line) => line.includes(' on '))
        expect([headers, on.map((line) => line.split(' ', 1)[0])]).toEqual([
          headers,
          [got.headers['x-feature-flag']].filter((flag) => flag !== undefined),
        ])
        count += on.length
      }
    expect(count).toBeGreaterThan(users.length)
  })

  it('comes of the claims of its token', async () => {
    await using tokens = await issueTokens({ ann: { sub: ANN['x-user'] }, ben: { sub: BEN['x-user'] } })
    const rollouts = [rollout({ key: ['claim:sub'] })]
    await using served = await serving(shop, rollouts, { settings: `authentication: ${tokens.settings}` })
    const asked = async (headers: Record<string, string>) => told(await ask(served.router, { headers }))[0]
    expect(await asked(tokens.headersOf('ann'))).toBe('next on SPLIT')
    expect(await asked(tokens.headersOf('ben'))).toBe('next off SPLIT')
    expect(await asked({ ...ANN, sub: ANN['x-user'] })).toBe('next off DEFAULT')
  })

  it('is base while the composition of the flag of a rollout is not built', async () => {
    await using world = await ConfigWorld.create()
    const rollouts = [rollout({ percent: 100, key: [] })]
    await world.publish({ revision: 1, base: shop.base, flags: flagsOf(shop), rollouts })
    await using router = await routerOn(world, {
      settings: `${SETTINGS}\nflags: { max_built_size: 1, build_ahead: false }`,
    })
    await router.ready
    expect(told(await ask(router))[0]).toBe('next off DEFAULT')
    expect((await post(router, QUERY)).headers['x-feature-flag']).toBeUndefined()
    // Asking builds nothing, and a request that names the flag does.
    expect(told(await ask(router, { headers: { 'x-feature-flag': 'next' } }))[0]).toBe('next on STATIC')
    expect(told(await ask(router))[0]).toBe('next off DEFAULT')
    expect((await post(router, QUERY, { 'x-feature-flag': 'next' })).headers['x-feature-flag']).toBe('next')
    expect(told(await ask(router))[0]).toBe('next on TARGETING_MATCH')
  })

  it('comes of the cookie that the answer assigns to a visitor, by GraphQL too', async () => {
    const settings = `rollouts: { visitor_cookie: true, visitor_cookie_key: ${'k'.repeat(32)} }`
    await using served = await serving(shop, [rollout({ key: ['visitor_cookie'] })], { settings })
    const sides = new Set<boolean>()
    for (let count = 0; count < 60 && sides.size < 2; count++) {
      const first = await ask(served.router)
      const [cookie = ''] = String(first.headers['set-cookie']).split(';')
      expect(cookie).toMatch(/^switchyard_visitor=/)
      const isOn = told(first)[0] === 'next on SPLIT'
      const again = await ask(served.router, {
        headers: { cookie, 'if-none-match': first.headers.etag ?? '' },
      })
      expect([again.status, again.headers['set-cookie']]).toEqual([304, undefined])
      const got = (await post(served.router, QUERY, { cookie })).headers['x-feature-flag']
      expect(got === 'next').toBe(isOn)
      sides.add(isOn)
    }
    expect(sides.size).toBe(2)
  })

  it('does not depend on the context that it sends', async () => {
    await using served = await serving(shop, [rollout()])
    const context = { targetingKey: BEN['x-user'], claims: {}, headers: { 'X-User': BEN['x-user'] } }
    const lines = told(await ask(served.router, { headers: ANN, body: { context } }))
    expect(lines[0]).toBe('next on SPLIT')
    expect(told(await ask(served.router, { headers: ANN, body: { context: null } }))).toEqual(lines)
    expect(told(await ask(served.router, { headers: ANN, body: '' }))).toEqual(lines)
  })
})

describe('over HTTP/2 and below a base path', () => {
  it('flags are told as elsewhere', async () => {
    await using served = await serving(shop, [rollout()], { settings: 'base_path: /api' })
    const { url } = served.router
    const session = connect(url)
    const stream = session.request({
      ':method': 'POST',
      ':path': `/api${FLAGS}/next?x=1`,
      'content-type': 'application/json',
      ...ANN,
    })
    stream.end('{}')
    const text = (await stream.setEncoding('utf8').toArray()).join('')
    session.destroy()
    expect(JSON.parse(text)).toEqual({ key: 'next', value: true, variant: 'on', reason: 'SPLIT' })
    const outside = await send(`${url}${FLAGS}`, { method: 'POST', body: '{}' })
    expect([outside.status, outside.json.errors?.[0]?.extensions]).toEqual([404, { code: 'NOT_FOUND' }])
  })
})

describe('logs, metrics and spans', () => {
  const lineOf = (router: TestRouter, path: string) =>
    until(
      () => router.logs.find((line) => line.event === 'request.answered' && line['path'] === path),
      'the line',
    )

  it('show requests by their route, and count flags by their reason', async () => {
    await using stack = new AsyncDisposableStack()
    const { measured } = stack.use(recordMetrics())
    const spans = stack.use(recordSpans())
    const { router } = stack.use(await serving(shop, [rollout()]))
    await ask(router, {
      headers: { ...ANN, 'apollographql-client-name': 'app', 'x-request-id': 'r-1' },
      path: '/next',
    })
    await ask(router, { path: '/nothing' })
    expect(await lineOf(router, `${FLAGS}/next`)).toMatchObject({
      method: 'POST',
      status: 200,
      client: 'app',
      request_id: 'r-1',
    })
    expect(await lineOf(router, `${FLAGS}/nothing`)).toMatchObject({
      status: 404,
      code: 'FLAG_NOT_FOUND',
      errors: 1,
    })
    const labelsOf = (wanted: string) =>
      measured.filter(({ name }) => name === wanted).map(({ labels }) => labels)
    const route = `${FLAGS}/{key}`
    expect(labelsOf('http.server.request.duration')).toEqual([
      { 'http.request.method': 'POST', 'http.response.status_code': 200, 'http.route': route },
      { 'http.request.method': 'POST', 'http.response.status_code': 404, 'http.route': route },
    ])
    expect(labelsOf('switchyard.router.flag_evaluations')).toEqual([
      { flag: 'next', variant: 'on', reason: 'SPLIT' },
    ])
    expect(labelsOf('switchyard.router.refusals')).toEqual([{ code: 'FLAG_NOT_FOUND' }])
    expect(labelsOf('switchyard.router.requests')).toEqual([])
    const ended = spans.finished().filter(({ name }) => name === `POST ${route}`)
    expect(
      ended.map(({ attributes }) => [attributes['http.route'], attributes['http.response.status_code']]),
    ).toEqual([
      [route, 200],
      [route, 404],
    ])
  })
})

describe('new settings', () => {
  it('switch it on and off, and change the flags, without a restart', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, flags: flagsOf(shop) })
    await using router = await routerOn(world)
    await router.ready
    const configOf = (text: string) => ({
      ...loadRouterConfig({ file: { path: 'router.yaml', text }, defaultNetworks: LOCAL_NETWORKS }),
      port: 0,
    })
    expect((await ask(router)).status).toBe(404)
    await router.apply(configOf('ofrep: { enabled: true, flags: [next] }'))
    expect(told(await ask(router))).toEqual(['next off DEFAULT'])
    await router.apply(configOf('ofrep: { enabled: true, flags: [other, next] }'))
    expect(told(await ask(router))).toEqual(['other off DEFAULT', 'next off DEFAULT'])
    await router.apply(configOf(''))
    expect((await ask(router)).status).toBe(404)
  })

  it.each([
    ['ofrep: { enabled: true }', 'ofrep.flags'],
    ['ofrep: { flags: [a, a] }', 'ofrep.flags'],
    ['ofrep: { flags: ["a b"] }', 'ofrep.flags'],
    [
      `ofrep: { flags: [${Array.from({ length: 201 }, (_, index) => `f${index}`).join(', ')}] }`,
      'ofrep.flags',
    ],
  ])('are refused where they make no sense: %s', (text, named) => {
    expect(() => loadRouterConfig({ file: { path: 'router.yaml', text } })).toThrow(named)
  })

  it('that list a flag which does not exist are told', async () => {
    await using served = await serving(shop, [])
    const line = await until(
      () => served.router.logs.find(({ event }) => event === 'config.settings-unmatched'),
      'it is told',
    )
    expect(JSON.stringify(line)).toContain('ofrep.flags.gone')
  })
})

describe('while it is off', () => {
  it('the paths are answered as any unknown path', async () => {
    await using served = await serving(shop, [rollout()])
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base })
    await using router = await routerOn(world, { settings: 'ofrep: { flags: [next] }' })
    await router.ready
    const unknown = await send(`${router.url}/x`, { method: 'POST' })
    for (const path of [FLAGS, `${FLAGS}/next`]) {
      const reply = await send(`${router.url}${path}`, { method: 'POST', body: '{}' })
      expect([reply.status, reply.text]).toEqual([404, unknown.text])
    }
    expect((await send(`${served.router.url}/ofrep/v1/configuration`)).text).toBe(unknown.text)
  })
})
