/** The question that `subgraph check` is asked, and its findings. */
import type { CheckReport, Foreseen } from '@switchyard/schema-checks'
import type { RegistryClient } from '../registry/registry-client.ts'
import type { CliContext } from '../run/context.ts'

/** The parts of a command's call that a dry run needs. */
export type CheckCall = {
  readonly context: CliContext
  readonly registry: RegistryClient
  readonly namespace: string
}

/** The change that is tried out. */
export type Proposal =
  | { readonly kind: 'delete' }
  /** The promotion of a feature flag, or its undo. */
  | { readonly kind: 'promote' | 'undo' }
  | {
      readonly kind: 'publish'
      readonly sdl: string
      /** Absent if the schema came from standard input. */
      readonly file?: string
      /** The routing URL of a subgraph that does not exist yet. */
      readonly routingUrl?: string | undefined
      readonly labels?: readonly string[] | undefined
      /** The subgraph that a feature subgraph replaces. Only for one that does not exist yet. */
      readonly base?: string | undefined
    }

/** Which subgraph or flag the change is about, and how strictly its result is judged. */
export type CheckOptions = {
  readonly name: string
  readonly proposal: Proposal
  /** True if the name may only be that of a feature subgraph. */
  readonly featureSubgraph: boolean
  readonly allowBreaking: boolean
  /** True if no composition may stop answering a published document. */
  readonly strict: boolean
  /** A time (Unix ms) since when somebody must have used what is removed for it to be breaking, if given. */
  readonly usedSince?: number | undefined
}

/** Everything that was checked, before it is printed. */
export type CheckedProposal = CheckOptions & {
  readonly namespace: string
  readonly foreseen: Exclude<Foreseen, { readonly kind: 'refused' }>
  readonly report: CheckReport
  /** The schemas that errors point into, by the name of their subgraph. */
  readonly sources: ReadonlyMap<string, { readonly sdl: string; readonly file?: string }>
}
