/** Documents tried against one composition as plain data, so that it can be done in a thread. */
import { errorsAgainst, operationNameIn } from '@switchyard/documents'
import { compileSupergraph, type Graph, openGraph } from '@switchyard/engine'

export type DocumentTask = {
  /** SDL of the composition. */
  readonly supergraph: string
  /** Texts. */
  readonly documents: readonly string[]
  /** Whether the result explains why each document cannot be answered. */
  readonly explains: boolean
}

/** Why a composition cannot answer a document: the first of its errors. */
export type DocumentExplanation = {
  /** The name of the document's operation; null if it has none. */
  readonly operationName: string | null
  readonly message: string
  /** Lines and columns in the document, from 1. */
  readonly locations: readonly { readonly line: number; readonly column: number }[]
}

export type DocumentResult = {
  /** Places in the list of the task of documents that the composition cannot answer. */
  readonly unfit: readonly number[]
  /** An explanation for each of these documents if the task asks for explanations; otherwise empty. */
  readonly explanations: readonly DocumentExplanation[]
}

/** Most characters of a message. */
const MAX_MESSAGE = 300
const MAX_LOCATIONS = 3
/** The rules by which the registry checks documents when they are published. */
const RULES = { limits: {}, mayDefer: true, maySubscribe: true }

/** Carries out one task after the other, and keeps the composition of the last one. */
export function documentTrial(): (task: DocumentTask) => DocumentResult {
  let opened: { readonly supergraph: string; readonly graph: Graph } | null = null
  return ({ supergraph, documents, explains }) => {
    if (opened?.supergraph !== supergraph)
      opened = { supergraph, graph: openGraph(compileSupergraph(supergraph)) }
    const { graph } = opened
    const unfit: number[] = []
    const explanations: DocumentExplanation[] = []
    for (const [index, text] of documents.entries()) {
      const operationName = operationNameIn(text)
      const [error] = errorsAgainst({ text, operationName }, graph, RULES)
      if (error === undefined) continue
      unfit.push(index)
      if (!explains) continue
      const message = error.message.slice(0, MAX_MESSAGE)
      explanations.push({ operationName, message, locations: error.locations.slice(0, MAX_LOCATIONS) })
    }
    return { unfit, explanations }
  }
}
