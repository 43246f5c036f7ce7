/** Opens the parts that compile compositions and plan their operations. */
import { Compiler } from '../generations/build/compiler.ts'
import { GenerationFactory } from '../generations/generation-factory.ts'
import type { OperationRules } from '../operation/operation-cache.ts'
import { Introspections } from '../concerns/introspection/introspections.ts'
import type { RouterConfig } from '../config/router-config.ts'
import type { DocumentChecks } from '../generations/document-checks.ts'
import type { OperationMemory } from '../memory/operation-memory.ts'
import type { TurnQueue } from '../fairness/turn-queue.ts'
import type { RouterEvents } from './router-events.ts'
import { SYSTEM_CLOCK } from '../planning/planning-clock.ts'
import { Planning } from '../planning/planning.ts'
import type { RouterOptions } from './router-options.ts'

/** Opens the factory, and hands its pools and threads to `parts`, so that they end with the router. */
export function openGenerationFactory(
  { config, compiler, overrides = {} }: RouterOptions,
  shared: {
    /** The settings in force. */
    readonly inForce: () => RouterConfig
    readonly events: RouterEvents
    readonly turns: TurnQueue
    readonly memory: OperationMemory
    readonly documentChecks: DocumentChecks
  },
  parts: AsyncDisposableStack,
): GenerationFactory {
  const { inForce, events, turns, memory, documentChecks } = shared
  const { clock = SYSTEM_CLOCK, createPlanningWorker: createWorker, mainThreadSteps } = overrides
  return new GenerationFactory({
    compiler: compiler ?? parts.use(new Compiler()),
    planning: parts.use(
      new Planning({
        config: config.planning,
        events: events.planning,
        clock,
        ...(mainThreadSteps === undefined ? {} : { mainThreadSteps }),
        ...(createWorker === undefined ? {} : { createWorker }),
      }),
    ),
    introspections: new Introspections({ maxSize: () => inForce().limits.introspectionSize, turns, memory }),
    memory,
    rules: operationRules(config),
    events: events.compositions,
    documentChecks,
  })
}

/** Returns the rules by which the settings have operations checked. */
export function operationRules({
  limits,
  enableDefer: mayDefer,
  subscriptions: { enabled: maySubscribe },
}: RouterConfig): OperationRules {
  return { limits, mayDefer, maySubscribe }
}
