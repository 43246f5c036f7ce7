/**
 * The stage that handles one entry of a log as a service does: it reads it, tells whether it is a record, and
 * applies it to the state. The first line of an input says what the entry is read as.
 */
import {
  CompositionRecord,
  ConfigRecord,
  Manifest,
  reasonAgainstRecord,
  RegistryRecord,
  SystemRecord,
  parseRecord,
} from '@switchyard/contracts'
import {
  applyRecord,
  applySystemRecord,
  compositionInputs,
  emptyNamespace,
  emptySystem,
} from '@switchyard/domain'
import { z } from 'zod'
import type { Stage } from '../measuring/stage-thread.ts'
import { RECORD_KINDS, type RecordKind } from './record-kinds.ts'

const LOGS = {
  namespace: 'registry',
  system: 'registry',
  composition: 'compositions',
  config: 'configs',
} as const satisfies Record<RecordKind, string>

const READERS: Readonly<Record<RecordKind, (record: unknown) => string>> = {
  namespace: ofNamespace,
  system: ofSystem,
  composition: (record) => (known(CompositionRecord, record) === null ? 'not understood' : 'composition'),
  config: ofConfig,
}

/** The largest message, in characters, that may say what is wrong with a record. */
const MAX_MESSAGE = 10_000

export const attempt: Stage = (bytes) => {
  const end = bytes.indexOf('\n')
  const name = bytes.subarray(0, end).toString('utf8')
  const kind = RECORD_KINDS.find((known) => known === name) ?? 'namespace'
  let record: unknown
  try {
    record = JSON.parse(bytes.subarray(end + 1).toString('utf8'))
  } catch {
    return { name: 'not JSON', bytesOut: 0, complaint: null }
  }
  const outcome = reasonAgainstRecord(LOGS[kind], record) === null ? READERS[kind](record) : 'no record'
  return { name: `${kind}: ${outcome}`, bytesOut: 0, complaint: null }
}

/** Returns the parsed record, or null. It makes the error message, too, since services do. */
function known<Schema extends z.ZodType>(schema: Schema, record: unknown): z.output<Schema> | null {
  try {
    return parseRecord(schema, record)
  } catch (error) {
    if (error instanceof z.ZodError && error.message.length <= MAX_MESSAGE) return null
    throw error
  }
}

function ofSystem(record: unknown): string {
  const parsed = known(SystemRecord, record)
  if (parsed === null) return 'not understood'
  applySystemRecord(emptySystem(), parsed, 1)
  return 'system'
}

function ofNamespace(record: unknown): string {
  const parsed = known(RegistryRecord, record)
  if (parsed === null) return 'not understood'
  const { state, outcome } = applyRecord(emptyNamespace('default'), parsed, 1)
  for (const name of outcome.kind === 'applied' ? outcome.affectedGraphs : []) compositionInputs(state, name)
  return outcome.kind
}

function ofConfig(record: unknown): string {
  const parsed = known(ConfigRecord, record)
  if (parsed === null) return 'not understood'
  try {
    return known(Manifest, JSON.parse(parsed.manifest)) === null ? 'no manifest' : 'config'
  } catch {
    return 'no manifest'
  }
}
