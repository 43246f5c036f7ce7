/** The findings of `config diff`, before they are printed. */
import type { SchemaChange } from '@switchyard/schema-checks'
import type { PlanDiff } from '@switchyard/schema-checks/plans'
import type { RevisionSide } from './revision-sides.ts'

/** Everything that differs. */
export type DiffedRevisions = {
  readonly namespace: string
  readonly graph: string
  readonly from: RevisionSide
  readonly to: RevisionSide
  readonly schema: readonly SchemaChange[]
  /** Null if there were no operations to compare. */
  readonly plans: PlanDiff | null
  readonly exitCode: boolean
}
