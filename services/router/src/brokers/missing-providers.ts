/**
 * Says which providers of events a graph needs and the settings do not have, before somebody asks for such a
 * field. Each field is named once, however many compositions of a config have it.
 */
import type { CompiledGraph } from '@switchyard/engine'
import type { ProviderEvents } from './provider-events.ts'

/** Providers of a composition that are looked at: whoever writes schemas chooses how many it names. */
const MOST_PROVIDERS = 20

type Providers = { has(id: string): boolean }

/** The fields of a composition by their providers. */
type Needs = ReadonlyMap<string, readonly string[]>

/** Logs missing providers of the compositions that are served. */
export class MissingProviders {
  readonly #settings: () => Providers
  readonly #events: Pick<ProviderEvents, 'missing'>
  /** The artifacts that were looked at and have events. */
  readonly #needs = new Map<string, Needs>()
  /** The fields that were named, by provider. */
  readonly #told = new Map<string, Set<string>>()

  /** `settings`: the providers in force. */
  constructor(settings: () => Providers, events: Pick<ProviderEvents, 'missing'>) {
    this.#settings = settings
    this.#events = events
  }

  /** A composition was built. */
  look(artifact: string, { subgraphs }: Pick<CompiledGraph, 'subgraphs'>): void {
    if (this.#needs.has(artifact)) return
    const needs = needsOf(subgraphs)
    if (needs.size === 0) return
    this.#needs.set(artifact, needs)
    this.#tell(needs)
  }

  /** Another config is served. */
  keepOnly(isServed: (artifact: string) => boolean): void {
    for (const artifact of this.#needs.keys()) if (!isServed(artifact)) this.#needs.delete(artifact)
    const kept = [...this.#needs.values()]
    for (const [provider, fields] of this.#told) {
      const needed = new Set(kept.flatMap((needs) => needs.get(provider) ?? []))
      for (const field of fields) if (!needed.has(field)) fields.delete(field)
      if (fields.size === 0) this.#told.delete(provider)
    }
  }

  /** Other settings are in force. */
  settingsChanged(): void {
    const providers = this.#settings()
    for (const provider of this.#told.keys()) if (providers.has(provider)) this.#told.delete(provider)
    for (const needs of this.#needs.values()) this.#tell(needs)
  }

  #tell(needs: Needs): void {
    const providers = this.#settings()
    for (const [provider, fields] of needs) {
      if (providers.has(provider)) continue
      const told = this.#told.get(provider) ?? new Set()
      const untold = fields.filter((field) => !told.has(field))
      if (untold.length === 0) continue
      this.#events.missing(provider, untold)
      for (const field of untold) told.add(field)
      this.#told.set(provider, told)
    }
  }
}

/** Systems that no router reads need no provider. */
function needsOf(subgraphs: CompiledGraph['subgraphs']): Needs {
  const needs = new Map<string, string[]>()
  for (const { events = [] } of subgraphs)
    for (const { system, provider, field } of events) {
      const fields = needs.get(provider)
      if (system !== 'nats' || (fields === undefined && needs.size === MOST_PROVIDERS)) continue
      if (fields === undefined) needs.set(provider, [field])
      else fields.push(field)
    }
  return needs
}
