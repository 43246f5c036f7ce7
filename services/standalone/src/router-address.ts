/**
 * Where browsers on this machine reach the router. It follows the ports of this start, so no record of the
 * graph holds it.
 */
import type { GraphName } from '@switchyard/contracts'
import type { ToldUrls } from '@switchyard/registry'
import type { OnlyGraph } from './only-graph.ts'

export class RouterAddress implements ToldUrls {
  #served: { readonly url: string; readonly graph: GraphName | OnlyGraph } | null = null

  /** Says where the router listens, and which graph it serves. */
  announce(url: string, graph: GraphName | OnlyGraph): void {
    this.#served = { url: reachable(url), graph }
  }

  /** Returns the URL of the router if it serves the graph; null if it does not, or does not listen yet. */
  of({ namespace, graph: name }: GraphName): string | null {
    if (this.#served === null) return null
    const { url, graph } = this.#served
    const current = 'current' in graph ? graph.current() : graph
    const isServed = 'graph' in current && current.namespace === namespace && current.graph === name
    return isServed ? url : null
  }

  /** Returns the URL whichever graph is served: a page may be open before there is one. */
  all(): readonly string[] {
    return this.#served === null ? [] : [this.#served.url]
  }
}

/** Policies of pages name no IPv6 addresses, and browsers reach no address that stands for all. */
function reachable(url: string): string {
  const parsed = new URL(url)
  if (parsed.hostname === '0.0.0.0' || parsed.hostname.startsWith('[')) parsed.hostname = 'localhost'
  return parsed.href
}
