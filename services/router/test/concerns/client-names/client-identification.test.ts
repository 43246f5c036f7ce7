import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RandomRun, recordSpans } from '@switchyard/testkit'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { ClientIdentification } from '../../../src/concerns/client-names/client-identification.ts'
import { loadRouterConfig } from '../../../src/config/router-config.ts'
import { type MeasuredRouter, startMeasuredRouter } from '../../support/measured-router.ts'
import { post, until } from '../../support/router.ts'

const { nameHeaders, versionHeaders } = loadRouterConfig().clientIdentification
const identification = new ClientIdentification(nameHeaders, versionHeaders)

const RUN = new RandomRun(import.meta.url, 100)

describe('the client of a request', () => {
  it.each<[Record<string, string>, string, string]>([
    [{}, '', ''],
    [{ 'graphql-client-name': 'web', 'graphql-client-version': '1.2' }, 'web', '1.2'],
    [{ 'apollographql-client-name': 'ios', 'apollographql-client-version': '3' }, 'ios', '3'],
    [{ 'graphql-client-name': 'web', 'apollographql-client-name': 'ios' }, 'web', ''],
    [{ 'graphql-client-name': ' ', 'apollographql-client-name': 'ios' }, 'ios', ''],
    [{ 'graphql-client-version': '1.2' }, '', ''],
    [{ 'graphql-client-name': ' a\tb\u0085\u00adc ' }, 'abc', ''],
    [{ 'graphql-client-name': 'café' }, 'café', ''],
    [{ 'graphql-client-name': 'x'.repeat(5000) }, 'x'.repeat(128), ''],
  ])('is called what %j say', (headers, name, version) => {
    expect(identification.of(headers)).toEqual({ name, version })
  })

  it('has a name of at most 128 printable characters, whatever it sends', () => {
    const value = fc.string({ unit: 'binary', maxLength: 400 })
    fc.assert(
      fc.property(value, value, (name, version) => {
        const named = identification.of({ 'graphql-client-name': name, 'graphql-client-version': version })
        for (const text of [named.name, named.version]) expect(text).toMatch(/^[ -~\u00a1-\u00ff]{0,128}$/)
      }),
      RUN.parameters,
    )
  })

  it('has no name where the settings list no headers', () => {
    const nobody = new ClientIdentification([], [])
    expect(nobody.of({ 'graphql-client-name': 'web' })).toEqual({ name: '', version: '' })
  })
})

describe('a router', () => {
  const stack = new AsyncDisposableStack()
  let measured: MeasuredRouter
  let spans: ReturnType<typeof recordSpans>
  beforeAll(async () => {
    spans = stack.use(recordSpans())
    const settings =
      'client_identification: { name_headers: [x-app, apollographql-client-name], counted_names: [web] }'
    measured = stack.use(await startMeasuredRouter(settings))
  })
  afterAll(() => stack.disposeAsync())

  const lineOf = (client: string) =>
    until(() => measured.router.logs.find((line) => line['client'] === client), `a line about ${client}`)

  it('says in its log and in spans who asked', async () => {
    await post(measured.router, { query: '{ version }' }, { 'X-App': 'tv', 'graphql-client-version': '7' })
    expect(await lineOf('tv')).toMatchObject({ event: 'request.answered', clientVersion: '7', status: 200 })
    const span = await until(
      () => spans.finished().find(({ attributes }) => attributes['switchyard.client.name'] === 'tv'),
      'the span',
    )
    expect(span.attributes).toMatchObject({ 'switchyard.client.version': '7' })
  })

  it('knows Apollo Client by the name that its author gave it', async () => {
    const client = new ApolloClient({
      link: new HttpLink({ uri: measured.router.graphqlUrl }),
      cache: new InMemoryCache(),
      clientAwareness: { name: 'shop', version: '1.0.1' },
    })
    await client.query({ query: gql`query Named { version }` })
    client.stop()
    expect(await lineOf('shop')).toMatchObject({ clientVersion: '1.0.1', operation: 'Named' })
  })

  it('also says who was refused', async () => {
    await post(measured.router, '{', { 'x-app': 'broken' })
    expect(await lineOf('broken')).toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('counts the names that its operator listed, and all others together', async () => {
    for (const name of ['web', 'web', 'made-up-1', 'made-up-2'])
      await post(measured.router, { query: '{ version }' }, { 'x-app': name })
    const counted = await until(async () => {
      const samples = (await measured.metrics()).get('switchyard_router_client_requests_total')?.samples ?? []
      const web = samples.find(({ labels }) => labels['client'] === 'web')
      return web?.value === 2 ? samples : undefined
    }, 'both requests')
    expect(new Set(counted.map(({ labels }) => labels['client']))).toEqual(new Set(['', 'web']))
  })
})
