/** Gateways that are Node.js programs of this folder or of npm. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Gateway } from './gateway.ts'
import { PEERS } from './install-peers.ts'

const VERSION = z.object({ version: z.string() })

function versionOf(packageJson: string): string {
  return VERSION.parse(JSON.parse(readFileSync(packageJson, 'utf8'))).version
}

/**
 * `@graphql-tools/federation` behind node:http: nothing to install, and no code in common with Switchyard.
 */
export const stitching: Gateway = {
  name: 'stitching',
  version: () => versionOf(fileURLToPath(import.meta.resolve('@graphql-tools/federation/package.json'))),
  can: [],
  async prepare({ folder, port, supergraph }) {
    const file = join(folder, 'supergraph.graphql')
    await writeFile(file, supergraph)
    const server = fileURLToPath(new URL('stitching-server.ts', import.meta.url))
    return { words: [process.execPath, '--disable-warning=ExperimentalWarning', server, file, String(port)] }
  },
}

/** Hive Gateway with its Rust planner, a native addon, and with its sharing of equal requests in flight. */
export const hiveGateway: Gateway = {
  name: 'Hive Gateway',
  version: () => versionOf(join(PEERS, 'node_modules/@graphql-hive/gateway/package.json')),
  can: [],
  async prepare({ folder, port, supergraph }) {
    await writeFile(join(folder, 'supergraph.graphql'), supergraph)
    // Found from where it lies, so it lies beside what it imports.
    const config = join(PEERS, 'hive.config.mjs')
    await writeFile(config, HIVE_CONFIG)
    const program = join(PEERS, 'node_modules/@graphql-hive/gateway/dist/bin.js')
    const graph = ['supergraph', join(folder, 'supergraph.graphql'), '--config-path', config]
    return { words: [process.execPath, program, ...graph, '--host', '127.0.0.1', '--port', String(port)] }
  },
}

const HIVE_CONFIG = `import { unifiedGraphHandler } from '@graphql-hive/router-runtime'
export const gatewayConfig = {
  unifiedGraphHandler,
  inboundInflightRequestDeduplication: true,
  propagateHeaders: {
    fromClientToSubgraphs({ request }) {
      const authorization = request.headers.get('authorization')
      return authorization ? { authorization } : {}
    },
  },
}
`

/** `@apollo/gateway` in `@apollo/server`, started as its documentation shows. */
export const apolloGateway: Gateway = {
  name: 'Apollo Gateway',
  version: () => versionOf(join(PEERS, 'node_modules/@apollo/gateway/package.json')),
  can: [],
  async prepare({ folder, port, supergraph }) {
    await writeFile(join(folder, 'supergraph.graphql'), supergraph)
    const program = join(PEERS, 'apollo.mjs')
    await writeFile(program, APOLLO_PROGRAM)
    return {
      words: [process.execPath, program, join(folder, 'supergraph.graphql'), String(port)],
      env: { NODE_ENV: 'production' },
    }
  },
}

const APOLLO_PROGRAM = `import { readFileSync } from 'node:fs'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway'
const [supergraph, port] = process.argv.slice(2)
const gateway = new ApolloGateway({
  supergraphSdl: readFileSync(supergraph, 'utf8'),
  buildService: ({ url }) => new RemoteGraphQLDataSource({
    url,
    willSendRequest({ request, context }) {
      if (context.authorization) request.http.headers.set('authorization', context.authorization)
    },
  }),
})
await startStandaloneServer(new ApolloServer({ gateway }), {
  listen: { port: Number(port), host: '127.0.0.1' },
  context: async ({ req }) => ({ authorization: req.headers.authorization }),
})
`
