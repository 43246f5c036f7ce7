/** The reports of a router about its guarded rollouts. */
import type { ManifestVersion } from '@switchyard/config-store'
import type { Figures, WindowTotals } from '@switchyard/guards/counting'
import type { JoinedTotals } from './joined-counts.ts'

/** The totals of one guarded rollout since its step began. */
export type StepReport = {
  readonly rollout: string
  readonly step: number
  readonly figures: Figures
  /** The requests inside that no group has. They are for the primary, and are not sent to anybody else. */
  readonly joined: JoinedTotals
  /** The figures for which the rollout is treated as 0 %; null if it is not. */
  readonly stopped: WindowTotals | null
}

/** The reports of all guarded rollouts of a config, of the same moment. */
export type StepReports = {
  readonly version: ManifestVersion
  readonly steps: readonly StepReport[]
}

/** A rollout that a router treats as 0 % as long as it serves one manifest. */
export type StoppedRollout = {
  readonly rollout: string
  /** The manifest, as `manifestOf` names it. */
  readonly manifest: string
  readonly totals: WindowTotals
}

/** Names the manifest of a config: numbers are given a second time once a log was restored. */
export function manifestOf({
  version: { epoch, revision },
  createdAt,
}: {
  readonly version: ManifestVersion
  readonly createdAt: string | null
}): string {
  return `${epoch}/${revision}/${createdAt}`
}
