/** One fault, from a quiet moment before it to a fresh publish after it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '@switchyard/testkit'
import type { Fault } from '../fault.ts'
import type { World } from '../world/world.ts'
import { acknowledge, newField, publish, startCommands, toggle, type Written } from './commands.ts'
import { fieldsOf, lossesOf } from './losses.ts'
import { type Asked, startQueries } from './queries.ts'

const QUIET_MS = 700
const HEALED_LIMIT_MS = 120_000

export type Outcome = {
  readonly fault: Fault
  readonly asked: Asked
  readonly written: Written
  readonly losses: readonly string[]
  /** From the end of the fault to a fresh publish that both routers serve. */
  readonly healedAfter: number
  /** What did not hold. */
  readonly complaints: readonly string[]
}

/** Throws when the fault could not be carried out. The world is as before afterwards, if nothing is complained of. */
export async function runFault(fault: Fault, world: World): Promise<Outcome> {
  const { system } = world
  // Every fault begins alike: the flag is on.
  await acknowledge(system, toggle(true))
  await healed(world)
  const queries = startQueries(system.routerUrls)
  const commands = startCommands(system)
  const complaints: string[] = []
  const hold = async (what: ((world: World) => Promise<void>) | undefined): Promise<void> => {
    await what?.(world).catch((error: unknown) => complaints.push(messageOf(error)))
  }
  await sleep(QUIET_MS)
  await fault.begin(world)
  await sleep(fault.lasts)
  await hold(fault.during)
  await fault.end(world)
  const healedAfter = await healed(world)
  await hold(fault.after)
  await sleep(QUIET_MS)
  const written = await commands.stop()
  const losses = await lossesOf(world, written)
  const asked = await queries.stop()
  return { fault, asked, written, losses, healedAfter, complaints: [...complaints, ...judge()] }

  function judge(): readonly string[] {
    const wrong = [...asked.failed].filter(([kind]) => fault.mayFail?.test(kind) !== true)
    return [
      ...losses,
      ...wrong.map(([kind, count]) => `${count} queries: ${kind}`),
      ...(healedAfter > fault.healsWithin ? [`healed after ${Math.round(healedAfter)} ms only`] : []),
    ]
  }
}

/** Publishes something, and waits until both routers serve it. Milliseconds. */
async function healed(world: World): Promise<number> {
  const { system } = world
  const began = performance.now()
  const field = newField()
  await acknowledge(system, publish('reviews', [field]))
  for (const url of system.routerUrls)
    await waitFor(
      `${url} to serve a fresh publish`,
      async () => (await fieldsOf(url, 'Review')).includes(`"${field}"`),
      { withinMs: HEALED_LIMIT_MS, everyMs: 20 },
    )
  return performance.now() - began
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
