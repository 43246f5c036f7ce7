/** Records by who reads them: the registry's log holds those of namespaces, and those of the system. */
export const RECORD_KINDS = ['namespace', 'system', 'composition', 'config'] as const

export type RecordKind = (typeof RECORD_KINDS)[number]
