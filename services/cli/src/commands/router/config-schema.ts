import { localCommand } from '../../command/make-command.ts'

export const command = localCommand({
  name: 'config-schema',
  description: "print the JSON schema of a router's settings file, for editors and other tools",
  examples: ['router config-schema'],
  notes: `
Write it to a file, router.schema.json: editors with the YAML language server complete and check a settings file that begins with the line
# yaml-language-server: $schema=router.schema.json`,
  run: async ({ json, context }) =>
    context.becomeService('router', { ...context.env, ...(json ? { SWITCHYARD_OUTPUT: 'json' } : {}) }, [
      'config-schema',
    ]),
})
