/** The stages of flags in words, and what else is told of every flag. */
import type { Read } from '../../api/client.ts'
import type { Tone } from '../pill.tsx'

export type Flag = Read<'/v1/feature-flags/{namespace}'>['featureFlags'][number]
export type Router = Read<'/v1/routers'>['routers'][number]
type Stage = NonNullable<Flag['stage']>

export type StageWords = { readonly tone: Tone; readonly text: string; readonly means: string }

const STAGES: Readonly<Record<Stage, StageWords>> = {
  disabled: { tone: 'quiet', text: 'disabled', means: 'Requests that name it get base.' },
  new: {
    tone: 'quiet',
    text: 'new',
    means: 'Nothing serves it yet, or it was changed in the last 24 hours.',
  },
  ramping: { tone: 'good', text: 'ramping', means: 'A rollout gives it to a part of its audience.' },
  live: { tone: 'good', text: 'live', means: 'A rollout gives it to all, or clients named it lately.' },
  launched: { tone: 'good', text: 'launched', means: 'Its content is the base graph.' },
  unused: {
    tone: 'warn',
    text: 'unused',
    means: 'No rollout gives it to anybody, and nobody named it lately. It may be deleted.',
  },
  identical: { tone: 'warn', text: 'identical to base', means: 'Its compositions are those of base.' },
}

/** Returns the words of the stage, or whether the flag is enabled if the registry is older than stages. */
export function stageOf({ stage, enabled }: Pick<Flag, 'stage' | 'enabled'>): StageWords {
  if (stage !== undefined) return STAGES[stage]
  return enabled ? { tone: 'good', text: 'enabled', means: 'Requests that name it get it.' } : STAGES.disabled
}

/** Returns the tone of the state of a flag in a graph. */
export function toneOfState(state: string): Tone {
  if (state === 'served') return 'good'
  return state === 'pending' ? 'warn' : 'bad'
}

/** Counts the living routers of a graph, and those of them that serve the flag. */
export function routersOf(
  routers: readonly Router[],
  graph: string,
  flag: string,
): { readonly serving: number; readonly total: number } {
  const alive = routers.filter((router) => router.alive && router.graph === graph)
  return { serving: alive.filter(({ flags }) => flags.includes(flag)).length, total: alive.length }
}
