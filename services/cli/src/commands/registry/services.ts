import { ServiceList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { LOAD_COLUMNS, loadCells } from '../../output/load-cells.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = registryCommand({
  name: 'services',
  description:
    'list the registries and composers that report to the registry: which version each runs, and how busy it is',
  namespaced: false,
  notes: 'Routers have a list of their own: router list.',
  examples: ['registry services', 'registry services --json'],
  run: async ({ registry, context }) => {
    const found = await registry.get(apiPath('services'), ServiceList)
    const rows = found.services.map(({ kind, instance, state, composing, version, load, ageSeconds }) => [
      kind,
      instance,
      state,
      composing.join(' ') || '-',
      version ?? '-',
      ...loadCells(load),
      `${Math.round(ageSeconds)} s ago`,
    ])
    const columns = ['kind', 'instance', 'state', 'composing', 'version', ...LOAD_COLUMNS, 'heard']
    return tableResult(found, { columns, rows, whenEmpty: 'No service reports to the registry.' }, context)
  },
})
