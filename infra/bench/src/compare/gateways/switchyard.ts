/** Switchyard as its users start it: composed by the command line, served by `switchyard router start`. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { REPOSITORY } from '@switchyard/lab'
import { stringify } from 'yaml'
import { z } from 'zod'
import type { Gateway, Place } from './gateway.ts'

const LAUNCHER = join(REPOSITORY, 'scripts/switchyard')
const run = promisify(execFile)

export const switchyard: Gateway = {
  name: 'Switchyard',
  version: () =>
    z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))).version,
  can: ['deferred', 'traced', 'flags', 'workers'],
  async prepare(place) {
    const { folder, port, setUp } = place
    await composeConfig(place)
    await writeFile(
      join(folder, 'router.yaml'),
      stringify({
        headers: { request: [{ propagate: 'authorization' }] },
        dev_mode: true,
        engine: { enable_defer: true },
        workers: setUp.workers,
        access_log: { enabled: false },
      }),
    )
    const files = ['--execution-config', join(folder, 'config.json'), '--config', join(folder, 'router.yaml')]
    return {
      words: [LAUNCHER, 'router', 'start', ...files, '--port', String(port)],
      env: { SWITCHYARD_METRICS_PORT: '0', SWITCHYARD_LOG_LEVEL: 'warn' },
    }
  },
}

/** Composes the configuration. Its supergraph serves other gateways, too. */
export async function composeConfig({
  folder,
  setUp,
  subgraphs,
  subgraphUrl,
}: Omit<Place, 'supergraph' | 'port'>): Promise<string> {
  for (const [name, sdl] of Object.entries(subgraphs)) await writeFile(join(folder, `${name}.graphql`), sdl)
  const graph = {
    version: 1,
    subgraphs: Object.keys(subgraphs).map((name) => ({
      name,
      routing_url: `${subgraphUrl}/${name}`,
      schema: { file: `./${name}.graphql` },
    })),
    feature_flags: Array.from({ length: setUp.flags }, (_, index) => flag(index, subgraphUrl)),
  }
  await writeFile(join(folder, 'graph.yaml'), stringify(graph))
  const out = join(folder, 'config.json')
  await run(LAUNCHER, ['router', 'compose', '--input', join(folder, 'graph.yaml'), '--out', out])
  const config: unknown = JSON.parse(readFileSync(out, 'utf8'))
  return z.object({ base: z.object({ supergraphSdl: z.string() }) }).parse(config).base.supergraphSdl
}

/** Takes another server for tickets, so that no two flags are one composition. */
function flag(index: number, subgraphUrl: string) {
  const replaced = {
    name: `tickets-${index}`,
    subgraph_name: 'tickets',
    routing_url: `${subgraphUrl}/tickets-${index}`,
    schema: { file: './tickets.graphql' },
  }
  return { name: flagName(index), feature_graphs: [replaced] }
}

/** Returns the name by which requests choose the flag. */
export function flagName(index: number): string {
  return `flag-${index}`
}
