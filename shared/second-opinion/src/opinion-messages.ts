/** What the thread of a second opinion and the one that asks it tell each other. */
import type { Opinion, OpinionRequest, SubgraphQuestion } from './second-opinion.ts'
import type { SecondOpinionErrorCode } from './second-opinion-error.ts'

/** To the thread. */
export type OpinionTask =
  | { readonly kind: 'execute'; readonly request: OpinionRequest }
  | { readonly kind: 'answer'; readonly id: number; readonly body: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }

/** From the thread. */
export type OpinionReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'not-stitchable'; readonly detail: string }
  | {
      readonly kind: 'question'
      readonly id: number
      readonly subgraph: string
      readonly question: SubgraphQuestion
    }
  | { readonly kind: 'opinion'; readonly opinion: Opinion }
  | { readonly kind: 'none'; readonly code: SecondOpinionErrorCode; readonly detail: string }
