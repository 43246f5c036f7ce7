/** The stage that composes the schema of one team with that of another team, as a composer does. */
import { buildArtifact, checkSdl, compose, toCompositionMessage } from '@switchyard/composition'
import type { Stage } from '../measuring/stage-thread.ts'

const OTHER = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@external", "@requires"])
  type Query { others: [User!]! @shareable }
  type User @key(fields: "id") { id: ID! name: String @shareable }
  interface Node { id: ID! }`

export const attempt: Stage = (bytes) => {
  const sdl = bytes.toString('utf8')
  if (checkSdl(sdl).length > 0) return { name: 'no SDL', bytesOut: 0, complaint: null }
  const subgraphs = [
    { name: 'published', routingUrl: 'http://published.example/', sdl, baseName: null },
    { name: 'other', routingUrl: 'http://other.example/', sdl: OTHER, baseName: null },
  ]
  const options = { allowUnenforcedAuthorization: false }
  const result = compose({ subgraphs, ...options })
  const hints = result.hints.map(toCompositionMessage)
  const made =
    result.kind === 'failed'
      ? result.errors.map(toCompositionMessage)
      : buildArtifact(result.supergraphSdl, subgraphs, options)
  const bytesOut = JSON.stringify([made, hints]).length
  return { name: result.kind, bytesOut, complaint: null }
}
