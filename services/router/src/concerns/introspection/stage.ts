/** Answers what an operation asks of the schema itself. */
import type { ExecuteOptions, Plan } from '@switchyard/engine'
import type { Arrived } from '../../request/arrived.ts'
import type { GraphIntrospections } from './introspections.ts'
import type { Stage } from '../../request/stage.ts'

/** The answer to what the plan asks of the schema; null if it asks for nothing. */
export type Introspected = Required<Pick<ExecuteOptions, 'introspection'>>

/** A request whose plan may ask for something of the schema. */
type Planned = Arrived & {
  readonly plan: Plan
  readonly variables: ReadonlyMap<string, unknown>
  readonly held: { readonly generation: { readonly introspections: GraphIntrospections } }
}

/** A promise if the operation asks for anything of the schema. It rejects with RequestError. */
export function answerIntrospection(): Stage<Planned, Introspected> {
  return {
    waitsFor: null,
    run: ({ exchange, plan, variables, held: { generation }, lookUpClient }) => {
      exchange.report.enter('execute')
      if (plan.introspection === null) return { introspection: null }
      return generation.introspections
        .answer(plan.introspection, variables, lookUpClient)
        .then((introspection) => ({ introspection }))
    },
  }
}
