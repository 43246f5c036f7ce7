/** Records that come in a way that nobody expects: from two registries at once, and twice. */
import { randomUUID } from 'node:crypto'
import { LINK } from '@switchyard/e2e'
import { connectNats, openNatsEventLog } from '@switchyard/event-log'
import type { Fault } from '../fault.ts'
import type { World } from '../world/world.ts'

const ROUNDS = 20

export const twoRegistries: Fault = {
  name: 'two registries at once',
  done: 'the same name created, and one schema published, at both registries at the same moment, 20 times, beside all other commands',
  why:
    'Each append names the record that it was decided on. One of two wins; the other one is decided again on the new state, and then ' +
    'refused or carried out. Nothing that was acknowledged is written over.',
  begin: async () => {},
  lasts: 0,
  during: async ({ system }) => {
    for (let round = 0; round < ROUNDS; round++) {
      const name = `twin-${randomUUID().slice(0, 8)}`
      const body = { name, routingUrl: 'http://127.0.0.1:9/graphql' }
      const both = await Promise.all(
        [0, 1].map((registry) => system.manage('POST', '/v1/subgraphs/default', body, { registry })),
      )
      const statuses = both.map(({ status }) => status).toSorted((left, right) => left - right)
      if (String(statuses) !== '201,409')
        throw new Error(`one name was created twice: ${JSON.stringify(both)}`)
      const published = await Promise.all(
        [0, 1].map((registry) =>
          system.manage(
            'PUT',
            `/v1/subgraphs/default/${name}/schema?wait=0`,
            { sdl: `${LINK}type Query { ${name.replace('-', '')}${registry}: Int }` },
            { registry },
          ),
        ),
      )
      const sequences = new Set(published.map(({ body: { sequence } }) => sequence))
      if (published.some(({ status }) => status !== 200) || sequences.size !== 2)
        throw new Error(`of two publishes one was lost: ${JSON.stringify(published)}`)
    }
  },
  end: async () => {},
  healsWithin: 30_000,
}

const LOGS = {
  registry: 'registry.events.default',
  compositions: 'compositions.default.shop',
  configs: 'configs.default.shop',
}
const COPIES = 5

export const recordsTwice: Fault = {
  name: 'records seen twice',
  done: 'the last record of each log is written to it again, past every service, five times',
  why:
    'A command is known by its id, a composition by the sequence that it is of, a revision by its number: what was applied is not ' +
    'applied again, and appends go on behind the copies.',
  begin: async (world) => {
    for (let time = 0; time < COPIES; time++) await writeAgain(world)
  },
  lasts: 1000,
  after: async ({ system }) => {
    const reply = await system.manage('GET', '/v1/graphs/default/shop/revisions?limit=50')
    const text = JSON.stringify(reply.body)
    const revisions = [...text.matchAll(/"revision":(\d+)/g)].map(([, number]) => Number(number))
    const isRight = revisions.every((revision, at) => at === 0 || revision === (revisions[at - 1] ?? 0) - 1)
    if (revisions.length < 2 || !isRight) throw new Error(`revisions are not counted one by one: ${text}`)
  },
  end: async () => {},
  healsWithin: 30_000,
}

/** A copy of the last record of each log, with whatever came before it as it is now. */
async function writeAgain({ stores }: World): Promise<void> {
  await using link = await connectNats({ url: stores.natsUrl('admin'), name: 'faults' })
  await using log = await openNatsEventLog({ link, owns: [] })
  for (const subject of Object.values(LOGS)) {
    const last = await log.last({ kind: 'subject', subject })
    await link.connection.request(subject, JSON.stringify(last?.record))
  }
}
