/** Chooses which composition answers: base or that of a feature flag. */
import type { HeldGeneration } from '../../generations/generations.ts'
import { DONE, type Stage, type StageResult } from '../../request/stage.ts'
import type { Exchange } from '../../request/exchange.ts'
import { nothingServed, type TrafficParts } from './check-traffic.ts'
import type { GraphQLParams } from '../../request/graphql-params.ts'
import type { Read } from './parse-request.ts'

/** A request with the text of its document. */
type Resolved = Read & { readonly params: GraphQLParams }

/** A request whose composition is chosen. The exchange releases it. */
export type Chosen = Resolved & { readonly held: HeldGeneration }

/**
 * Returns a promise only while the composition is being built; it rejects with HttpError if that takes too
 * long. Throws HttpError if nothing is served yet.
 */
export function chooseComposition(parts: TrafficParts): Stage<Resolved, { readonly held: HeldGeneration }> {
  return {
    waitsFor: 'flag',
    run: ({ exchange, flag }) => {
      exchange.report.enter('choose')
      exchange.report.flagRequested(flag)
      const held = parts.generations.hold(flag)
      if (held === null) throw nothingServed(parts)
      return held instanceof Promise ? held.then((late) => chosen(exchange, late)) : chosen(exchange, held)
    },
  }
}

function chosen(exchange: Exchange, held: HeldGeneration): StageResult<{ readonly held: HeldGeneration }> {
  return exchange.hold(held) ? { held } : DONE
}
