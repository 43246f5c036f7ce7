/**
 * An execution config named on the command line: one document with all artifacts inlined, trusted as given.
 */
import { readFile } from 'node:fs/promises'
import { ExecutionConfigFile } from '@switchyard/contracts'
import { messageOf } from '@switchyard/values'
import { offerOfFile } from './file-offer.ts'
import type { OfferedConfig } from '../offered-config.ts'

/** The file with the execution config cannot be read, or is none. */
export class ExecutionConfigError extends Error {
  override readonly name = 'ExecutionConfigError'
  readonly code = 'EXECUTION_CONFIG_INVALID'
  constructor(path: string, reason: string, cause: unknown) {
    super(
      `The execution config ${path} cannot be used: ${reason}. Expected: a file made by "router compose" or "graph fetch".`,
      { cause },
    )
  }
}

/**
 * Reads an execution config. With `allowUnenforced`, its access rules deny nothing. Throws
 * ExecutionConfigError.
 */
export async function readExecutionConfig(path: string, allowUnenforced = false): Promise<OfferedConfig> {
  const file = await parsed(path)
  return offerOfFile({
    source: 'execution config file',
    graph: file.graph === undefined ? null : { namespace: file.graph.namespace, graph: file.graph.name },
    base: file.base,
    featureFlags: file.featureFlags,
    documents: file.documents,
    allowUnenforced,
  })
}

async function parsed(path: string): Promise<ExecutionConfigFile> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new ExecutionConfigError(path, `it cannot be read (${messageOf(error)})`, error)
  }
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new ExecutionConfigError(path, 'it is not JSON', error)
  }
  const result = ExecutionConfigFile.safeParse(document)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const place = issue === undefined || issue.path.length === 0 ? 'document' : issue.path.join('.')
  throw new ExecutionConfigError(
    path,
    `its "${place}" is wrong (${issue?.message ?? 'unknown form'})`,
    result.error,
  )
}
