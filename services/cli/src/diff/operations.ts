/** Operations whose plans are compared: those of files, or of the documents that are published. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { distinctDocuments } from '@switchyard/schema-checks'
import type { FoundOperations, NamedOperation } from '@switchyard/schema-checks/plans'
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  separateOperations,
} from 'graphql'
import { messageOf } from '@switchyard/values'
import { FileError, LocalRefusal } from '../run/errors.ts'
import { readTextFile } from '../files/files.ts'
import { documentPaths } from '../verify/read-operations.ts'
import type { RevisionSide } from './revision-sides.ts'

/** Every operation of a file, or of each `*.graphql` file of a folder. Throws a CliError. */
export async function operationsOfFiles(path: string, cwd: string): Promise<FoundOperations> {
  const isFolder = await stat(resolve(cwd, path)).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      throw new FileError(`The file or folder of operations ${path} cannot be read: ${messageOf(error)}.`, {
        cause: error,
      })
    },
  )
  const operations: NamedOperation[] = []
  for (const file of isFolder ? await documentPaths(path, cwd) : [path]) {
    const text = await readTextFile({ path: file, what: 'file of operations' }, cwd)
    const document = documentOf(text, file)
    // Clients send each of them alone: one that is not valid says nothing about the others of its file.
    const separate = new Map(Object.entries(separateOperations(document)))
    for (const { name, loc } of operationsIn(document)) {
      const operationName = name?.value ?? null
      const line = loc?.startToken.line ?? 1
      operations.push({
        name: `${file}:${line}${operationName === null ? '' : ` ${operationName}`}`,
        document: print(separate.get(operationName ?? '') ?? document),
        operationName,
      })
    }
  }
  if (operations.length > 0) return { operations, origin: `from ${path}` }
  throw new LocalRefusal('NOT_FOUND', `${path} holds no operation${isFolder ? ' in a *.graphql file' : ''}.`)
}

/** The documents that are published on either side; null if there are none. */
export function publishedOperations(from: RevisionSide, to: RevisionSide): FoundOperations | null {
  const documents = distinctDocuments([...to.documents, ...from.documents])
  if (documents.length === 0) return null
  const operations = documents.flatMap(({ id, manifests, text }) => {
    const where = `${manifests[0] ?? ''} ${id.slice(0, 12)}`
    return operationsIn(documentOf(text, where)).map(({ name }) => {
      const operationName = name?.value ?? null
      return {
        name: operationName === null ? where : `${operationName} (${where})`,
        document: text,
        operationName,
      }
    })
  })
  return { operations, origin: 'of the published documents' }
}

function operationsIn({ definitions }: DocumentNode): readonly OperationDefinitionNode[] {
  return definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
}

function documentOf(text: string, where: string): DocumentNode {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const { line, column } = error.locations?.[0] ?? { line: 1, column: 1 }
    throw new LocalRefusal('OPERATION_INVALID', `${where} cannot be read as a GraphQL document.`, {
      problems: [`${where}:${line}:${column}: ${error.message}`],
    })
  }
}
