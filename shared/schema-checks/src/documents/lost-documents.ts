/**
 * Which published documents a change would take from clients: those that a composition answers now and would
 * not answer after it. A document that fits no composition today is not the change's doing.
 */
import type { DocumentExplanation } from '../threads/document-task.ts'
import { DocumentTrials } from '../threads/document-trials.ts'
import type { RunOptions } from '../threads/run-tasks.ts'
import { FitTable } from './fit-table.ts'
import { distinctDocuments, type DistinctDocument, type PublishedManifest } from './published-manifest.ts'

/** The SDL of a composition now and after the change, or null if there is no such composition. */
export type TriedComposition = {
  /** The name of the flag, or null for the base. */
  readonly featureFlag: string | null
  readonly before: string | null
  readonly after: string | null
}

export type TriedGraph = {
  readonly graph: string
  readonly manifests: readonly PublishedManifest[]
  readonly compositions: readonly TriedComposition[]
}

/** A composition that would no longer answer a document, with the first error that it would give. */
export type LostIn = { readonly featureFlag: string | null } & Omit<DocumentExplanation, 'operationName'>

export type LostDocument = Omit<DistinctDocument, 'text'> & {
  readonly graph: string
  /** The name of its operation; null if the operation has none. */
  readonly operationName: string | null
  /** Whether some other composition of the graph would answer it. */
  readonly answeredElsewhere: boolean
  /** The first ones of `compositionCount`. */
  readonly compositions: readonly LostIn[]
  readonly compositionCount: number
}

export type DocumentReport = {
  /** Documents of graphs in which a composition would be another one. */
  readonly tried: number
  /** Lost documents that no composition of their graph would answer, and those that some would. */
  readonly unanswered: number
  readonly partlyAnswered: number
  /** The first ones, those that nothing would answer before the others. */
  readonly lost: readonly LostDocument[]
}

export const NOTHING_LOST: DocumentReport = { tried: 0, unanswered: 0, partlyAnswered: 0, lost: [] }

const MAX_LOST = 50
const MAX_COMPOSITIONS = 10

/** Finds the documents that a change would lose. Without documents no thread is started. */
export async function findLostDocuments(
  graphs: readonly TriedGraph[],
  options: RunOptions,
): Promise<DocumentReport> {
  await using trials = new DocumentTrials(options)
  let tried = 0
  const foundIn: (readonly Loss[])[] = []
  for (const graph of graphs) {
    const changed = graph.compositions.filter(isOther)
    const documents = changed.length === 0 ? [] : distinctDocuments(graph.manifests)
    if (documents.length === 0) continue
    tried += documents.length
    foundIn.push(await lossesIn(graph, { documents, changed }, trials))
  }
  const found = foundIn.flat()
  const unanswered = found.filter(({ answeredElsewhere }) => !answeredElsewhere)
  const partly = found.filter(({ answeredElsewhere }) => answeredElsewhere)
  const lost = await explained([...unanswered, ...partly].slice(0, MAX_LOST), trials)
  return { tried, unanswered: unanswered.length, partlyAnswered: partly.length, lost }
}

type Changed = TriedComposition & { readonly before: string; readonly after: string }
type Loss = {
  readonly graph: string
  readonly document: DistinctDocument
  readonly answeredElsewhere: boolean
  readonly in: readonly Changed[]
}

function isOther(composition: TriedComposition): composition is Changed {
  const { before, after } = composition
  return before !== null && after !== null && before !== after
}

async function lossesIn(
  { graph, compositions }: TriedGraph,
  {
    documents,
    changed,
  }: { readonly documents: readonly DistinctDocument[]; readonly changed: readonly Changed[] },
  trials: DocumentTrials,
): Promise<readonly Loss[]> {
  const fits = new FitTable(documents, trials)
  const all = [...documents.keys()]
  await fits.tryAll(changed.map(({ after }) => [after, all]))
  await fits.tryAll(changed.map(({ before, after }) => [before, fits.unfitOf(all, after)]))
  const lostIn = new Map<number, Changed[]>()
  for (const composition of changed) {
    for (const place of fits.unfitOf(all, composition.after)) {
      if (fits.isUnfit(place, composition.before)) continue
      const others = lostIn.get(place)
      if (others === undefined) lostIn.set(place, [composition])
      else others.push(composition)
    }
  }
  const afterwards = compositions.flatMap(({ after }) => (after === null ? [] : [after]))
  await fits.tryAll(afterwards.map((after) => [after, [...lostIn.keys()]]))
  return [...lostIn].flatMap(([place, inThese]) => {
    const document = documents[place]
    const answeredElsewhere = afterwards.some((after) => !fits.isUnfit(place, after))
    return document === undefined ? [] : [{ graph, document, answeredElsewhere, in: inThese }]
  })
}

async function explained(losses: readonly Loss[], trials: DocumentTrials): Promise<readonly LostDocument[]> {
  const bySupergraph = new Map<string, Set<string>>()
  for (const { document, in: lostIn } of losses)
    for (const { after } of lostIn.slice(0, MAX_COMPOSITIONS))
      bySupergraph.set(after, (bySupergraph.get(after) ?? new Set()).add(document.text))
  const tasks = [...bySupergraph].map(([supergraph, texts]) => ({ supergraph, documents: [...texts] }))
  const answers = await trials.explain(tasks)
  const explanations = new Map(
    tasks.map(({ supergraph, documents }, task) => [
      supergraph,
      new Map(documents.map((text, index) => [text, answers[task]?.[index]] as const)),
    ]),
  )
  return losses.map(({ graph, document: { text, ...document }, answeredElsewhere, in: lostIn }) => {
    let name: string | null = null
    const compositions: LostIn[] = []
    for (const { featureFlag, after } of lostIn.slice(0, MAX_COMPOSITIONS)) {
      const explanation = explanations.get(after)?.get(text)
      if (explanation === undefined) continue
      const { operationName, ...error } = explanation
      name = operationName
      compositions.push({ featureFlag, ...error })
    }
    const common = { graph, ...document, operationName: name, answeredElsewhere }
    return { ...common, compositions, compositionCount: lostIn.length }
  })
}
