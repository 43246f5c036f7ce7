/** A record of any of the three logs: whether it is one, and which blobs and lists of pieces it names. */
import {
  CompositionRecord,
  compositionSubject,
  ConfigRecord,
  configSubject,
  type ExportedRecord,
  graphOfSubject,
  Manifest,
  namespaceOfSubject,
  RegistryRecord,
  registrySubject,
  SYSTEM_SUBJECT,
  SystemRecord,
  parseRecord,
} from '@switchyard/contracts'
import {
  type Names,
  namesOfComposition,
  namesOfManifest,
  namesOfRegistryRecord,
  NO_NAMES,
} from '../reading/blob-references.ts'

/**
 * Hashes that the record names. Throws when it is no record of that log and subject. The text that stands in
 * an export for a quarantined entry names nothing.
 */
export function namesIn({ log, subject, record }: Omit<ExportedRecord, 'type'>): Names {
  if (typeof record === 'string') return NO_NAMES
  switch (log) {
    case 'registry': {
      if (subject === SYSTEM_SUBJECT) {
        parseRecord(SystemRecord, record)
        return NO_NAMES
      }
      const namespace = namespaceOfSubject(subject)
      if (namespace === null || registrySubject(namespace) !== subject) throw wrongSubject(log, subject)
      return namesOfRegistryRecord(parseRecord(RegistryRecord, record))
    }
    case 'compositions': {
      const graph = graphOfSubject(subject)
      if (graph === null || compositionSubject(graph) !== subject) throw wrongSubject(log, subject)
      const parsed = parseRecord(CompositionRecord, record)
      if (parsed.namespace !== graph.namespace || parsed.graph !== graph.graph) throw wrongGraph(subject)
      return namesOfComposition(parsed)
    }
    case 'configs': {
      const graph = graphOfSubject(subject)
      if (graph === null || configSubject(graph) !== subject) throw wrongSubject(log, subject)
      const manifest = parseRecord(Manifest, JSON.parse(parseRecord(ConfigRecord, record).manifest))
      if (manifest.graph.namespace !== graph.namespace || manifest.graph.name !== graph.graph)
        throw wrongGraph(subject)
      return namesOfManifest(manifest)
    }
    default:
      return log satisfies never
  }
}

function wrongSubject(log: string, subject: string): Error {
  return new Error(`"${subject}" is no subject of the log "${log}"`)
}

function wrongGraph(subject: string): Error {
  return new Error(`the record belongs to another graph than its subject "${subject}"`)
}
