/** Prints failures of compositions. An error of several compositions is printed once, below their names. */
import type { CompositionMessage } from '@switchyard/contracts'
import type { PrintableSources } from '@switchyard/composition/printing'
import { printErrors } from './composition-messages.ts'
import { type GraphVariant, printVariants } from './graph-variant.ts'
import type { Style } from './style.ts'

/** A composition that failed. */
export type CompositionFailure = GraphVariant & {
  readonly errors: readonly CompositionMessage[]
  readonly errorCount: number
}

/** The words before and after the names of compositions, such as `error: ` and `does not compose`. */
export type FailureHead = { readonly before: string; readonly after: string }

export type FailurePrinting<One extends CompositionFailure> = {
  /** Returns the words for `count` compositions, of which `failure` is one. */
  readonly headOf: (failure: One, count: number) => FailureHead
  /** Names of compositions, as `printVariants` has them if it is absent. */
  readonly namesOf?: (variants: readonly GraphVariant[]) => string
  readonly sources: PrintableSources
  readonly style: Style
}

/** Returns a block of lines for each set of compositions that fail with the same errors. */
export function printFailures<One extends CompositionFailure>(
  failures: readonly One[],
  { headOf, namesOf = printVariants, sources, style }: FailurePrinting<One>,
): readonly string[] {
  const said = new Map<string, readonly GraphVariant[]>()
  const groups = Map.groupBy(failures, ({ errors, errorCount }) => JSON.stringify([errorCount, errors]))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const fresh = first.errors.filter((error) => !said.has(JSON.stringify(error)))
    const known = first.errors.length - fresh.length
    const earlier = first.errors
      .map((error) => said.get(JSON.stringify(error)))
      .find((one) => one !== undefined)
    for (const error of fresh) said.set(JSON.stringify(error), group)
    const again =
      earlier === undefined
        ? []
        : [`${known} of its ${known === 1 ? 'error is' : 'errors are'} shown above, for ${namesOf(earlier)}.`]
    const body = printErrors(
      { ...first, errors: fresh, errorCount: first.errorCount - known },
      sources,
      style,
    )
    return [...headsOf(group, headOf, namesOf), ...again, ...(fresh.length === 0 ? [] : body)].join('\n')
  })
}

/** Returns `does not compose` for one composition and `do not compose` for several. */
export function failing(count: number): string {
  return `${count === 1 ? 'does' : 'do'} not compose`
}

/** Returns one line for all failures that have the same words. */
function headsOf<One extends CompositionFailure>(
  failures: readonly One[],
  headOf: FailurePrinting<One>['headOf'],
  namesOf: (variants: readonly GraphVariant[]) => string,
): readonly string[] {
  const heads = Map.groupBy(failures, (failure) => JSON.stringify(headOf(failure, 1)))
  return [...heads.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { before, after } = headOf(first, group.length)
    return [`${before}${namesOf(group)} ${after}.`]
  })
}
