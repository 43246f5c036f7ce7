/** The smallest operation found that is still answered wrongly in the same way. */
import { buildSchema, GraphQLDeferDirective, GraphQLSchema, parse, validate } from 'graphql'
import { NOTHING_LEFT, withoutPart } from '@switchyard/samples'
import type { SuiteOperation } from '../harness/suite.ts'
import type { Bench, Check } from './check-deferred.ts'

const MAX_TRIALS = 600

export async function shrinkDeferred(
  bench: Bench,
  operation: SuiteOperation,
  { rule, seed, check }: { readonly rule: string; readonly seed: number; readonly check: Check },
): Promise<SuiteOperation> {
  const schema = withDefer(bench.suite.monolith)
  const failsBy = async (candidate: SuiteOperation): Promise<boolean> => {
    const verdict = await check(bench, candidate, seed)
    return verdict.kind === 'wrong' && verdict.rule === rule
  }
  let smallest = operation
  let trials = 0
  for (;;) {
    const before = smallest
    for (let position = 0; trials < MAX_TRIALS; trials++) {
      const query = withoutPart(smallest.query, position)
      if (query === null) break
      const isLegal = query !== NOTHING_LEFT && validate(schema, parse(query)).length === 0
      const candidate = isLegal ? { ...smallest, query } : null
      if (candidate !== null && (await failsBy(candidate))) smallest = candidate
      else position++
    }
    if (smallest === before || trials >= MAX_TRIALS) return smallest
  }
}

/** `buildSchema` knows no `@defer`. */
function withDefer(sdl: string): GraphQLSchema {
  const config = buildSchema(sdl).toConfig()
  const others = config.directives.filter(({ name }) => name !== GraphQLDeferDirective.name)
  return new GraphQLSchema({ ...config, directives: [...others, GraphQLDeferDirective] })
}
