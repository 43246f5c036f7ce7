import { describe, expect, it } from 'vitest'
import { SUITES } from '@switchyard/corpus'
import { STITCHING_LIMITS, type StitchingLimitId } from '../src/index.ts'
import { createWitness, type Verdict } from '@switchyard/corpus/witness'

/**
 * Suites of the engine's corpus that the witness is asked about. Without entries, it answers every operation
 * as one server would; with entries, some of them are beyond a limit of stitching, and the named operation
 * shows which.
 */
const ASKED: Readonly<Record<string, Partial<Record<StitchingLimitId, string>>>> = {
  'batching and de-duplication': {},
  'chained requires': {},
  'types that differ per subgraph': {},
  'extensions with external keys': { aliases: 'aliases' },
  'common inputs': {},
  'interfaces implemented in parts': {},
  interfaces: {},
  'entities that are not there': {},
  'lists of lists': {},
  'resolvable false': {},
  scalars: {},
  override: { 'error-paths': 'a non-null error of the new owner' },
  'variables and arguments': {},
  aliases: { aliases: 'the name __proto__' },
  'values below entities': { 'values-below-entities': 'deepest only' },
  'interface objects': { 'interface-objects': 'on a concrete type' },
  unions: { 'abstract-nulls': 'nulls among members' },
  'requires over abstract types': { 'abstract-requires': 'fragments on a union' },
  'requires by detours': { 'requires-detours': 'inputs below an entity, two hops away' },
  provides: { provides: 'the same type where nothing is provided' },
  mutations: { 'serial-mutations': 'requirements between two writes' },
  'subgraph errors': { 'error-paths': 'below an entity' },
  'sloppy answers': { 'strict-values': 'integers out of range are refused' },
  introspection: { 'introspection-order': 'one type' },
  'what mutations return': { 'shared-mutations': 'a shared field is called once, its rest fetched by key' },
}

/** Limits that `limits.test.ts` shows. */
const SHOWN_ELSEWHERE: readonly StitchingLimitId[] = ['conditions', 'fragments', 'keys-with-lists']

describe('the second opinion', () => {
  const suites = SUITES.filter(({ name }) => Object.hasOwn(ASKED, name))

  it.each(suites)('on $name is that of one server, except for known limits', async (suite) => {
    const shown = ASKED[suite.name] ?? {}
    const ask = await createWitness(suite)
    const verdicts = new Map<string, Verdict>()
    for (const operation of suite.operations) verdicts.set(operation.name, await ask(operation))
    const differing = [...verdicts].filter(([, { kind }]) => kind !== 'equal')
    if (Object.keys(shown).length === 0) expect(Object.fromEntries(differing)).toEqual({})
    for (const [limit, operation] of Object.entries(shown))
      expect(verdicts.get(operation)?.kind, `${limit} is no longer a limit`).toMatch(/differs|none/)
    expect(verdicts.size - differing.length).toBeGreaterThan(0)
  })

  it('is asked about suites that exist', () => {
    expect(suites.map(({ name }) => name).toSorted()).toEqual(Object.keys(ASKED).toSorted())
  })

  it('has an example for every limit', () => {
    const shown = new Set([
      ...SHOWN_ELSEWHERE,
      ...Object.values(ASKED).flatMap((limits) => Object.keys(limits)),
    ])
    expect([...shown].toSorted()).toEqual(STITCHING_LIMITS.map(({ id }) => id).toSorted())
  })
})
