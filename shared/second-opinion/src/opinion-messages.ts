/** Messages between the thread of a second opinion and its caller. */
import type { MessagePort } from 'node:worker_threads'
import type { Opinion, OpinionRequest, SubgraphQuestion } from './second-opinion.ts'
import type { SecondOpinionErrorCode } from './second-opinion-error.ts'

/** `workerData` of the thread. */
export type OpinionThreadData = { readonly supergraphSdl: string; readonly labels?: ReadonlySet<string> }

export type OpinionTask =
  /** Stitches the supergraph, unless that was done before. */
  | { readonly kind: 'stitch' }
  /**
   * The thread asks subgraphs through the port: `AskedSubgraph` goes out, `SubgraphAnswer` comes in. It keeps
   * the port that it got with its first operation.
   */
  | { readonly kind: 'execute'; readonly request: OpinionRequest; readonly subgraphs?: MessagePort }

export type OpinionResult =
  | { readonly kind: 'stitched' }
  | { readonly kind: 'opinion'; readonly opinion: Opinion }
  | { readonly kind: 'none'; readonly code: SecondOpinionErrorCode; readonly detail: string }

export type AskedSubgraph = {
  readonly id: number
  readonly subgraph: string
  readonly question: SubgraphQuestion
}

export type SubgraphAnswer =
  | { readonly kind: 'answer'; readonly id: number; readonly body: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
