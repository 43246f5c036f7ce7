/** Clocks that are a day off. */
import type { Fault } from '../fault.ts'
import { isServed } from '../run/fresh-publish.ts'
import { clocksMissing } from '../world/clocks.ts'
import type { ProgramName } from '../world/programs.ts'

const WRONG_MS = 3000

type Wrong = {
  readonly name: ProgramName
  readonly why: string
  /** True if publishes reach both routers meanwhile. */
  readonly isServed: boolean
  readonly isRestarted?: boolean
}

const WRONG: readonly Wrong[] = [
  {
    name: 'registry-0',
    why:
      'Sequences order what happens, not times. Both registries look for what nobody needs at their start: what is young by any clock stays, ' +
      'since a registry removes only what it has seen without a use for hours.',
    isServed: true,
    isRestarted: true,
  },
  { name: 'composer-0', why: 'Nothing that composers decide depends on the time of day.', isServed: true },
  {
    name: 'config-distribution',
    why:
      'Its heads are from another day, so that routers take nothing new (`MANIFEST_UNCONFIRMED`) and serve on what they have. When the clock is ' +
      'right again it signs a new head.',
    isServed: false,
  },
  {
    name: 'router-0',
    why: 'To it heads are from another day: it serves on what it has. The registry lists it with a clock that is off, and counts it as a router that does not serve what is new.',
    isServed: false,
  },
]

export const clockFaults: readonly Fault[] = WRONG.flatMap((wrong) => [
  clockOff(wrong, '+1d', 'a day ahead'),
  clockOff(wrong, '-1d', 'a day behind'),
])

function clockOff(wrong: Wrong, offset: string, how: string): Fault {
  const { name, why, isRestarted = false } = wrong
  return {
    name: `clock of ${name} ${how}`,
    done: `set ${how}${isRestarted ? ', and the service started again' : ''}; set right a few seconds later`,
    why,
    world: 'clocks',
    missing: clocksMissing,
    begin: async (world) => {
      await world.clocks.set(name, offset)
      if (!isRestarted) return
      const program = world.program(name)
      await program.kill9()
      await program.start()
    },
    lasts: WRONG_MS,
    ...(wrong.isServed ? { during: isServed(30_000) } : {}),
    end: (world) => world.clocks.set(name, '+0'),
    after: async ({ system }) => {
      const reply = await system.manage('GET', '/v1/routers')
      const routers = reply.body['routers']
      if (!Array.isArray(routers) || routers.length !== 2)
        throw new Error(`routers that are known: ${JSON.stringify(reply.body)}`)
    },
    healsWithin: 30_000,
  }
}
