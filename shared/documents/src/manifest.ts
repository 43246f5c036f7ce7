/**
 * Manifests of documents, as the compilers of clients write them: an object of texts by identifier (Relay,
 * GraphQL Code Generator), or Apollo's format `apollo-persisted-query-manifest`.
 */
import { setImmediate } from 'node:timers/promises'
import { isJsonObject, type JsonObject, readJsonInTurns, WorkBudget } from '@switchyard/engine'
import { inTurns } from '@switchyard/service-kit/in-turns'
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, print } from 'graphql'
import { messageOf } from '@switchyard/values'
import { type DocumentKey, isKeyOf, isSha256, documentKey, MAX_ID } from './document-id.ts'
import { normalHash } from './normal-text.ts'

/** A manifest of documents. `clients` are the names of the clients that may use it; null for all clients. */
export type ParsedManifest = {
  /** The name that problems with it are reported by: of a file, or of a manifest that was published. */
  readonly name: string
  readonly clients: readonly string[] | null
  readonly documents: readonly ManifestDocument[]
}

/** A document of a manifest, which was parsed but not validated. */
export type ManifestDocument = {
  readonly key: DocumentKey
  readonly text: string
  /** The name of its first operation; null if that has none. */
  readonly operationName: string | null
  /**
   * Hashes of its text, and of the text that graphql-js prints of it. White space, commas and comments make
   * no difference to them.
   */
  readonly normalHashes: readonly string[]
}

/** Thrown for a manifest that cannot be used. `problems` each name the document that they are about. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('; '))
    this.problems = problems
  }
}

/** Values in a manifest; an operation in Apollo's format has six. */
const MAX_VALUES = 2_000_000
const MAX_DEPTH = 8
/** Characters of a document. Reading one of this length, or with this many tokens, takes some 40 ms. */
export const MAX_DOCUMENT = 200_000
const MAX_TOKENS = 25_000
const MAX_PROBLEMS = 10
const MAX_SHOWN = 80
const APOLLO_FORMAT = 'apollo-persisted-query-manifest'
const ID = /^[\u0021-\u007e]+$/

const EXPECTED = `expected a JSON object of documents by identifier, or the format ${APOLLO_FORMAT}`
const TURNS = { next: (): Promise<void> => setImmediate() }

/** The documents of a manifest, read in turns of the event loop. Rejects with a ManifestError. */
export async function readManifest(json: Uint8Array): Promise<readonly ManifestDocument[]> {
  const entries = entriesOf(await parsedJson(json))
  const documents: ManifestDocument[] = []
  const problems: string[] = []
  await inTurns(entries, (entry) => {
    const document = documentOf(entry)
    if (typeof document === 'string') problems.push(`${shown(entry.id)} ${document}`)
    else documents.push(document)
  })
  if (problems.length > 0) throw new ManifestError(boundedProblems(problems))
  return documents
}

/** Returns at most ten problems, and the number of the others. */
export function boundedProblems(problems: readonly string[]): readonly string[] {
  const more = problems.length - MAX_PROBLEMS
  return more <= 0 ? problems : [...problems.slice(0, MAX_PROBLEMS), `and ${more} more problems`]
}

async function parsedJson(json: Uint8Array): Promise<unknown> {
  const exceeded = () =>
    new ManifestError([`it holds more or deeper values than a manifest can; ${EXPECTED}`])
  try {
    return await readJsonInTurns([json], TURNS, {
      budget: new WorkBudget(MAX_VALUES, exceeded),
      maxDepth: MAX_DEPTH,
      exceeded,
    })
  } catch (error) {
    throw error instanceof ManifestError ? error : new ManifestError([`it is not JSON (${messageOf(error)})`])
  }
}

type Entry = { readonly id: unknown; readonly text: unknown; readonly clientName: unknown }

function entriesOf(manifest: unknown): readonly Entry[] {
  if (!isJsonObject(manifest)) throw new ManifestError([EXPECTED])
  if (Array.isArray(manifest['operations'])) return entriesOfApollo(manifest, manifest['operations'])
  return Object.entries(manifest).map(([id, text]) => ({ id, text, clientName: null }))
}

function entriesOfApollo({ format, version }: JsonObject, operations: readonly unknown[]): readonly Entry[] {
  if (format !== APOLLO_FORMAT || version !== 1)
    throw new ManifestError([`"operations" is of another format; expected ${APOLLO_FORMAT} in version 1`])
  return operations.map((operation) => {
    const { id, body, clientName } = isJsonObject(operation) ? operation : {}
    return { id, text: body, clientName }
  })
}

/** Returns the document of an entry, or a text that says what is wrong with it. */
function documentOf({ id, text, clientName }: Entry): ManifestDocument | string {
  if (typeof id !== 'string' || !ID.test(id) || id.length > MAX_ID)
    return `is no identifier; expected 1 to ${MAX_ID} characters of ASCII without spaces`
  if (typeof text !== 'string') return 'has no text of a document'
  if (text.length > MAX_DOCUMENT) return `has more than the ${MAX_DOCUMENT} characters allowed`
  if (clientName !== undefined && clientName !== null)
    return 'has a "clientName"; expected a manifest for each client, with "clients" in the settings'
  const key = documentKey(id)
  if (isSha256(key) && !isKeyOf(key, text)) return 'is not the SHA-256 of its text'
  return parsedDocument({ key, text })
}

function parsedDocument(given: Pick<ManifestDocument, 'key' | 'text'>): ManifestDocument | string {
  const { text } = given
  try {
    const document = parsed(text)
    const operation = firstOperation(document)
    if (operation === null) return 'has no operation'
    return { ...given, operationName: operation.name?.value ?? null, normalHashes: hashesOf(text, document) }
  } catch (error) {
    return `is no GraphQL document (${messageOf(error)})`
  }
}

/**
 * Returns the name of the first operation in a text, which is the one that is carried out; null if it has
 * none.
 */
export function operationNameIn(text: string): string | null {
  try {
    return firstOperation(parsed(text))?.name?.value ?? null
  } catch {
    return null
  }
}

function parsed(text: string): DocumentNode {
  return parse(text, { noLocation: true, maxTokens: MAX_TOKENS })
}

function firstOperation({ definitions }: DocumentNode): OperationDefinitionNode | null {
  return definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION) ?? null
}

function hashesOf(text: string, document: DocumentNode): readonly string[] {
  const hashes = [normalHash(text), normalHash(print(document))]
  return [...new Set(hashes.filter((one) => one !== null))]
}

function shown(id: unknown): string {
  return typeof id === 'string' ? JSON.stringify(id.slice(0, MAX_SHOWN)) : 'An operation without an "id"'
}
