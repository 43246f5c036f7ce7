import { localCommand } from '../../command/make-command.ts'
import { existingFile } from '../../files/files.ts'
import { flag } from '../../command/options.ts'
import { SERVED_FILE, servedFile } from '../../files/served-file.ts'
import { ROUTER_SETTINGS } from '../../command/shared-options.ts'

export const command = localCommand({
  name: 'config',
  description: 'print the settings that a router would have: defaults, settings file and environment',
  options: {
    ...ROUTER_SETTINGS,
    check: flag('--check', 'print only whether a router could be started with them'),
    ...SERVED_FILE,
  },
  examples: [
    'router config --config router.yaml',
    'router config --config router.yaml --check',
    'router config --config router.yaml --check --execution-config config.json',
  ],
  notes: `
What is printed is a settings file itself; a comment names the line or the variable that gave a value which is not the default.
Values that may be secrets are not shown. The environment is that of this command: run it where the router runs.
Settings that are not usable are exit 1, and every problem is named. --check does all that a start does, short of listening: it reads manifests,
certificates, key sets and, if one is named, the graph. Key sets at URLs are fetched, too; one that cannot be had is a warning, since a router
starts without. Config stores, NATS and subgraphs are not asked.`,
  run: async ({ options, json, context }) => {
    const isFile = options.executionConfig !== undefined || options.supergraph !== undefined
    const env = {
      ...context.env,
      ...(isFile ? await servedFile('router config takes one graph', options, context) : {}),
      ...(options.config === undefined
        ? {}
        : { SWITCHYARD_CONFIG: await existingFile(options.config, 'settings file', context) }),
      ...(json ? { SWITCHYARD_OUTPUT: 'json' } : {}),
    }
    const words = ['config', ...(options.check ? ['--check'] : []), ...(isFile ? ['--file-alone'] : [])]
    return context.becomeService('router', env, words)
  },
})
