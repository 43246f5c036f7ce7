/** An execution config named on the command line: one document with all artifacts inlined, trusted as given. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Artifact, ExecutionConfigFile } from '@switchyard/contracts'
import { messageOf } from '../errors.ts'
import type { OfferedConfig } from './offered-config.ts'

const pack = promisify(gzip)

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

/** Throws ExecutionConfigError. */
export async function readExecutionConfig(path: string): Promise<OfferedConfig> {
  const file = await parsed(path)
  const artifacts = new Map<string, Buffer>()
  const hashOf = (artifact: Artifact) => {
    const bytes = Buffer.from(JSON.stringify(artifact))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    artifacts.set(sha256, bytes)
    return sha256
  }
  return {
    source: 'execution config file',
    graph: file.graph === undefined ? null : { namespace: file.graph.namespace, graph: file.graph.name },
    version: { epoch: 0, revision: 0 },
    createdAt: null,
    registrySequence: 0,
    base: hashOf(file.base),
    featureFlags: new Map(Object.entries(file.featureFlags).map(([name, flag]) => [name, hashOf(flag)])),
    signed: null,
    readArtifact: async (sha256) => {
      const bytes = artifacts.get(sha256)
      return bytes === undefined ? null : await pack(bytes)
    },
  }
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
