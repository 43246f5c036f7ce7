/**
 * A supergraph named on the command line, by whatever composer: trusted as given. Routing URLs are those of
 * `@join__graph(url:)`.
 */
import { readFile } from 'node:fs/promises'
import { missingScheme, isRoutingUrl } from '@switchyard/contracts'
import { describeSupergraph, type SupergraphDescription } from '@switchyard/engine'
import { messageOf } from '@switchyard/values'
import { offerOfFile } from './file-offer.ts'
import type { OfferedConfig } from '../offered-config.ts'
import type { RouterCommandErrorCode } from '../../errors/command-errors.ts'

/** The supergraph file cannot be read, or cannot be served. */
export class SupergraphFileError extends Error {
  override readonly name = 'SupergraphFileError'
  readonly code: RouterCommandErrorCode = 'SUPERGRAPH_FILE_INVALID'
  constructor(path: string, reason: string, cause?: unknown) {
    super(`The supergraph file ${path} cannot be served. ${reason}`, { cause })
  }
}

/**
 * Reads a supergraph. With `allowUnenforced`, its access rules deny nothing. Throws SupergraphFileError. The
 * types of the supergraph are checked later, when it is compiled.
 */
export async function readSupergraphFile(path: string, allowUnenforced = false): Promise<OfferedConfig> {
  const supergraphSdl = await textOf(path)
  let description: SupergraphDescription
  try {
    description = describeSupergraph(supergraphSdl)
  } catch (error) {
    throw new SupergraphFileError(path, messageOf(error), error)
  }
  const { subgraphs, joinVersion } = description
  for (const { name, url } of subgraphs) {
    if (isRoutingUrl(url)) continue
    const given = url === '' ? 'no URL' : `the URL "${url}"`
    throw new SupergraphFileError(
      path,
      `The subgraph "${name}" has ${given} in @join__graph; ${missingScheme(url) ?? 'expected http:// or https://, without user, password and #fragment.'}`,
    )
  }
  return offerOfFile({
    source: 'supergraph file',
    graph: null,
    base: {
      formatVersion: 1,
      supergraphSdl,
      subgraphs: subgraphs.map(({ name, url }) => ({ name, routingUrl: url })),
      compatibilityVersion: `join/v${joinVersion}`,
    },
    featureFlags: {},
    allowUnenforced,
  })
}

async function textOf(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    throw new SupergraphFileError(path, `It cannot be read as UTF-8 text: ${messageOf(error)}`, error)
  }
}
