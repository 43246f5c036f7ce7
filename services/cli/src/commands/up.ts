import { resolve } from 'node:path'
import type { Command } from 'commander'
import { parseGraphName, parsePort } from '../arguments.ts'
import { withExamples, withJson } from '../command-builder.ts'
import type { Invocation } from '../command-builder.ts'
import { DEFAULT_DATA_DIR } from '../registry/api-key.ts'
import { existingFile } from './router-start.ts'

type UpOptions = {
  readonly dataDir?: string
  readonly registryPort?: string
  readonly routerPort?: string
  readonly host?: string
  readonly graph?: string
  readonly config?: string
  readonly json?: true
}

export function addUpCommand(program: Command, invocation: Invocation): void {
  const command = program
    .command('up')
    .description('start everything on this machine: registry, composer, config distribution and a router')
    .option(
      '--data-dir <dir>',
      `where everything is kept (default: SWITCHYARD_DATA_DIR, else ${DEFAULT_DATA_DIR})`,
    )
    .option('--registry-port <port>', 'where the registry listens (default: 4100)')
    .option('--router-port <port>', 'where the router listens (default: 4000)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--graph <namespace/name>', 'the graph to serve (default: the only one, as soon as there is one)')
    .option('--config <router.yaml>', 'settings of the router')
  withExamples(
    withJson(command),
    'up',
    'up --data-dir /var/lib/switchyard --graph default/shop',
    'up --router-port 4010',
  ).action(async (options: UpOptions) => {
    const { context } = invocation
    const graph = options.graph === undefined ? null : parseGraphName(options.graph)
    const env = {
      ...context.env,
      SWITCHYARD_DATA_DIR: resolve(
        context.cwd,
        options.dataDir ?? (context.env['SWITCHYARD_DATA_DIR'] || DEFAULT_DATA_DIR),
      ),
      ...(options.registryPort === undefined
        ? {}
        : { SWITCHYARD_REGISTRY_PORT: String(parsePort('--registry-port', options.registryPort)) }),
      ...(options.routerPort === undefined
        ? {}
        : { SWITCHYARD_ROUTER_PORT: String(parsePort('--router-port', options.routerPort)) }),
      ...(options.host === undefined ? {} : { SWITCHYARD_HOST: options.host }),
      ...(graph === null ? {} : { SWITCHYARD_GRAPH: `${graph.namespace}/${graph.graph}` }),
      ...(options.config === undefined
        ? {}
        : { SWITCHYARD_CONFIG: await existingFile(options.config, 'settings file', context) }),
      // A person at a terminal sees what needs attention; a log collector gets everything.
      ...(context.stderr.isTTY && (context.env['SWITCHYARD_LOG_LEVEL'] ?? '') === ''
        ? { SWITCHYARD_LOG_LEVEL: 'warn' }
        : {}),
      ...(options.json === true ? { SWITCHYARD_OUTPUT: 'json' } : {}),
    }
    invocation.exitWith(await context.becomeService('standalone', env))
  })
}
