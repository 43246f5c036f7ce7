/**
 * `kill -9` at random points of publishes: every acknowledged write is there afterwards, none twice,
 * everything catches up by itself.
 */
import { Random } from '@switchyard/samples'
import { FIXED_SEED, waitFor } from '@switchyard/testkit'
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Constellation, LINK, openShop, publishShop, query, waitForReady } from '../index.ts'

export const SERVICES: readonly string[] = [
  'registry-0',
  'composer-0',
  'composer-1',
  'config-distribution',
  'router-0',
  'router-1',
]

export type Fire = {
  /** Programs that are killed in turn. */
  readonly victims: readonly string[]
  readonly publishes?: number
  /** The largest number of kills. All publishes may be over before. */
  readonly kills: number
  /** The least number of kills: there are further publishes until then. */
  readonly leastKills?: number
}

export async function publishUnderFire(
  start: () => Promise<Constellation>,
  { victims, publishes = 200, kills, leastKills = 4 }: Fire,
): Promise<void> {
  await using shop = await openShop()
  await using system = await start()
  await publishShop(system, shop)
  const seed = Number(process.env['SWITCHYARD_TEST_SEED'] ?? FIXED_SEED)
  console.log(`seed ${seed} (SWITCHYARD_TEST_SEED)`)
  const random = new Random(seed)
  const stop = new AbortController()
  const killing = { killed: 0 }
  const killer = killAtRandom(system, { victims, kills, killing }, random, stop.signal)

  const sequences: number[] = []
  for (let index = 1; index <= publishes || killing.killed < leastKills; index++) {
    const sdl = `${LINK}\ntype Query { me: User }\ntype User @key(fields: "id") { id: ID! name: String! v${index}: Int }`
    sequences.push(await publishUntilAcknowledged(system, sdl))
  }
  stop.abort()
  await killer
  const written = sequences.length
  console.log(`${system.kind}: ${killing.killed} kills during ${written} publishes`)
  for (const program of system.programs.values()) if (!program.running) await program.start()
  await Promise.all(system.registryUrls.map((url) => waitForReady(system, url)))

  // Nobody else writes to this log: consecutive sequences mean that each command is there once and none
  // twice.
  const first = sequences[0] ?? 0
  expect(sequences).toEqual(Array.from({ length: written }, (_, index) => first + index))
  const subgraphs = await system.manage('GET', '/v1/subgraphs/default')
  const names = (subgraphs.body['subgraphs'] as { name: string }[]).map((subgraph) => subgraph.name)
  expect(names.toSorted()).toEqual(['catalogue', 'catalogue-next', 'reviews', 'stock', 'stock-next', 'users'])
  for (const url of system.routerUrls) {
    await waitForReady(system, url)
    await waitFor(`${url} to serve the last publish`, async () => {
      const answer = await query(url, {}, '{ __type(name: "User") { fields { name } } }')
      const text = JSON.stringify(answer.body)
      if (!text.includes(`"v${written}"`)) throw new Error(`${text}\n${system.report()}`)
      return true
    })
  }
}

/**
 * One command, one idempotency key, retried until the registry acknowledges it. A retry after a lost answer
 * must not write twice.
 */
async function publishUntilAcknowledged(system: Constellation, sdl: string): Promise<number> {
  const key = randomUUID()
  let attempts = 0
  return waitFor(
    'an acknowledgement',
    async () => {
      attempts++
      const reply = await system.manage(
        'PUT',
        '/v1/subgraphs/default/users/schema?wait=0',
        { sdl },
        {
          headers: { 'idempotency-key': key },
          signal: AbortSignal.timeout(10_000),
        },
      )
      if (reply.status === 503 || reply.status === 504) throw new Error(JSON.stringify(reply.body))
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
      // The write happened exactly once: a first answer and the answer to a retry both say that it changed
      // something.
      expect(reply.body['changed'], `attempt ${attempts}: ${JSON.stringify(reply.body)}`).toBe(true)
      return Number(reply.body['sequence'])
    },
    { everyMs: 30 },
  )
}

async function killAtRandom(
  system: Constellation,
  { victims, kills, killing }: Pick<Fire, 'victims' | 'kills'> & { readonly killing: { killed: number } },
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  while (killing.killed < kills && !signal.aborted) {
    await pause(100 + random.next() * 1200, signal)
    if (signal.aborted) break
    const name = victims[killing.killed % victims.length] ?? ''
    const program = system.programs.get(name)
    await program?.kill9()
    await pause(random.next() * 200, signal)
    await program?.start()
    killing.killed++
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
