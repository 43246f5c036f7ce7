/** The parts of a registry that change something: commands, API keys, trace keys and tokens, and imports. */
import { problem, ProblemError } from '@switchyard/contracts'
import type { ApiOptions } from './http/api/api.ts'
import { Access } from './keys/access.ts'
import { FailedAuthentications } from './keys/failed-authentications.ts'
import { SessionGate } from './http/api/session-gate.ts'
import { KeyWriter } from './keys/key-writer.ts'
import { OpenIdConnect } from './openid-connect/open-id-connect.ts'
import type { Readers } from './open-readers.ts'
import { PublicUrls } from './reading/public-urls.ts'
import { RevisionHistory } from './reading/revision-history.ts'
import type { RegistryOptions } from './registry-options.ts'
import { OneTimeLinks } from './sessions/one-time-links.ts'
import { TraceKeyFile } from './trace-keys/trace-key-file.ts'
import { TraceKeys } from './trace-keys/trace-keys.ts'
import { TraceTokenIssuer } from './trace-keys/trace-tokens.ts'
import { Importer } from './transfer/importer.ts'
import { CommandWriter } from './writing/command-writer.ts'
import { RecordWriter } from './writing/record-writer.ts'
import { WriteGate } from './writing/write-gate.ts'

/**
 * Opens the writers. `drained` aborts when the registry stops, so that requests which wait for routers end.
 */
export function openWriters(
  options: RegistryOptions,
  readers: Readers,
  drained: AbortSignal,
): Omit<ApiOptions, 'comparisons' | 'documents' | 'schemas' | 'sdl' | 'ready' | 'canAnswer'> {
  const { log: stored, blobs, pieces, bootstrapApiKey = null } = options
  const failedAuthentications = new FailedAuthentications({ monotonicNow: readers.monotonicNow })
  const { trustedProxies = [], severalGraphs = null } = options
  const { log, events, changes, fold, compositions, configs, folds, fleet, now, signal } = readers
  const gate = new WriteGate(() => new ProblemError(problem('NOT_READY', 'An import is under way.')))
  const reaches = (sequence: number) => fold.reaches(sequence)
  const records = new RecordWriter({ log, gate, events, reaches, now, signal })
  const access = new Access(bootstrapApiKey)
  const revisions = new RevisionHistory({ log, fold, compositions, configs })
  const { file: keyFile, ...tracing } = options.traceKeys ?? { file: null, createFirst: false }
  const file = keyFile === null ? null : new TraceKeyFile(keyFile)
  const traceKeys = new TraceKeys({ file, writer: records, fold, events, now })
  const heard = { fold, fleet, changes, signal: drained }
  const caughtUp = async () => void (await Promise.all(folds.map((reader) => reader.everythingCaughtUp())))
  const importing = { state: readers.importState, gate, events, caughtUp, signal }
  const onPiecesLeftOut = (lists: number, reason: string) => events.piecesLeftOut(lists, reason)
  const stores = { log, blobs, pieces }
  const shared = { access, trustedProxies, traceKeys, fold, revisions, ...stores, events, severalGraphs, now }
  return {
    ...shared,
    failedAuthentications,
    publicUrls: new PublicUrls(fold, options.publicUrls),
    sessions: openSessions(options, readers, { access, failedAuthentications }),
    keys: new KeyWriter(records, fold, access),
    traceTokens: new TraceTokenIssuer({ ...tracing, ...heard, keys: traceKeys, configs, events, now }),
    writer: new CommandWriter(records, fold),
    downstream: { ...heard, compositions, revisions, now },
    differences: readers.differences,
    figures: readers.figures,
    services: readers.services,
    usage: readers.usage,
    live: readers.live,
    transfer: {
      source: { log: stored, blobs, pieces, now, onPiecesLeftOut },
      importer: new Importer({ ...importing, log: stored, blobs, pieces }),
    },
  }
}

/** Null if there is no key for sessions. */
function openSessions(
  { sessions }: RegistryOptions,
  { fold, events, now }: Readers,
  shared: Pick<ApiOptions, 'access' | 'failedAuthentications'>,
): SessionGate | null {
  if (sessions === undefined) return null
  const system = () => fold.system
  const systemCaughtUp = () => fold.systemCaughtUp()
  const { keys, studioUrl = null } = sessions
  const links = sessions.links === true ? new OneTimeLinks(now) : null
  const openIdConnect =
    sessions.openIdConnect === undefined ? null : new OpenIdConnect(sessions.openIdConnect, now)
  return new SessionGate({
    ...shared,
    events,
    openIdConnect,
    keys,
    studioUrl,
    links,
    system,
    systemCaughtUp,
    now,
  })
}
