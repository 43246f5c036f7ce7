/** Limits of stitching that no operation of the corpus shows. */
import { compose } from '@switchyard/composition'
import { InProcessSubgraph } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { SUITES } from '@switchyard/corpus'
import { isolatedSecondOpinion, secondOpinion, type SecondOpinionOptions } from '../src/index.ts'
import { createWitness } from '@switchyard/corpus/witness'

const TEAMS = new InProcessSubgraph({
  name: 'teams',
  sdl: 'type Query { team: Team } type Team { name: String! rival: Team points: Int! }',
  resolvers: { Query: { team: () => ({ name: 'A', points: 3, rival: { name: 'B', points: 2 } }) } },
})

function options(): SecondOpinionOptions {
  const composed = compose({
    subgraphs: [{ name: 'teams', sdl: TEAMS.sdl, routingUrl: 'http://teams.test/' }],
  })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
  return {
    supergraphSdl: composed.supergraphSdl,
    execute: async (_, { document, variables }) =>
      (await TEAMS.execute(JSON.stringify({ query: document, variables }))).body,
  }
}

describe('a limit of stitching', () => {
  it('conditions: a field that is left out once is left out altogether', async () => {
    const witness = await secondOpinion(options())
    const { data, errors } = await witness.execute({ query: '{ team { name @skip(if: true) name } }' })
    expect(data).toEqual({ team: null })
    expect(errors[0]?.message).toContain('Cannot return null')
  })

  it('fragments: one that asks for nothing but type names is lost', async () => {
    const witness = await secondOpinion(options())
    const query = `{ team { ...F0 rival { ...F2 } } }
      fragment F0 on Team { ... on Team { __typename } }
      fragment F1 on Team { points }
      fragment F2 on Team { ...F1 }`
    const { data, errors } = await witness.execute({ query })
    expect(data).toEqual({ team: null })
    expect(errors[0]?.message).toContain('Unknown fragment')
  })
})

describe('another limit of stitching', () => {
  it('keys-with-lists: what is fetched by a key that holds a list is null', async () => {
    const suite = SUITES.find(({ name }) => name === 'keys with lists of entities in them')
    const operation = suite?.operations.find(({ name }) => name === 'below the second hop')
    if (suite === undefined || operation === undefined) throw new Error('The suite is gone')
    await using opened = new AsyncDisposableStack()
    // The library also throws where nobody can catch it.
    const ask = await createWitness(suite, async (asked) => opened.use(await isolatedSecondOpinion(asked)))
    expect((await ask(operation)).kind).not.toBe('equal')
  })
})

describe('a second opinion in a thread of its own', () => {
  it('is the same', async () => {
    await using witness = await isolatedSecondOpinion(options())
    const answer = await witness.execute({ query: '{ team { name rival { points } } }' })
    expect(answer).toEqual({ data: { team: { name: 'A', rival: { points: 2 } } }, errors: [] })
  })

  it('has none on what the stitched schema does not know, and goes on', async () => {
    await using witness = await isolatedSecondOpinion(options())
    await expect(witness.execute({ query: '{ nothing }' })).rejects.toMatchObject({ code: 'OPINION_REFUSED' })
    expect((await witness.execute({ query: '{ __typename }' })).data).toEqual({ __typename: 'Query' })
  })

  it('says that it crashed where the library throws what nobody can catch, and answers the next question', async () => {
    await using witness = await isolatedSecondOpinion(options())
    // No GraphQL at all: what throws in the thread is not a refusal.
    await expect(witness.execute({ query: '{' })).rejects.toMatchObject({ code: 'OPINION_CRASHED' })
    expect((await witness.execute({ query: '{ __typename }' })).data).toEqual({ __typename: 'Query' })
  })

  it('has none on what cannot be stitched', async () => {
    const broken = { ...options(), supergraphSdl: 'type Query { a: Int }' }
    await expect(isolatedSecondOpinion(broken)).rejects.toMatchObject({ code: 'OPINION_NOT_STITCHABLE' })
  })
})
