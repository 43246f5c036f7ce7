/**
 * Which features the supergraph says it needs (https://specs.apollo.dev/link/v1.0). A feature that is marked as
 * necessary for security or execution and that is not known here makes the whole supergraph unusable: serving it would
 * give answers its authors did not allow, or wrong ones.
 */
import { type DocumentNode, Kind } from 'graphql'
import { text } from './directives.ts'
import { SupergraphError } from './supergraph-error.ts'

const KNOWN: ReadonlySet<string> = new Set([
  'link',
  'core',
  'join',
  'inaccessible',
  'tag',
  'authenticated',
  'requiresScopes',
  'policy',
  'cost',
  'context',
  'federation',
])

export type Features = { readonly joinVersion: string; readonly inaccessible: string }

export function readFeatures(document: DocumentNode): Features {
  let joinVersion = ''
  let inaccessible = 'inaccessible'
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.SCHEMA_DEFINITION && definition.kind !== Kind.SCHEMA_EXTENSION) continue
    for (const directive of definition.directives ?? []) {
      if (directive.name.value !== 'link' && directive.name.value !== 'core') continue
      const url = text(directive, 'url') ?? text(directive, 'feature')
      if (url === null) continue
      const segments = url.split('/').filter((segment) => segment !== '')
      const last = segments.at(-1) ?? ''
      const versioned = /^v\d+(\.\d+)*$/.test(last)
      const name = (versioned ? segments.at(-2) : last) ?? ''
      if (name === 'join') joinVersion = versioned ? last.slice(1) : ''
      if (name === 'inaccessible') inaccessible = text(directive, 'as') ?? 'inaccessible'
      const purpose = text(directive, 'for')
      if (purpose !== null && !KNOWN.has(name))
        throw new SupergraphError(
          'SUPERGRAPH_UNSUPPORTED_FEATURE',
          `The supergraph needs the feature ${url} for ${purpose}, which this router does not have. Nothing was loaded; compose without it.`,
        )
    }
  }
  if (joinVersion === '')
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      'The document does not link the join specification, so it is not a supergraph; expected the SDL that composition gives, not that of one subgraph.',
    )
  return { joinVersion, inaccessible }
}
