/** The operation of a command line: its document, which of its operations is meant, and its variables. */
import { type DocumentNode, type OperationDefinitionNode, parse } from 'graphql'
import { MAX_SDL_BYTES } from '@switchyard/contracts'
import { messageOf } from '@switchyard/values'
import { readTextFile } from '../files/files.ts'
import { readJsonOption } from '../files/json-option.ts'
import type { CliContext } from '../run/context.ts'
import { FileError, Interrupted, UsageError } from '../run/errors.ts'
import type { SentOperation } from './subscription.ts'

/** The words and options that describe the operation. */
export type GivenOperation = {
  /** The document, `@file`, or `-` for standard input. */
  readonly words: readonly string[]
  readonly operationName: string | undefined
  readonly variables: string | undefined
}

export type ReadOperation = { readonly sent: SentOperation; readonly isSubscription: boolean }

/** Throws a UsageError or a FileError. */
export async function readOperation(given: GivenOperation, context: CliContext): Promise<ReadOperation> {
  const [word, ...others] = given.words
  if (word === undefined || others.length > 0)
    throw new UsageError(
      `subscribe takes a URL and a document, not ${others.length === 0 ? 'a URL alone' : `${others.length + 1} words`}: 'subscription { … }' in quotes, @file, or - for standard input.`,
    )
  const query = await readDocument(word, context)
  const variables = await readJsonOption('--variables', given.variables, context)
  const operation = operationIn(parsed(query), given.operationName)
  const sent = {
    query,
    ...(given.operationName === undefined ? {} : { operationName: given.operationName }),
    ...(variables === null ? {} : { variables }),
  }
  return { sent, isSubscription: operation.operation === 'subscription' }
}

async function readDocument(word: string, context: CliContext): Promise<string> {
  if (word.startsWith('@')) return readTextFile({ path: word.slice(1), what: 'document file' }, context.cwd)
  if (word !== '-') return word
  const { stdin, signal } = context
  const bytes = await stdin.readAll(MAX_SDL_BYTES, signal).catch((error: unknown) => {
    if (!signal.aborted) throw new FileError('Standard input cannot be read.', { cause: error })
    throw new Interrupted('Interrupted; nothing was sent.')
  })
  if (bytes.length <= MAX_SDL_BYTES) return new TextDecoder().decode(bytes)
  throw new UsageError(`The document on standard input has more than ${MAX_SDL_BYTES} bytes (8 MiB).`)
}

function parsed(query: string): DocumentNode {
  try {
    return parse(query, { noLocation: true })
  } catch (error) {
    throw new UsageError(`The document is no GraphQL: ${messageOf(error)}`)
  }
}

function operationIn({ definitions }: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = definitions.filter((one) => one.kind === 'OperationDefinition')
  const named = operations.filter((one) => name === undefined || one.name?.value === name)
  const [only] = named
  if (only !== undefined && named.length === 1) return only
  const names = operations.map((one) => one.name?.value ?? 'one without a name').join(', ')
  throw new UsageError(
    name === undefined
      ? `The document has ${operations.length === 0 ? 'no operation' : `several operations (${names}); --operation-name says which`}.`
      : `The document has no operation "${name}"; it has ${names === '' ? 'none' : names}.`,
  )
}
