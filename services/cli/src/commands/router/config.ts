import { localCommand } from '../../make-command.ts'
import { existingFile } from '../../files.ts'
import { flag } from '../../options.ts'
import { ROUTER_SETTINGS } from '../../shared-options.ts'

export const command = localCommand({
  name: 'config',
  description: 'print the settings that a router would have: defaults, settings file and environment',
  options: {
    ...ROUTER_SETTINGS,
    check: flag('--check', 'print only whether they are usable'),
  },
  examples: ['router config --config router.yaml', 'router config --config router.yaml --check'],
  notes: `
What is printed is a settings file itself; a comment names the line or the variable that gave a value which is not the default.
Values that may be secrets are not shown. The environment is that of this command: run it where the router runs.
Settings that are not usable are exit 1, and every problem is named.`,
  run: async ({ options, json, context }) => {
    const env = {
      ...context.env,
      ...(options.config === undefined
        ? {}
        : { SWITCHYARD_CONFIG: await existingFile(options.config, 'settings file', context) }),
      ...(json ? { SWITCHYARD_OUTPUT: 'json' } : {}),
    }
    return context.becomeService('router', env, options.check ? ['config', '--check'] : ['config'])
  },
})
