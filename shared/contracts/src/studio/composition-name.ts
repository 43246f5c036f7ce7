/** How routes name one composition of a graph: `base`, `flag:<name>`, `revision:<n>[/flag:<name>]`. */
import { z } from 'zod'
import { ResourceName } from '../names.ts'

const FORM = /^(?:base|flag:(?<flag>.+)|revision:(?<revision>[1-9]\d{0,14})(?:\/flag:(?<ofRevision>.+))?)$/s
const RULE =
  'a composition is base, flag:<name>, revision:<number> (its base) or revision:<number>/flag:<name>'

/** A composition of a graph. */
export type NamedComposition = {
  /** Null for the newest composition. */
  readonly revision: number | null
  /** Null for the base. */
  readonly featureFlag: string | null
}

/** Query parameter `composition`, `from` or `to`. */
export const CompositionName = z.string().max(200, RULE).transform(readName)

function readName(text: string, context: z.RefinementCtx): NamedComposition {
  const groups = FORM.exec(text)?.groups
  const featureFlag = groups?.['flag'] ?? groups?.['ofRevision'] ?? null
  const isName = featureFlag === null || ResourceName.safeParse(featureFlag).success
  if (groups === undefined || !isName) {
    context.addIssue({ code: 'custom', message: RULE })
    return z.NEVER
  }
  const revision = groups['revision']
  return { revision: revision === undefined ? null : Number(revision), featureFlag }
}

/** Writes the name of a composition, as `CompositionName` reads it. */
export function printCompositionName({ revision, featureFlag }: NamedComposition): string {
  if (revision === null) return featureFlag === null ? 'base' : `flag:${featureFlag}`
  return `revision:${revision}${featureFlag === null ? '' : `/flag:${featureFlag}`}`
}
