import type { TraceKeyView } from '@switchyard/contracts'
import { registryCommand } from '../../../command/make-command.ts'
import { printWarnings } from '../../../output/warnings.ts'
import { tableResult } from '../../../output/shown-results.ts'
import { listTraceKeys } from '../../../registry/trace-keys.ts'

const STATES: Readonly<Record<TraceKeyView['state'], string>> = {
  signs: 'signs',
  'can-sign': 'can sign',
  'cannot-sign': 'not in the key file here',
  'not-announced': 'not announced: run "trace-key create"',
  retired: 'retired',
}

export const command = registryCommand({
  name: 'list',
  description: 'list the keys, newest first: which one signs, and until when tokens of each may be valid',
  namespaced: false,
  examples: ['registry trace-key list', 'registry trace-key list --json'],
  run: async ({ registry, context }) => {
    const list = await listTraceKeys(registry)
    const rows = list.traceKeys.map(({ kid, state, createdAt, retiredAt, tokensUntil }) => [
      kid,
      STATES[state],
      createdAt ?? '-',
      retiredAt ?? '-',
      tokensUntil ?? '-',
    ])
    const columns = ['id', 'state', 'created', 'retired', 'tokens until']
    const result = tableResult(list, { columns, rows, whenEmpty: 'No trace keys.' }, context)
    return { ...result, remarks: printWarnings(list.warnings, context) }
  },
})
