/** What a router measures of requests and of calls of subgraphs; what clients make up is in no label. */
import { recordMetrics } from '@switchyard/testkit'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { post, send, type TestRouter, until } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

const stack = new AsyncDisposableStack()
const { measured } = stack.use(recordMetrics())
let router: TestRouter

beforeAll(async () => {
  router = stack.use(await startShopRouter()).router
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  measured.length = 0
})

const labelsOf = (wanted: string) =>
  measured.filter(({ name }) => name === wanted).map(({ labels }) => labels)
const durations = (count: number) =>
  until(() => {
    const found = labelsOf('http.server.request.duration')
    return found.length === count ? found : undefined
  }, 'the durations')

it('a request with its calls is timed', async () => {
  await post(router, { query: '{ topProducts { name reviews { body } } }' })
  expect(await durations(1)).toEqual([
    { 'http.request.method': 'POST', 'http.response.status_code': 200, 'http.route': '/graphql' },
  ])
  expect(labelsOf('switchyard.router.subgraph_duration')).toEqual([
    { subgraph: 'products', outcome: 'answered' },
    { subgraph: 'reviews', outcome: 'answered' },
  ])
  const [duration] = measured.filter(({ name }) => name === 'http.server.request.duration')
  expect(duration?.value).toBeGreaterThan(0)
  expect(duration?.value).toBeLessThan(60)
})

it('methods that are made up, as far as HTTP lets them through, are counted together', async () => {
  for (const method of ['PROPFIND', 'MKCALENDAR', 'PURGE']) await send(router.graphqlUrl, { method })
  const other = {
    'http.request.method': '_OTHER',
    'http.response.status_code': 405,
    'http.route': '/graphql',
  }
  expect(await durations(3)).toEqual([other, other, other])
})
