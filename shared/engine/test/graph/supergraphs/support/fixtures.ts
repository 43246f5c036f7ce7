/** The supergraphs that other composers made, with the subgraphs they made them of. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../fixtures/', import.meta.url))
const SUBGRAPH = '.subgraph.graphql'

export type Fixture = {
  readonly supergraphSdl: string
  readonly subgraphs: readonly { readonly name: string; readonly sdl: string; readonly routingUrl: string }[]
}

export const FIXTURES: readonly string[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()

export function readFixture(name: string): Fixture {
  const folder = join(FOLDER, name)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  return {
    supergraphSdl: read('supergraph.graphql'),
    subgraphs: readdirSync(folder)
      .filter((file) => file.endsWith(SUBGRAPH))
      .sort()
      .map((file) => {
        const subgraph = file.slice(0, -SUBGRAPH.length)
        return { name: subgraph, sdl: read(file), routingUrl: `http://${subgraph}.test/` }
      }),
  }
}
