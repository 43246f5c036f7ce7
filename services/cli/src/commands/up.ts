import { resolve } from 'node:path'
import { parseGraphName } from '../command/arguments.ts'
import { localCommand } from '../command/make-command.ts'
import { NOUNS } from '../command/nouns.ts'
import { optional } from '../command/options.ts'
import { DEFAULT_DATA_DIR } from '../registry/find-registry.ts'
import { ROUTER_SETTINGS } from '../command/shared-options.ts'
import { anyText, folderPath, port, type ValueType } from '../command/value-types.ts'
import { existingFile } from '../files/files.ts'

/** `namespace/name`. */
const anyGraph: ValueType<string> = {
  parse: (word) => {
    const { namespace, graph } = parseGraphName(word)
    return `${namespace}/${graph}`
  },
}

export const command = localCommand({
  name: 'up',
  ...NOUNS.up,
  options: {
    dataDir: optional(
      '--data-dir <dir>',
      `where everything is kept (default: SWITCHYARD_DATA_DIR, else ${DEFAULT_DATA_DIR})`,
      folderPath,
    ),
    registryPort: optional(
      '--registry-port <port>',
      'where the registry listens (default: 4100)',
      port('--registry-port'),
    ),
    routerPort: optional(
      '--router-port <port>',
      'where the router listens (default: 4000)',
      port('--router-port'),
    ),
    host: optional('--host <address>', 'address to listen on (default: 127.0.0.1)', anyText),
    graph: optional(
      '--graph <namespace/name>',
      'the graph to serve (default: the only one, as soon as there is one)',
      anyGraph,
    ),
    ...ROUTER_SETTINGS,
  },
  examples: ['up', 'up --data-dir /var/lib/switchyard --graph default/shop', 'up --router-port 4010'],
  run: async ({ options, json, context }) => {
    const env = {
      ...context.env,
      SWITCHYARD_DATA_DIR: resolve(
        context.cwd,
        options.dataDir ?? (context.env['SWITCHYARD_DATA_DIR'] || DEFAULT_DATA_DIR),
      ),
      ...(options.registryPort === undefined
        ? {}
        : { SWITCHYARD_REGISTRY_PORT: String(options.registryPort) }),
      ...(options.routerPort === undefined ? {} : { SWITCHYARD_ROUTER_PORT: String(options.routerPort) }),
      ...(options.host === undefined ? {} : { SWITCHYARD_HOST: options.host }),
      ...(options.graph === undefined ? {} : { SWITCHYARD_GRAPH: options.graph }),
      ...(options.config === undefined
        ? {}
        : { SWITCHYARD_CONFIG: await existingFile(options.config, 'settings file', context) }),
      // A person at a terminal sees what needs attention; a log collector gets everything.
      ...(context.stderr.isTTY && (context.env['SWITCHYARD_LOG_LEVEL'] ?? '') === ''
        ? { SWITCHYARD_LOG_LEVEL: 'warn' }
        : {}),
      ...(json ? { SWITCHYARD_OUTPUT: 'json' } : {}),
    }
    return context.becomeService('standalone', env)
  },
})
