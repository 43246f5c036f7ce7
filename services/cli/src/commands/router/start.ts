import { resolve } from 'node:path'
import { localCommand } from '../../make-command.ts'
import type { CliContext } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { existingFile, readTextFile } from '../../files.ts'
import { optional } from '../../options.ts'
import { ROUTER_SETTINGS } from '../../shared-options.ts'
import { anyText, filePath, port } from '../../value-types.ts'

type ServedFile = { readonly executionConfig: string | undefined; readonly supergraph: string | undefined }

export const command = localCommand({
  name: 'start',
  description: 'serve an execution config, or a supergraph, on this machine, without a registry',
  options: {
    executionConfig: optional('--execution-config <config.json>', 'what "router compose" wrote', filePath),
    supergraph: optional(
      '--supergraph <supergraph.graphql>',
      'a supergraph (join v0.1 to v0.5) of any composer',
      filePath,
    ),
    ...ROUTER_SETTINGS,
    port: optional(
      '--port <port>',
      'where to listen (default: the settings file, SWITCHYARD_PORT, else 4000)',
      port('--port'),
    ),
    host: optional('--host <address>', 'address to listen on', anyText),
  },
  examples: [
    'router start --execution-config config.json',
    'router start --execution-config config.json --config router.yaml --port 4005',
    'router start --supergraph supergraph.graphql',
  ],
  run: async ({ options, json, context }) => {
    const env = {
      ...context.env,
      // The file is what is served: an address of a config store would come before it.
      SWITCHYARD_REDIS_URL: undefined,
      ...(await servedFile(options, context)),
      ...(options.config === undefined
        ? {}
        : { SWITCHYARD_CONFIG: await existingFile(options.config, 'settings file', context) }),
      ...(options.port === undefined ? {} : { SWITCHYARD_PORT: String(options.port) }),
      ...(options.host === undefined ? {} : { SWITCHYARD_HOST: options.host }),
      ...(json ? { SWITCHYARD_OUTPUT: 'json' } : {}),
    }
    return context.becomeService('router', env)
  },
})

async function servedFile({ executionConfig, supergraph }: ServedFile, context: CliContext) {
  if (executionConfig !== undefined && supergraph === undefined) {
    return {
      SWITCHYARD_EXECUTION_CONFIG: await existingFile(executionConfig, 'execution config', context),
      SWITCHYARD_SUPERGRAPH: undefined,
    }
  }
  if (supergraph !== undefined && executionConfig === undefined) {
    // A missing or empty file is told before the service takes over; what is in it, the service judges.
    await readTextFile({ path: supergraph, what: 'supergraph' }, context.cwd)
    return {
      SWITCHYARD_EXECUTION_CONFIG: undefined,
      SWITCHYARD_SUPERGRAPH: resolve(context.cwd, supergraph),
    }
  }
  throw new UsageError(
    'router start serves one file: name it with either --execution-config or --supergraph.',
  )
}
