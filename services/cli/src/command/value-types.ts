/** Types for words of the command line: how each is checked, and what the shell offers for it. */
import {
  parseName,
  parseNamespace,
  parsePort,
  parsePreviewName,
  parseReason,
  parsePublicUrl,
  parseRoutingUrl,
} from './arguments.ts'
import { UsageError } from '../run/errors.ts'
import { parseRegistryUrl } from '../registry/find-registry.ts'

/** A kind of names that the registry knows. */
export type ResourceKind =
  | 'namespace'
  | 'federated-graph'
  | 'subgraph'
  | 'base-subgraph'
  | 'feature-subgraph'
  | 'feature-flag'
  | 'rollout'
  | 'preview'

/** Names that the registry knows, files, folders, or one of a few words. */
export type WordCompletion = ResourceKind | 'file' | 'folder' | readonly string[]

/** How a word is checked, and what the shell offers for it. */
export type ValueType<Value> = {
  /** Throws a UsageError that names the word and the rule. */
  readonly parse: (word: string) => Value
  readonly completion?: WordCompletion
}

/** Any word. */
export const anyText: ValueType<string> = { parse: (word) => word }
/** `-` is a name like any other here; what reads standard input says so itself. */
export const filePath: ValueType<string> = {
  parse: (word) => {
    if (word !== '') return word
    throw new UsageError(
      'The name of a file was expected, not an empty word. Is a variable of the shell empty?',
    )
  },
  completion: 'file',
}

/** A folder, which need not exist. */
export const folderPath: ValueType<string> = { parse: (word) => word, completion: 'folder' }

/** An address at which routers reach a subgraph. */
export const routingUrl: ValueType<string> = { parse: parseRoutingUrl }

/** The URL at which browsers reach the routers of a graph. */
export const publicUrl: ValueType<string> = { parse: parsePublicUrl }

/** Why a command is given, in words of the user. */
export const commandReason: ValueType<string> = { parse: parseReason }

/** The address of a registry. */
export const registryUrl: ValueType<string> = {
  parse: (word) => parseRegistryUrl('--registry-url', word),
}

/** The name of a namespace. */
export const namespaceName: ValueType<string> = { parse: parseNamespace, completion: 'namespace' }

/** The name of a federated graph. */
export const graphName = nameOf('federated graph', 'federated-graph')
/** A base subgraph or a feature subgraph. */
export const subgraphName = nameOf('subgraph', 'subgraph')

/** The name of a subgraph that is no feature subgraph. */
export const baseSubgraphName = nameOf('subgraph', 'base-subgraph')

/** The name of a feature subgraph. */
export const featureSubgraphName = nameOf('feature subgraph', 'feature-subgraph')

/** The name of a feature flag. */
export const featureFlagName = nameOf('feature flag', 'feature-flag')

/** The name of a rollout. */
export const rolloutName = nameOf('rollout', 'rollout')

/** The name of a preview, without its random part. */
export const previewName: ValueType<string> = { parse: parsePreviewName, completion: 'preview' }

/** The name of something that does not exist yet: nothing to offer. */
export function newName(kind: string): ValueType<string> {
  return { parse: (word) => parseName(kind, word) }
}

/** A port number from 0 to 65535. `option` is for the message. */
export function port(option: string): ValueType<number> {
  return { parse: (word) => parsePort(option, word) }
}

/** A whole number from 1 on. `option` is for the message. */
export function positiveNumber(option: string): ValueType<number> {
  return {
    parse: (word) => {
      if (/^[1-9]\d{0,14}$/.test(word)) return Number(word)
      throw new UsageError(`${option} takes a number from 1 on, not "${word}".`)
    },
  }
}

/** A whole number from 0 on. `option` is for the message. */
export function wholeNumber(option: string): ValueType<number> {
  return {
    parse: (word) => {
      if (/^(?:0|[1-9]\d{0,14})$/.test(word)) return Number(word)
      throw new UsageError(`${option} takes a whole number, not "${word}".`)
    },
  }
}

/** A whole number of seconds from 1 to 9999. */
export const seconds: ValueType<number> = {
  parse: (word) => {
    if (/^[1-9]\d{0,3}$/.test(word)) return Number(word)
    throw new UsageError(`A number of seconds from 1 to 9999 was expected, not "${word}".`)
  },
}

function nameOf(kind: string, completion: ResourceKind): ValueType<string> {
  return { parse: (word) => parseName(kind, word), completion }
}
