/** Finds acknowledged changes that the log, a registry, the composed graph or a router has lost. */
import { GRAPH, query, variantOf } from '@switchyard/e2e'
import { openNatsEventLog } from '@switchyard/event-log'
import { waitFor } from '@switchyard/testkit'
import type { World } from '../world/world.ts'
import type { Acknowledged, Written } from './commands.ts'

const CAUGHT_UP_WITHIN_MS = 60_000
const SUBJECT = 'registry.events.default'

/** One sentence for each thing that is lost; empty when nothing is. */
export async function lossesOf(world: World, written: Written): Promise<readonly string[]> {
  const all = [...written.publishes, ...written.toggles]
  return [
    ...(await lostFromLog(world, all)),
    ...(await lostFromRegistries(world, written)),
    ...(await lostFromGraph(world, written)),
    ...(await lostFromRouters(world, written)),
  ]
}

/** Each command has one record that counts, at the sequence that was told. */
async function lostFromLog(world: World, all: readonly Acknowledged[]): Promise<readonly string[]> {
  const url = world.stores.natsUrl('admin')
  await using log = await openNatsEventLog({ url, name: 'faults', owns: [], reads: ['registry'] })
  const first = Math.min(...all.map(({ sequence }) => sequence))
  const ids = new Map<number, string>()
  if (all.length > 0)
    for await (const { sequence, record } of log.read({ kind: 'subject', subject: SUBJECT }, first))
      ids.set(sequence, idOf(record))
  const lost = all.filter(({ key, sequence }) => ids.get(sequence) !== key)
  const unchanged = all.filter(({ changed }) => !changed)
  const twice = all.length - new Set(all.map(({ sequence }) => sequence)).size
  return [
    ...lost.map(
      ({ sequence }) => `record ${sequence} of the log is not the command that was acknowledged with it`,
    ),
    ...unchanged.map(
      ({ sequence }) => `a command was carried out twice, the second time as record ${sequence}`,
    ),
    ...(twice === 0 ? [] : [`${twice} commands were acknowledged with the record of another one`]),
  ]
}

function idOf(record: unknown): string {
  return typeof record === 'object' && record !== null && 'commandId' in record
    ? String(record.commandId)
    : ''
}

/** One that was started again answers when it has read the log. */
async function lostFromRegistries({ system }: World, written: Written): Promise<readonly string[]> {
  const lost = [...system.registryUrls.keys()].map((registry) =>
    told(`registry ${registry}`, async () => {
      const schema = await system.manage('GET', '/v1/subgraphs/default/users/schema', undefined, { registry })
      const missing = missingFrom(JSON.stringify(schema.body), written.fields)
      const flag = await system.manage('GET', '/v1/feature-flags/default/next', undefined, { registry })
      const isRight = flag.body['enabled'] === written.isEnabled
      return isRight ? missing : [...missing, `the flag as it was set: ${JSON.stringify(flag.body)}`]
    }),
  )
  return (await Promise.all(lost)).flat()
}

async function lostFromGraph({ system }: World, written: Written): Promise<readonly string[]> {
  return told('the composed graph', async () => {
    const path = `/v1/graphs/default/${GRAPH}/execution-config`
    const config = await system.manage('GET', path)
    return missingFrom(JSON.stringify(config.body), written.fields)
  })
}

async function lostFromRouters({ system }: World, written: Written): Promise<readonly string[]> {
  const lost = system.routerUrls.map((url, index) =>
    told(`router ${index}`, async () => {
      const missing = missingFrom(await fieldsOf(url, 'User'), written.fields)
      const variant = variantOf(await query(url, { 'X-Feature-Flag': 'next' }))
      const expected = written.isEnabled ? 'next' : 'base'
      return variant === expected
        ? missing
        : [...missing, `the flag: ${expected} expected, ${variant} answered`]
    }),
  )
  return (await Promise.all(lost)).flat()
}

/** Waits until nothing is missing, and returns what still is when the time is over. */
async function told(who: string, missing: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let last: readonly string[] = []
  try {
    await waitFor(
      who,
      async () => {
        last = await missing()
        return last.length === 0
      },
      { withinMs: CAUGHT_UP_WITHIN_MS, everyMs: 50 },
    )
    return []
  } catch (error) {
    return [`${who} lacks ${last.join(', ') || String(error instanceof Error ? error.cause : error)}`]
  }
}

function missingFrom(text: string, fields: readonly string[]): readonly string[] {
  return fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(text))
}

/** JSON of the fields of a type, as a router tells them. */
export async function fieldsOf(url: string, type: string): Promise<string> {
  const answer = await query(url, {}, `{ __type(name: "${type}") { fields { name } } }`)
  return JSON.stringify(answer.body)
}
