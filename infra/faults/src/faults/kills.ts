/**
 * Faults in which a service is killed (`SIGKILL`) at a step from a command to the data of routers. The
 * network sees a write and kills its sender. `before` means that the write never arrives, `after` that it
 * arrives and its sender never learns of that.
 */
import { waitFor } from '@switchyard/testkit'
import { GRAPH } from '@switchyard/e2e'
import type { Fault } from '../fault.ts'
import { COMPOSERS, type ProgramName, type Store } from '../world/programs.ts'
import type { World } from '../world/world.ts'

type Step = {
  /** The record or file that is written, for the name of the fault. */
  readonly what: string
  readonly to: Store
  /** The beginning of the write, or a text that only this write has. */
  readonly text: string
}

const BLOB = 'PUB $O.switchyard-blobs.C.'

const STEPS: readonly {
  readonly victims: readonly ProgramName[]
  readonly who: string
  readonly steps: readonly Step[]
}[] = [
  {
    who: 'registry',
    victims: ['registry-0'],
    steps: [
      { what: 'the blob of a schema', to: 'nats', text: BLOB },
      { what: 'the record of a command', to: 'nats', text: 'PUB registry.events.' },
    ],
  },
  {
    who: 'composer',
    victims: COMPOSERS,
    steps: [
      { what: 'the blob of an artifact', to: 'nats', text: BLOB },
      { what: 'the record of a composition', to: 'nats', text: 'PUB compositions.' },
      { what: 'its announcement', to: 'nats', text: 'PUB composer.status.' },
    ],
  },
  {
    who: 'config-distribution',
    victims: ['config-distribution'],
    steps: [
      {
        what: 'an artifact in the store',
        to: 'redis',
        text: "redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])",
      },
      { what: 'the record of a revision', to: 'nats', text: 'PUB configs.' },
      { what: 'the manifest in the store', to: 'redis', text: 'local manifest, history = KEYS[1], KEYS[2]' },
      {
        what: 'the head in the store',
        to: 'redis',
        text: `set\r\n$30\r\nswitchyard:{default/${GRAPH}}:head\r\n`,
      },
      { what: 'the announcement', to: 'nats', text: `PUB config.default.${GRAPH}` },
    ],
  },
]

const WHY: Readonly<Record<string, string>> = {
  registry:
    'Either the record is in the log or the command did not happen. Repeated under its key at the other registry it is carried out once; ' +
    'a blob without a record is removed after a day.',
  composer: 'The other composer finds in the log what was composed and what was not, and does the rest.',
  'config-distribution':
    'At its start it reads from the log what the newest revision is, composes it from the records that came since, and writes what Redis lacks.',
}

export const killFaults: readonly Fault[] = STEPS.flatMap(({ who, victims, steps }) =>
  steps.flatMap((step) => [killAt(who, victims, step, 'held'), killAt(who, victims, step, 'passed')]),
)

function killAt(who: string, victims: readonly ProgramName[], step: Step, write: 'held' | 'passed'): Fault {
  return {
    name: `${who} killed ${write === 'held' ? 'before' : 'after'} ${step.what}`,
    done: `\`kill -9\` when it sends ${step.what}, which ${write === 'held' ? 'does not arrive' : 'arrives'}; started again at once`,
    why: WHY[who] ?? '',
    begin: (world) => killWhenSeen(world, victims, step, write),
    lasts: 300,
    end: async (world) => {
      for (const name of victims) {
        const program = world.program(name)
        if (!program.running) await program.start()
      }
    },
    healsWithin: 30_000,
  }
}

/** Resolves when one of them is dead. Commands that go on make them write. */
async function killWhenSeen(
  world: World,
  victims: readonly ProgramName[],
  { text, to, what }: Step,
  write: 'held' | 'passed',
): Promise<void> {
  const seen: Promise<void>[] = []
  const forget = victims.map((name) =>
    world.wire(name, to).when({
      text,
      write,
      onSeen: () => {
        if (seen.length === 0) seen.push(world.program(name).kill9())
      },
    }),
  )
  await waitFor(`${what} to be sent`, () => seen.length > 0)
  for (const each of forget) each()
  await Promise.all(seen)
}
