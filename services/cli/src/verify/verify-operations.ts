/** Puts many operations to both gateways, and makes those small that are answered differently. */
import { shrinkOperation } from '@switchyard/samples'
import type { StitchingLimitId } from '@switchyard/second-opinion'
import type { Judge } from './judge.ts'
import type { VerifyOperation } from './operation.ts'
import type { DifferentVerdict, LimitVerdict, OneOnlyVerdict } from './verdict.ts'

/** The operations that are verified, and the judge of each. */
export type VerifyOptions = {
  readonly operations: readonly VerifyOperation[]
  readonly judge: Judge
  /** How much to try for a smaller operation that still differs. */
  readonly shrinkTrials: number
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

/** An operation with its verdict. */
export type JudgedOperation<Kind> = { readonly operation: VerifyOperation; readonly verdict: Kind }

/** Verdicts, sorted by kind. */
export type VerifyReport = {
  readonly operations: number
  readonly equal: number
  /** The number of equal operations whose first answers differed because the data changed in between. */
  readonly moved: number
  readonly different: readonly JudgedOperation<DifferentVerdict>[]
  readonly limited: readonly JudgedOperation<LimitVerdict>[]
  /** Operations per limit; one may show several. */
  readonly limits: ReadonlyMap<StitchingLimitId, number>
  readonly oneOnly: readonly JudgedOperation<OneOnlyVerdict>[]
}

/** The first few show what is wrong; taking apart the hundredth would show no more. */
const MOST_SHRUNK = 5

/** Rejects with the reason of the signal when it aborts. */
export async function verifyOperations(options: VerifyOptions): Promise<VerifyReport> {
  const { operations, judge, signal, onProgress } = options
  let equal = 0
  let moved = 0
  const different: JudgedOperation<DifferentVerdict>[] = []
  const limited: JudgedOperation<LimitVerdict>[] = []
  const oneOnly: JudgedOperation<OneOnlyVerdict>[] = []
  for (const [index, operation] of operations.entries()) {
    signal.throwIfAborted()
    onProgress?.(index, operations.length)
    const verdict = await judge(operation)
    switch (verdict.kind) {
      case 'equal':
        equal++
        if (verdict.runs > 1) moved++
        break
      case 'limit':
        limited.push({ operation, verdict })
        break
      case 'one-only':
        oneOnly.push({ operation, verdict })
        break
      case 'different':
        different.push(
          different.length < MOST_SHRUNK
            ? await shrinkDifference({ operation, verdict }, options)
            : { operation, verdict },
        )
        break
      default:
        verdict satisfies never
    }
  }
  const limits = new Map<StitchingLimitId, number>()
  for (const { verdict } of limited)
    for (const limit of verdict.limits) limits.set(limit, (limits.get(limit) ?? 0) + 1)
  return { operations: operations.length, equal, moved, different, limited, limits, oneOnly }
}

async function shrinkDifference(
  found: JudgedOperation<DifferentVerdict>,
  { judge, shrinkTrials, signal }: VerifyOptions,
): Promise<JudgedOperation<DifferentVerdict>> {
  let smallest = found
  await shrinkOperation(found.operation, {
    maxTrials: shrinkTrials,
    stillShows: async (candidate) => {
      signal.throwIfAborted()
      const operation = { ...found.operation, query: candidate.query, variables: candidate.variables }
      const verdict = await judge(operation)
      const isSame =
        verdict.kind === 'different' && verdict.oneServerAgreesWith === found.verdict.oneServerAgreesWith
      if (isSame) smallest = { operation, verdict }
      return isSame
    },
  })
  return smallest
}
