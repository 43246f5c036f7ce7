/** Makes the generations of configs, and warms them before requests get them. */
import type { MissingProviders } from '../brokers/missing-providers.ts'
import { WARM_UP_OPERATIONS } from '../planning/settings.ts'
import { type AccessSettings, AccessWarnings } from './access-warnings.ts'
import { warmUp } from './build/warm-up.ts'
import type { CompositionEvents } from './composition-events.ts'
import { contentOf, hasArtifact } from './content/artifact-content.ts'
import type { Generation } from './generation.ts'
import type { GenerationFactory } from './generation-factory.ts'
import type { VerifiedConfig } from './offered-config.ts'

/** Operations that take long to plan must not keep a new composition from being served. */
const WARM_UP_LIMIT_MS = 10_000

/** The parts that make generations. */
export type GenerationMakerOptions = {
  readonly generationFactory: GenerationFactory
  readonly events: CompositionEvents
  readonly access: AccessSettings
  /** Says which providers of events are missing. */
  readonly providers: MissingProviders
}

/** Makes and warms generations until it is stopped. */
export class GenerationMaker {
  readonly #generationFactory: GenerationFactory
  readonly #accessWarnings: AccessWarnings
  readonly #providers: MissingProviders
  readonly #stop: AbortSignal

  constructor({ generationFactory, events, access, providers }: GenerationMakerOptions, stop: AbortSignal) {
    this.#generationFactory = generationFactory
    this.#accessWarnings = new AccessWarnings(access, events)
    this.#providers = providers
    this.#stop = stop
  }

  /**
   * Builds the composition of an artifact of the config, unless that was done. The caller holds the result.
   * Rejects if the composition cannot be served.
   */
  async build(artifact: string, config: VerifiedConfig): Promise<Generation> {
    const content = contentOf(config, artifact)
    if (content === null) throw new Error(`artifact ${artifact} is not part of the config`)
    const generation = await this.#generationFactory.build(artifact, content)
    this.#accessWarnings.look(artifact, generation.graph.compiled)
    this.#providers.look(artifact, generation.graph.compiled)
    return generation
  }

  /** Returns the living generation of an artifact, acquired for the caller; null if it is to be built. */
  reuse(artifact: string): Generation | null {
    return this.#generationFactory.reuse(artifact)
  }

  /** Prepares in one generation what another one is asked for, within so many milliseconds. */
  async warm(from: Generation, to: Generation, withinMs = WARM_UP_LIMIT_MS): Promise<void> {
    if (from === to) return
    const signal = AbortSignal.any([this.#stop, AbortSignal.timeout(Math.ceil(withinMs))])
    await warmUp(from.operations, to, WARM_UP_OPERATIONS, signal)
  }

  /** Another config is served. */
  served(config: VerifiedConfig): void {
    const isServed = (artifact: string) => hasArtifact(config, artifact)
    this.#accessWarnings.keepOnly(isServed)
    this.#providers.keepOnly(isServed)
  }
}
