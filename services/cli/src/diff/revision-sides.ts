/** The two sides of `config diff`: which revision is meant by a word, and what it serves. */
import { type Artifact, ExecutionConfigFile, RevisionList, RouterList } from '@switchyard/contracts'
import type { CliContext } from '../run/context.ts'
import { LocalRefusal, UsageError } from '../run/errors.ts'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'

/** How a revision is named: by its number, as the newest one, or as the one that routers serve. */
export type RevisionWord = number | 'latest' | 'live'

/** The parts of the command's call that `config diff` needs. */
export type DiffCall = {
  readonly context: CliContext
  readonly registry: RegistryClient
  readonly namespace: string
}

/** One side, as it was asked for. */
export type SideWords = { readonly word: RevisionWord; readonly featureFlag: string | undefined }

/** One side, as it is compared. */
export type RevisionSide = {
  readonly revision: number
  /** Null means the base graph. */
  readonly featureFlag: string | null
  readonly artifact: Artifact
  readonly documents: NonNullable<ExecutionConfigFile['documents']>
}

/** Throws a UsageError for a word that names no revision. */
export function parseRevisionWord(word: string): RevisionWord {
  if (word === 'latest' || word === 'live') return word
  if (/^[1-9]\d{0,14}$/.test(word)) return Number(word)
  throw new UsageError(
    `A revision is a number from 1 on, latest (the newest one), or live (the one that routers serve), not "${word}".`,
  )
}

/** Throws a CliError where there is no such revision, or it is not kept. */
export async function readSide(
  call: DiffCall,
  graph: string,
  { word, featureFlag }: SideWords,
): Promise<RevisionSide> {
  const revision = await numberOf(call, graph, word)
  const query = new URLSearchParams({ revision: String(revision) })
  if (featureFlag === undefined) query.set('flags', 'none')
  else query.append('featureFlag', featureFlag)
  const path = `${apiPath('graphs', call.namespace, graph, 'execution-config')}?${query.toString()}`
  const file = await call.registry.get(path, ExecutionConfigFile)
  const flags = new Map(Object.entries(file.featureFlags))
  const artifact = featureFlag === undefined ? file.base : flags.get(featureFlag)
  if (artifact === undefined)
    throw new LocalRefusal('NOT_FOUND', `Revision ${revision} has no feature flag "${featureFlag ?? ''}".`)
  return { revision, featureFlag: featureFlag ?? null, artifact, documents: file.documents ?? [] }
}

async function numberOf(call: DiffCall, graph: string, word: RevisionWord): Promise<number> {
  switch (word) {
    case 'latest':
      return newestRevision(call, graph)
    case 'live':
      return servedRevision(call, graph)
    default:
      return word
  }
}

async function newestRevision({ registry, namespace }: DiffCall, graph: string): Promise<number> {
  const path = `${apiPath('graphs', namespace, graph, 'revisions')}?limit=1`
  const newest = (await registry.get(path, RevisionList)).revisions[0]?.revision
  if (newest !== undefined) return newest
  throw new LocalRefusal(
    'NOT_FOUND',
    `Federated graph "${graph}" has no revision yet: nothing of it composed.`,
  )
}

/** The one that all living routers serve. */
async function servedRevision({ registry, namespace }: DiffCall, graph: string): Promise<number> {
  const query = new URLSearchParams({ namespace, graph })
  const { routers } = await registry.get(`${apiPath('routers')}?${query.toString()}`, RouterList)
  const serving = routers.filter(({ alive, state }) => alive && state === 'serving')
  const strangers = serving.filter(({ serves }) => serves === 'not-in-log' || serves === 'none')
  if (strangers.length > 0) {
    const names = strangers.map(({ instance }) => instance).join(', ')
    throw new LocalRefusal(
      'NOT_FOUND',
      `What is live cannot be compared: ${names} ${strangers.length === 1 ? 'serves' : 'serve'} what the event log does not have. "router list" tells more.`,
    )
  }
  const byRevision = Map.groupBy(serving, ({ revision }) => revision)
  const [only] = byRevision.keys()
  if (only !== undefined && byRevision.size === 1) return only
  if (only === undefined) {
    throw new LocalRefusal(
      'NOT_FOUND',
      `No router that is alive serves federated graph "${graph}", so nothing is live. Name a revision by its number, or latest.`,
    )
  }
  const list = [...byRevision].map(
    ([revision, them]) => `${revision} (${them.map(({ instance }) => instance).join(', ')})`,
  )
  throw new LocalRefusal(
    'NOT_FOUND',
    `Routers serve several revisions of federated graph "${graph}" now: ${list.join(', ')}. Name one by its number, or try again when all have taken the newest.`,
  )
}
