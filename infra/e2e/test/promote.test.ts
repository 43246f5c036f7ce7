/** A promotion on a real system: every client gets what it should, at every moment. */
import { expect, it } from 'vitest'
import { LINK, openShop, publishShop, startEmbedded } from '../src/index.ts'
import { expectWholeRevisions, promote, waitForBase, watchShop } from '../src/scenarios/promotions.ts'

const CLASH = `${LINK}type Query { me: Int } type Product @key(fields: "id") { id: ID! price: Int! }`

it('changes base and flag in one revision, goes back, and waits for a base that does not compose', async () => {
  await using shop = await openShop()
  await using system = await startEmbedded()
  await publishShop(system, shop)
  await using watch = watchShop(system)
  const promoted = await system.cli('feature-flag', 'promote', 'next', '--force', '--require-live')
  expect(promoted, system.report()).toMatchObject({ code: 0 })
  await waitForBase(system, 'next')
  await promote(system, 'undo')
  await waitForBase(system, 'base')

  // Another team breaks the base: nothing of the promotion is served, and nothing is lost.
  const publish = async (sdl: string) => system.manage('PUT', '/v1/subgraphs/default/users/schema', { sdl })
  const users = (await system.manage('GET', '/v1/subgraphs/default/users/schema')).body['sdl']
  const broken = await publish(CLASH)
  expect(broken.body['compositions']).toContainEqual(
    expect.objectContaining({ featureFlag: null, status: 'failed' }),
  )
  const refused = await system.cli('feature-flag', 'promote', 'next', '--force')
  expect(refused).toMatchObject({ code: 1 })
  const reply = await system.manage('POST', '/v1/feature-flags/default/next/promote', {})
  expect(reply.body).toMatchObject({ changed: true, pending: false })
  await waitForBase(system, 'base')
  await publish(String(users))
  await waitForBase(system, 'next')

  const { answers, wrong } = await watch.stop()
  expect(wrong, system.report()).toEqual([])
  expect(answers).toBeGreaterThan(0)
  expect(await expectWholeRevisions(system, shop.stockNext.url)).toBe(2)
}, 120_000)
