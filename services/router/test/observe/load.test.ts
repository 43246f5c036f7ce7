/** The requests that heartbeats of a router tell. */
import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, until } from '../support/router.ts'
import { buildArtifact } from '../support/artifacts.ts'
import { type Shop, startShop } from '../support/shop.ts'
import { closeServer, listenOnFreePort } from '../support/subgraph.ts'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

it('heartbeats count requests in progress, those that ended, and answers with errors among these', async () => {
  await using world = await ConfigWorld.create()
  await world.publish({ revision: 1, base: shop.base })
  await using router = await routerOn(world)
  await router.ready
  const held: ServerResponse[] = []
  const server = createServer((_request, response) => void held.push(response))
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
  await using _server = { [Symbol.asyncDispose]: () => closeServer(server) }
  const next = buildArtifact('next', { products: url, reviews: shop.reviews.url })
  let revision = 1
  /** Each revision makes the router tell a heartbeat when it serves it. */
  const told = async () => {
    revision++
    await world.publish({ revision, base: shop.base, flags: { next } })
    const beats = () => world.heartbeats.find((heartbeat) => heartbeat.revision === revision)
    const { load } = await until(beats, 'the heartbeat of the next revision')
    return { active: load?.active, requests: load?.requests, errors: load?.errors }
  }
  expect(await told()).toEqual({ active: 0, requests: 0, errors: 0 })
  await post(router, { query: '{ version }' })
  await post(router, { query: '{ fails }' })
  // Refused before anything is executed: a request, and no answer with errors.
  await post(router, { query: '{ unknown }' })
  expect(await told()).toEqual({ active: 0, requests: 3, errors: 1 })
  const slow = post(router, { query: '{ version }' }, { 'x-feature-flag': 'next' })
  await until(() => held.length > 0, 'the subgraph to be asked')
  expect(await told()).toEqual({ active: 1, requests: 3, errors: 1 })
  held[0]?.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"version":"late"}}')
  expect(await slow).toMatchObject({ json: { data: { version: 'late' } } })
  expect(await told()).toEqual({ active: 0, requests: 4, errors: 1 })
})
