/** One fault, from a quiet moment before it to a fresh publish after it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../fault.ts'
import type { World } from '../world/world.ts'
import { acknowledge, startCommands, toggle, type Written } from './commands.ts'
import { servePublish } from './fresh-publish.ts'
import { lossesOf } from './losses.ts'
import { type Asked, startQueries } from './queries.ts'

const QUIET_MS = 700

export type Outcome = {
  readonly fault: Fault
  readonly asked: Asked
  readonly written: Written
  readonly losses: readonly string[]
  /** Milliseconds from the end of the fault to a fresh publish that both routers serve. */
  readonly healedAfter: number
  /** The conditions that did not hold. */
  readonly complaints: readonly string[]
}

/**
 * Throws when the fault could not be carried out. The world is as before afterwards, if nothing is complained
 * of.
 */
export async function runFault(fault: Fault, world: World): Promise<Outcome> {
  // Every fault begins alike: the flag is on.
  await acknowledge(world.system, toggle(true))
  await servePublish(world)
  await using queries = startQueries(world.system.routerUrls)
  await using commands = startCommands(world.system)
  await sleep(QUIET_MS)
  const { healedAfter, complaints } = await breakAndMend(fault, world)
  await sleep(QUIET_MS)
  const written = await commands.stop()
  const losses = await lossesOf(world, written)
  const asked = await queries.stop()
  const wrong = [...asked.failures].filter(([text]) => fault.mayFail?.test(text) !== true)
  return {
    fault,
    asked,
    written,
    losses,
    healedAfter,
    complaints: [
      ...complaints,
      ...losses,
      ...wrong.map(([text, count]) => `${count} queries: ${text}`),
      ...(healedAfter > fault.healsWithin ? [`healed after ${Math.round(healedAfter)} ms only`] : []),
    ],
  }
}

async function breakAndMend(
  fault: Fault,
  world: World,
): Promise<{ readonly healedAfter: number; readonly complaints: readonly string[] }> {
  const complaints: string[] = []
  const hold = async (what: ((world: World) => Promise<void>) | undefined): Promise<void> => {
    await what?.(world).catch((error: unknown) => {
      complaints.push(error instanceof Error ? error.message : String(error))
    })
  }
  await fault.begin(world)
  await sleep(fault.lasts)
  await hold(fault.during)
  await fault.end(world)
  const healedAfter = await servePublish(world)
  await hold(fault.after)
  return { healedAfter, complaints }
}
