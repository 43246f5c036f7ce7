import {
  DEFAULT_TRACE_TOKEN_SECONDS,
  MAX_TRACE_TOKEN_SECONDS,
  TRACE_EXCLUSIONS,
  TraceExclusion,
  TraceToken,
} from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { successResult } from '../../output/command-result.ts'
import { UsageError } from '../../run/errors.ts'
import { defaulted, optionalList } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { graphName, type ValueType } from '../../command/value-types.ts'
import { printWarnings } from '../../output/warnings.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** Seconds. */
const lifetime: ValueType<number> = {
  parse: (word) => {
    const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(word) ?? []
    const seconds = Number(count) * (UNITS[unit] ?? 0)
    if (seconds >= 1 && seconds <= MAX_TRACE_TOKEN_SECONDS) return seconds
    throw new UsageError(`--ttl takes a time such as 90s, 10m or 24h, from 1s to 24h, not "${word}".`)
  },
}

const exclusion: ValueType<TraceExclusion> = {
  parse: (word) => {
    const parsed = TraceExclusion.safeParse(word)
    if (parsed.success) return parsed.data
    throw new UsageError(`--exclude takes ${TRACE_EXCLUSIONS.join(', ')}, not "${word}".`)
  },
  completion: TRACE_EXCLUSIONS,
}

export const command = registryCommand({
  name: 'trace-token',
  argument: { name: 'graph', type: graphName },
  description: 'print a signed token that opens request tracing on the routers of a graph',
  options: {
    ttl: defaulted('--ttl <time>', 'how long it is valid', lifetime, `${DEFAULT_TRACE_TOKEN_SECONDS / 60}m`),
    exclude: optionalList('--exclude <parts...>', 'what traces leave out', exclusion),
  },
  notes: `Send it as the header X-VENDOR-Token, beside "X-VENDOR-Trace: true"; VENDOR is "tracing.vendor" of the router. Keep it like a
password while it is valid: who has it sees what the router asks of subgraphs and what these answer.

The API key needs the scope trace:<namespace> or admin; deploy:<namespace> is not enough ("api-key create --help").

--exclude takes ${TRACE_EXCLUSIONS.join(', ')}.`,
  examples: [
    'router trace-token shop',
    'router trace-token shop --ttl 1h --exclude output raw_input_data',
    'router trace-token shop -n staging --json',
  ],
  run: async ({ namespace, registry, argument, options, context }) => {
    const issued = await registry.write({
      method: 'POST',
      path: apiPath('graphs', namespace, argument, 'trace-tokens'),
      body: { ttl: options.ttl, exclude: options.exclude ?? [] },
      schema: TraceToken,
    })
    const remarks = [
      printWarnings(issued.warnings, context),
      `It opens traces of ${namespace}/${argument} until ${issued.expiresAt}.`,
    ]
    return successResult({ result: issued }, issued.token, remarks.filter((text) => text !== '').join('\n'))
  },
})
