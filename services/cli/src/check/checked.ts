/** What `subgraph check` is asked, and what it found. */
import type { CheckReport, Foreseen } from '@switchyard/schema-checks'

/** The change that is tried out. */
export type Proposal =
  | { readonly kind: 'delete' }
  | {
      readonly kind: 'publish'
      readonly sdl: string
      /** Absent: it came from standard input. */
      readonly file?: string
      /** For one that does not exist yet. */
      readonly routingUrl?: string | undefined
      readonly labels?: readonly string[] | undefined
      /** The subgraph that it replaces: for a feature subgraph that does not exist yet. */
      readonly base?: string | undefined
    }

/** Which subgraph the change is about, and how strictly its result is judged. */
export type CheckOptions = {
  readonly name: string
  readonly proposal: Proposal
  /** true: nothing but a feature subgraph is meant. */
  readonly featureSubgraph: boolean
  readonly allowBreaking: boolean
  /** true: no composition may stop answering a published document. */
  readonly strict: boolean
}

/** Everything that was looked at, for whoever prints it. */
export type CheckedProposal = CheckOptions & {
  readonly namespace: string
  readonly foreseen: Exclude<Foreseen, { readonly kind: 'refused' }>
  readonly report: CheckReport
  /** By subgraph: what errors point into. */
  readonly sources: ReadonlyMap<string, { readonly sdl: string; readonly file?: string }>
}
