/** Gateways that are programs of somebody else, of which a path is given. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Command, Gateway, Place } from './gateway.ts'

type Native = {
  readonly name: string
  readonly can: Gateway['can']
  /** Settings file and command line for it. */
  readonly settings: (place: Place, supergraphFile: string) => object
  readonly command: (path: string, settingsFile: string, supergraphFile: string) => Command
}

/** Gateways that are native programs, by the option that takes the path of the program. */
export const NATIVE = {
  'apollo-router': {
    name: 'Apollo Router',
    can: ['deferred'],
    settings: ({ port }) => ({
      supergraph: { listen: `127.0.0.1:${port}`, path: '/graphql', introspection: false },
      health_check: { enabled: false },
      headers: { all: { request: [{ propagate: { named: 'authorization' } }] } },
      traffic_shaping: { all: { deduplicate_query: true } },
    }),
    command: (path, settings, supergraph) => ({
      words: [path, '--config', settings, '--supergraph', supergraph, '--log', 'error'],
      env: { APOLLO_TELEMETRY_DISABLED: 'true' },
    }),
  },
  'hive-router': {
    name: 'Hive Router',
    can: [],
    settings: ({ port }, path) => ({
      supergraph: { source: 'file', path },
      http: { host: '127.0.0.1', port },
      headers: { all: { request: [{ propagate: { named: 'authorization' } }] } },
      log: { level: 'error' },
    }),
    command: (path, settings) => ({ words: [path], env: { ROUTER_CONFIG_FILE_PATH: settings } }),
  },
} as const satisfies Readonly<Record<string, Native>>

export type NativeName = keyof typeof NATIVE

export function nativeGateway(option: NativeName, path: string): Gateway {
  const { name, can, settings, command }: Native = NATIVE[option]
  return {
    name,
    can,
    version: () => execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(),
    async prepare(place) {
      const supergraphFile = join(place.folder, 'supergraph.graphql')
      const settingsFile = join(place.folder, `${option}.yaml`)
      await writeFile(supergraphFile, place.supergraph)
      await writeFile(settingsFile, stringify(settings(place, supergraphFile)))
      return command(path, settingsFile, supergraphFile)
    },
  }
}
