/** Something fresh is published, and both routers have to serve it. */
import { waitFor } from '@switchyard/testkit'
import type { World } from '../world/world.ts'
import { acknowledge, newField, publish } from './commands.ts'
import { fieldsOf } from './losses.ts'

const LIMIT_MS = 120_000

/** Milliseconds from now until both serve it. Throws when it takes longer than `withinMs`. */
export async function servePublish({ system }: World, withinMs = LIMIT_MS): Promise<number> {
  const began = performance.now()
  const field = newField()
  await acknowledge(system, publish('reviews', [field]))
  await Promise.all(
    system.routerUrls.map((url) =>
      waitFor(
        `${url} to serve a fresh publish`,
        async () => (await fieldsOf(url, 'Review')).includes(`"${field}"`),
        { withinMs, everyMs: 20 },
      ),
    ),
  )
  return performance.now() - began
}

/** Returns a check that a publish is served, for faults during which publishing has to work. */
export function isServed(withinMs: number): (world: World) => Promise<void> {
  return async (world) => {
    await servePublish(world, withinMs)
  }
}
