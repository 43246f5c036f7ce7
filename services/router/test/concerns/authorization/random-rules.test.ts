/** Random access rules and random users, on the corpus: held against one server whose resolvers throw. */
import {
  createMonolith,
  dataText,
  explainedNulls,
  fetchedInSpite,
  guard,
  keyNames,
  type Monolith,
  type OracleAnswer,
  protect,
  type Protection,
  type Suite,
  SUITES,
} from '@switchyard/corpus'
import { Random, randomOperation, withoutDefers, withRandomDefers } from '@switchyard/samples'
import { mergeParts, RandomRun, type StreamPart } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CorpusWorld, startCorpusWorld } from '../../support/corpus-world.ts'
import { issueTokens } from '../../support/issued-tokens.ts'
import { readParts } from '../../support/parts.ts'
import { post, type Reply } from '../../support/router.ts'
import { AUTHORIZATION, holderOf, type User, USER_NAMES, USERS } from './users.ts'

/** `SEED=… RUNS=… vitest run services/router/test/concerns/authorization` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 5, 40)

/** Their subgraphs give canned answers, or their root types have other names in subgraphs. */
const LEFT_OUT = new Set(['failing subgraphs', 'sloppy answers', 'renamed root types and directives'])
const worlds = new Map(
  SUITES.filter(
    ({ name, subgraphs }) =>
      !LEFT_OUT.has(name) && !Object.values(subgraphs).some(({ sdl }) => sdl.includes('label:')),
  ).map((suite) => [suite.monolith, suite] as const),
)

const SETTINGS = {
  authorization: AUTHORIZATION,
  engine: { enable_defer: true },
  access_log: { enabled: false },
}

type Question = { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> }
type Answered = {
  readonly data: unknown
  readonly errorPaths: readonly string[]
  readonly isStream: boolean
}

function answerIn(reply: Reply): Answered {
  const isStream = String(reply.headers['content-type']).startsWith('multipart/')
  const parts = isStream
    ? readParts([Buffer.from(reply.text)]).map(({ text }): StreamPart => JSON.parse(text))
    : null
  const { data, errors = [] } = parts === null ? reply.json : mergeParts(parts)
  return { data, errorPaths: errors.map(({ path }) => JSON.stringify(path ?? [])), isStream }
}

async function ask(
  { router }: CorpusWorld,
  { query, variables = {} }: Question,
  token: Record<string, string>,
): Promise<Answered> {
  const accept = 'multipart/mixed;incrementalSpec=v0.2, application/json'
  return answerIn(await post(router, { query, variables }, { ...token, accept }))
}

type Side = { readonly monolith: Monolith; readonly spilled: (document: string) => readonly string[] }

/** One server for each user, which throws what that user may not see. */
function sidesOf(suite: Suite, protection: Protection, keys: ReadonlySet<string>): ReadonlyMap<User, Side> {
  return new Map(
    USER_NAMES.map((user) => {
      const monolith = createMonolith(suite)
      const holder = holderOf(user)
      guard(monolith.world, protection, holder)
      const spilled = (document: string) =>
        fetchedInSpite(document, monolith.world, { protection, holder, keys })
      return [user, { monolith, spilled }]
    }),
  )
}

function expectSame(answered: Answered, oracle: OracleAnswer, context: string): void {
  const nulls = explainedNulls(oracle.data, oracle.errorPaths)
  // A null that takes objects along ends where a deferred fragment begins, which one answer does not know.
  if (answered.isStream && nulls.join() !== [...new Set(oracle.errorPaths)].sort().join()) return
  const plain = { name: '', query: '' }
  if (answered.isStream) expect(answered.data, context).toEqual(JSON.parse(dataText(oracle.data, plain)))
  else expect(dataText(answered.data, plain), context).toBe(dataText(oracle.data, plain))
  expect(explainedNulls(oracle.data, answered.errorPaths), context).toEqual(nulls)
}

function documentsIn(world: CorpusWorld): readonly string[] {
  return world.takeReceived().map(({ body }) => String(Object(body).query))
}

describe('random access rules', () => {
  it(`keep data from users, and from being fetched, also where they share (seed ${RUN.seed})`, {
    timeout: RUN.timeout(300_000),
  }, async () => {
    await using tokens = await issueTokens(
      Object.fromEntries(
        USER_NAMES.flatMap((user) =>
          USERS[user].claims === null ? [] : [[user, { ...USERS[user].claims }]],
        ),
      ),
    )
    const settings = JSON.stringify({ ...SETTINGS, authentication: JSON.parse(tokens.settings) })
    let denied = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...worlds.values()), fc.nat(), async (suite, seed) => {
        const random = new Random(seed)
        const { schema, world: plain } = createMonolith(suite)
        let protection: Protection = new Map()
        let keys: ReadonlySet<string> = new Set()
        const protectAll = (supergraphSdl: string): string => {
          const made = protect(supergraphSdl, plain, (below) => random.below(below))
          protection = made.protection
          keys = keyNames(supergraphSdl)
          return made.sdl
        }
        await using world = await startCorpusWorld(suite, settings, protectAll)
        const sides = sidesOf(suite, protection, keys)
        for (let count = 0; count < 6; count++) {
          const drawn = randomOperation(
            schema,
            Array.from({ length: 80 }, () => random.below(5040)),
          )
          // What a mutation changes, the next call of a subgraph of the corpus does not know.
          if (drawn.query.trimStart().startsWith('mutation')) continue
          const question = count % 2 === 0 ? drawn : withRandomDefers(schema, drawn, random)
          const context = `${suite.name} ${seed}\n${question.query}\n${JSON.stringify([...protection.keys()])}`
          const kept = withoutDefers(question)
          const answers = new Map<User, OracleAnswer>()
          for (const [user, { monolith, spilled }] of sides) {
            const oracle = await monolith.answer(kept)
            answers.set(user, oracle)
            expectSame(await ask(world, question, tokens.headersOf(user)), oracle, `${user} ${context}`)
            expect(documentsIn(world).flatMap(spilled), `${user} ${context}`).toEqual([])
            denied += oracle.messages.filter((message) => message === 'UNAUTHORIZED_FIELD_OR_TYPE').length
          }
          // At once, and each several times: they join what is executed and fetched for others.
          const all = [...USER_NAMES, ...USER_NAMES, ...USER_NAMES]
          const together = await Promise.all(all.map((user) => ask(world, question, tokens.headersOf(user))))
          for (const [index, user] of all.entries()) {
            const oracle = answers.get(user)
            if (oracle !== undefined && together[index] !== undefined)
              expectSame(together[index], oracle, `together ${user} ${context}`)
          }
          for (const document of documentsIn(world))
            expect(
              [...sides.values()].some(({ spilled }) => spilled(document).length === 0),
              context,
            ).toBe(true)
        }
      }),
      RUN.parameters,
    )
    expect(denied).toBeGreaterThan(RUN.runs * 5)
  })
})
