/** What a service does with one entry of a log: read it, tell whether it is a record, and apply it to what was decided before. */
import {
  CompositionRecord,
  ConfigRecord,
  Manifest,
  reasonAgainstRecord,
  RegistryRecord,
  SystemRecord,
} from '@switchyard/contracts'
import {
  applyRecord,
  applySystemRecord,
  compositionInputs,
  emptyNamespace,
  emptySystem,
} from '@switchyard/domain'
import type { Stage } from '../measuring/stage-thread.ts'

const LOGS = ['registry', 'compositions', 'configs'] as const

export const attempt: Stage = (bytes) => {
  const text = bytes.toString('utf8')
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch {
    return { name: 'not JSON', bytesOut: 0, complaint: null }
  }
  const outcomes = LOGS.map((log) => {
    if (reasonAgainstRecord(log, record) !== null) return 'no record'
    switch (log) {
      case 'registry':
        return registry(record)
      case 'compositions':
        return CompositionRecord.safeParse(record).success ? 'composition' : 'not understood'
      case 'configs':
        return config(record)
      default:
        return log satisfies never
    }
  })
  return { name: outcomes.join(', '), bytesOut: 0, complaint: null }
}

function registry(record: unknown): string {
  const system = SystemRecord.safeParse(record)
  if (system.success) applySystemRecord(emptySystem(), system.data, 1)
  const parsed = RegistryRecord.safeParse(record)
  if (!parsed.success) return system.success ? 'system' : 'not understood'
  const { state, outcome } = applyRecord(emptyNamespace('default'), parsed.data, 1)
  for (const name of outcome.kind === 'applied' ? outcome.affectedGraphs : []) compositionInputs(state, name)
  return outcome.kind
}

function config(record: unknown): string {
  const parsed = ConfigRecord.safeParse(record)
  if (!parsed.success) return 'not understood'
  try {
    return Manifest.safeParse(JSON.parse(parsed.data.manifest)).success ? 'config' : 'no manifest'
  } catch {
    return 'no manifest'
  }
}
