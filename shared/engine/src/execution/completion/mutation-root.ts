/**
 * "If a non-null root field fails, the remaining ones are not executed",
 * https://spec.graphql.org/draft/#sec-Mutation.
 */
import type { ObjectShape } from '../../plan/contract/plan.ts'
import type { Pace, Task } from '../../work/slices.ts'
import type { ResponseStore } from '../joining/response-store.ts'
import { Completion } from './completion.ts'
import type { CompletionSources } from './completion-sources.ts'

/**
 * Finds out whether a non-null root field of a mutation has failed, among the fields whose fetch has
 * answered.
 *
 * The plan lets a mutation wait for everything below the fields before it, so those fields can be completed
 * by now. Errors are not reported here: the completion of the response reports them.
 */
export function* hasFailedRootField(
  sources: CompletionSources,
  store: ResponseStore,
  shape: ObjectShape,
  pace: Pace,
): Task<boolean> {
  const completion = new Completion(sources, { add: () => {}, explains: () => true }, null)
  for (const field of shape.cases.flatMap(({ fields }) => fields)) {
    if (field.kind !== 'field' || !field.nonNull || !store.isSettled(field.fetch)) continue
    if (sources.plan.fetches[field.fetch]?.operation !== 'mutation') continue
    completion.beginRootField(field)
    if (!completion.proceed(pace.slice)) yield completion
    if (completion.isViolated) return true
  }
  return false
}
