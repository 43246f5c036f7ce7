/** What compositions are compiled and planned with. */
import { Compiler } from '../generations/compiler.ts'
import { GenerationFactory } from '../generations/generation-factory.ts'
import { Introspections } from '../introspection/introspections.ts'
import type { RouterConfig } from '../config/router-config.ts'
import type { DocumentFiles } from '../documents/document-files.ts'
import { DocumentChecks } from '../generations/document-checks.ts'
import type { OperationMemory } from '../memory/operation-memory.ts'
import type { TurnQueue } from '../clients/turn-queue.ts'
import type { RouterEvents } from '../observe/router-events.ts'
import { SYSTEM_CLOCK } from '../planning/planning-clock.ts'
import { Planning } from '../planning/planning.ts'
import type { LoadWatch } from '../subgraph/load/load-watch.ts'
import { Addresses } from '../subgraph/addresses/addresses.ts'
import { CircuitBreakers } from '../subgraph/circuit/circuit-breakers.ts'
import { Origins } from '../subgraph/origins.ts'
import { AllPlaces } from '../subgraph/places/all-places.ts'
import { Retries } from '../subgraph/retry/retries.ts'
import type { SubgraphTls } from '../subgraph/tls/subgraph-tls.ts'
import type { RouterOptions } from './router-options.ts'

/** Its pools and threads are handed to `parts`, so that they end with the router. */
export function openGenerationFactory(
  { config, compiler, overrides = {} }: RouterOptions,
  shared: {
    readonly events: RouterEvents
    readonly loads: LoadWatch
    readonly turns: TurnQueue
    readonly memory: OperationMemory
    readonly files: DocumentFiles | null
    readonly subgraphTls: SubgraphTls
  },
  parts: AsyncDisposableStack,
): GenerationFactory {
  const { events, loads, turns, memory, files, subgraphTls } = shared
  const { clock = SYSTEM_CLOCK, createPlanningWorker: createWorker } = overrides
  return new GenerationFactory({
    origins: parts.use(new Origins(config.subgraphs, { loads, tls: subgraphTls })),
    places: new AllPlaces(config.subgraphs, events.places),
    circuits: new CircuitBreakers(config.subgraphs, events.circuits),
    addresses: new Addresses(events.addresses),
    retries: new Retries(config.subgraphs, events.retries),
    compiler: compiler ?? parts.use(new Compiler()),
    planning: parts.use(
      new Planning({
        config: config.planning,
        events: events.planning,
        clock,
        ...(createWorker === undefined ? {} : { createWorker }),
      }),
    ),
    subgraphs: config.subgraphs,
    headers: config.headers,
    requestIdHeader: config.requestId.header.toLowerCase(),
    limits: config.limits,
    introspections: new Introspections({ maxSize: config.limits.introspectionSize, turns, memory }),
    memory,
    mayDefer: config.enableDefer,
    events: events.compositions,
    documentChecks: files === null ? null : openDocumentChecks(files, config, events, parts),
  })
}

function openDocumentChecks(
  files: DocumentFiles,
  { limits, enableDefer: mayDefer, documents: { warmUp } }: RouterConfig,
  events: RouterEvents,
  parts: AsyncDisposableStack,
): DocumentChecks {
  const documents = () => files.lists.documents
  const checks = parts.use(
    new DocumentChecks({ documents, limits, mayDefer, warmUp, events: events.documents }),
  )
  files.onChanged(() => checks.again())
  return checks
}
