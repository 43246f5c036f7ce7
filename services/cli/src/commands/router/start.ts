import { localCommand } from '../../command/make-command.ts'
import { existingFile } from '../../files/files.ts'
import { optional } from '../../command/options.ts'
import { servedFile, SERVED_FILE } from '../../files/served-file.ts'
import { ROUTER_SETTINGS } from '../../command/shared-options.ts'
import { anyText, port } from '../../command/value-types.ts'

export const command = localCommand({
  name: 'start',
  description: 'serve an execution config, or a supergraph, on this machine, without a registry',
  options: {
    ...SERVED_FILE,
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
      ...(await servedFile('router start serves one file', options, context)),
      ...(options.config === undefined
        ? {}
        : { SWITCHYARD_CONFIG: await existingFile(options.config, 'settings file', context) }),
      ...(options.port === undefined ? {} : { SWITCHYARD_PORT: String(options.port) }),
      ...(options.host === undefined ? {} : { SWITCHYARD_HOST: options.host }),
      ...(json ? { SWITCHYARD_OUTPUT: 'json' } : {}),
    }
    // The file is what is served: an address of a config store in the environment would come before it.
    return context.becomeService('router', env, ['--file-alone'])
  },
})
