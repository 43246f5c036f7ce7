/** What compositions are compiled and planned with. */
import { Compiler } from '../generations/compiler.ts'
import { GenerationFactory } from '../generations/generation-factory.ts'
import type { OperationRules } from '../operation/operation-cache.ts'
import { Introspections } from '../introspection/introspections.ts'
import type { RouterConfig } from '../config/router-config.ts'
import type { KnownDocuments } from '../documents/known-documents.ts'
import { DocumentChecks } from '../generations/document-checks.ts'
import type { OperationMemory } from '../memory/operation-memory.ts'
import type { TurnQueue } from '../clients/turn-queue.ts'
import type { RouterEvents } from '../observe/router-events.ts'
import { SYSTEM_CLOCK } from '../planning/planning-clock.ts'
import { Planning } from '../planning/planning.ts'
import type { RouterOptions } from './router-options.ts'

/** Its pools and threads are handed to `parts`, so that they end with the router. */
export function openGenerationFactory(
  { config, compiler, overrides = {} }: RouterOptions,
  shared: {
    readonly events: RouterEvents
    readonly turns: TurnQueue
    readonly memory: OperationMemory
    /** null: no manifests are used. */
    readonly known: KnownDocuments | null
  },
  parts: AsyncDisposableStack,
): GenerationFactory {
  const { events, turns, memory, known } = shared
  const { clock = SYSTEM_CLOCK, createPlanningWorker: createWorker } = overrides
  const factory: GenerationFactory = new GenerationFactory({
    compiler: compiler ?? parts.use(new Compiler()),
    planning: parts.use(
      new Planning({
        config: config.planning,
        events: events.planning,
        clock,
        ...(createWorker === undefined ? {} : { createWorker }),
      }),
    ),
    introspections: new Introspections({ maxSize: config.limits.introspectionSize, turns, memory }),
    memory,
    rules: operationRules(config),
    events: events.compositions,
    documentChecks:
      known === null ? null : openDocumentChecks(known, config, () => factory.rules, events, parts),
  })
  return factory
}

/** By what the settings judge operations. */
export function operationRules({ limits, enableDefer: mayDefer }: RouterConfig): OperationRules {
  return { limits, mayDefer }
}

function openDocumentChecks(
  known: KnownDocuments,
  { documents: { warmUp } }: RouterConfig,
  rules: () => OperationRules,
  events: RouterEvents,
  parts: AsyncDisposableStack,
): DocumentChecks {
  const documents = () => known.lists.documents
  const checks = parts.use(
    new DocumentChecks({
      documents,
      get limits() {
        return rules().limits
      },
      get mayDefer() {
        return rules().mayDefer
      },
      warmUp,
      events: events.documents,
    }),
  )
  known.onChanged(() => checks.again())
  return checks
}
