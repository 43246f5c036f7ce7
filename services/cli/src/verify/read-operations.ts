/**
 * A folder of operations: every operation of every `*.graphql` file, at any depth.
 *
 * `orders.variables.json` beside `orders.graphql` holds values for all operations of that file, each takes
 * those it declares; `orders.ListOrders.variables.json` holds more for one of them.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  type Graph,
  isJsonObject,
  type OperationKind,
  prepareOperation,
  RequestError,
} from '@switchyard/engine'
import { GraphQLError, Kind, type OperationDefinitionNode, parse } from 'graphql'
import { messageOf } from '@switchyard/values'
import { FileError } from '../run/errors.ts'
import { readTextFile } from '../files/files.ts'
import type { VerifyOperation } from './operation.ts'

/** An operation of the user with values for its variables. */
export type UserOperation = VerifyOperation & { readonly kind: OperationKind }

/** Where a document is wrong, and why. */
export type InvalidOperation = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** All operations of a folder. */
export type ReadOperations = {
  readonly operations: readonly UserOperation[]
  readonly invalid: readonly InvalidOperation[]
}

/** Throws a FileError where the folder, or a file of variables, cannot be used. */
export async function readOperations(graph: Graph, folder: string, cwd: string): Promise<ReadOperations> {
  const operations: UserOperation[] = []
  const invalid: InvalidOperation[] = []
  for (const path of await documentPaths(folder, cwd)) {
    const text = await readTextFile({ path, what: 'file of operations' }, cwd)
    const definitions = definitionsOf(text, path, invalid)
    for (const definition of definitions) {
      const operationName = definition.name?.value ?? null
      const { line, column } = definition.loc?.startToken ?? { line: 1, column: 1 }
      const variables = await readVariables(path, operationName, cwd)
      try {
        const prepared = prepareOperation(graph, { document: text, operationName })
        prepared.coerceVariables({ ...variables })
        const declared = new Set(definition.variableDefinitions?.map(({ variable }) => variable.name.value))
        operations.push({
          name: `${path}:${line}${operationName === null ? '' : ` ${operationName}`}`,
          query: text,
          variables: Object.fromEntries(Object.entries(variables).filter(([name]) => declared.has(name))),
          operationName,
          kind: prepared.kind,
        })
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        for (const { message, locations } of error.errors)
          addOnce(invalid, { file: path, ...(locations?.[0] ?? { line, column }), message })
      }
    }
  }
  return { operations, invalid }
}

/** Adds problems once: every operation of a file repeats the problems of the file's definitions. */
function addOnce(invalid: InvalidOperation[], added: InvalidOperation): void {
  const isKnown = invalid.some((known) => JSON.stringify(known) === JSON.stringify(added))
  if (!isKnown) invalid.push(added)
}

/** The `*.graphql` files of a folder, at any depth, sorted. */
export async function documentPaths(folder: string, cwd: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(resolve(cwd, folder), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && /\.(?:graphql|gql)$/.test(entry.name))
      .map((entry) => join(folder, entry.parentPath.slice(resolve(cwd, folder).length), entry.name))
      .toSorted()
  } catch (error) {
    throw new FileError(`The folder of operations ${folder} cannot be read.`, { cause: error })
  }
}

function definitionsOf(
  text: string,
  file: string,
  invalid: InvalidOperation[],
): readonly OperationDefinitionNode[] {
  try {
    return parse(text).definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const { line, column } = error.locations?.[0] ?? { line: 1, column: 1 }
    invalid.push({ file, line, column, message: error.message })
    return []
  }
}

async function readVariables(
  path: string,
  operationName: string | null,
  cwd: string,
): Promise<Readonly<Record<string, unknown>>> {
  const stem = path.replace(/\.(?:graphql|gql)$/, '')
  const shared = await readObject(`${stem}.variables.json`, cwd)
  const own = operationName === null ? {} : await readObject(`${stem}.${operationName}.variables.json`, cwd)
  return { ...shared, ...own }
}

async function readObject(path: string, cwd: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string
  try {
    text = await readFile(resolve(cwd, path), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new FileError(`The file of variables ${path} cannot be read.`, { cause: error })
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch (error) {
    throw new FileError(`The file of variables ${path} is no JSON: ${messageOf(error)}`, { cause: error })
  }
  throw new FileError(`The file of variables ${path} holds no JSON object.`)
}
