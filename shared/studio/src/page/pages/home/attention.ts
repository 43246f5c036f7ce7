/** Finds what somebody should look at, among all that the session may read. */
import type { Read } from '../../api/client.ts'
import type { GraphView } from '../../api/use-graphs.ts'

type Flag = Read<'/v1/feature-flags/{namespace}'>['featureFlags'][number]
type Rollout = Read<'/v1/rollouts/{namespace}'>['rollouts'][number]
type Router = Read<'/v1/routers'>['routers'][number]

export type Attention = {
  readonly tone: 'bad' | 'warn'
  /** The state in a word or two. */
  readonly state: string
  /** The thing, by its name. */
  readonly name: string
  readonly sentence: string
  readonly namespace: string
  /** The graph that it is about. Null if it is about a namespace. */
  readonly graph: string | null
}

export type Facts = {
  readonly graphs: readonly GraphView[]
  readonly flags: readonly Flag[]
  readonly rollouts: readonly Rollout[]
  readonly routers: readonly Router[]
}

/** Returns what wants attention, failures first. */
export function attention({ graphs, flags, rollouts, routers }: Facts): readonly Attention[] {
  const found = [
    ...graphs.flatMap(ofGraph),
    ...flags.flatMap(ofFlag),
    ...rollouts.flatMap(ofRollout),
    ...routers.flatMap(ofRouter),
  ]
  return [...found.filter(({ tone }) => tone === 'bad'), ...found.filter(({ tone }) => tone === 'warn')]
}

function ofGraph({ namespace, name, base, revision, pinnedRevision }: GraphView): readonly Attention[] {
  const about = { name, namespace, graph: name }
  const served =
    revision === null ? 'It was never composed.' : `Revision ${revision} is the last one that was.`
  const found: Attention[] = []
  if (base === 'failed')
    found.push({
      ...about,
      tone: 'bad',
      state: 'not composed',
      sentence: `Its subgraphs do not fit together. ${served}`,
    })
  if (pinnedRevision !== null)
    found.push({
      ...about,
      tone: 'warn',
      state: 'held',
      sentence: `It is held on revision ${pinnedRevision}: changes do not reach routers until it is released.`,
    })
  return found
}

function ofFlag({ namespace, name, enabled, graphs, stage }: Flag): readonly Attention[] {
  const failed = enabled ? graphs.filter(({ state }) => state.startsWith('not served')) : []
  const found: Attention[] = failed.map(({ graph, state }) => ({
    tone: 'bad',
    state: 'flag not served',
    name,
    namespace,
    graph,
    sentence: `In ${graph} it is ${state}.`,
  }))
  const about = { tone: 'warn', name, namespace, graph: null } as const
  if (stage === 'unused')
    found.push({
      ...about,
      state: 'unused flag',
      sentence: 'Nobody asked for it of late. It may be deleted.',
    })
  if (stage === 'identical')
    found.push({ ...about, state: 'flag without effect', sentence: 'Its compositions are those of base.' })
  return found
}

function ofRollout({ namespace, name, graph, flag, status, ramp }: Rollout): readonly Attention[] {
  const about = { tone: 'warn', name, namespace, graph } as const
  if (status === 'aborted')
    return [{ ...about, state: 'rollout aborted', sentence: `It gives ${flag} to nobody.` }]
  if (ramp?.state === 'paused')
    return [
      {
        ...about,
        state: 'rollout held',
        sentence: `Its ramp of ${flag} is paused at step ${ramp.step + 1}.`,
      },
    ]
  return []
}

function ofRouter({
  instance,
  namespace,
  graph,
  alive,
  serves,
  rejected,
  state,
}: Router): readonly Attention[] {
  const about = { name: instance, namespace, graph }
  if (rejected !== undefined) {
    const sentence = `It refused revision ${rejected.revision}: ${rejected.message}`
    return [{ ...about, tone: 'bad', state: 'router refused', sentence }]
  }
  if (!alive && state !== 'stopped')
    return [{ ...about, tone: 'bad', state: 'router lost', sentence: 'It was not heard for 15 seconds.' }]
  if (serves === 'not-in-log')
    return [
      { ...about, tone: 'bad', state: 'router astray', sentence: 'It serves what the log does not have.' },
    ]
  if (serves === 'older')
    return [{ ...about, tone: 'warn', state: 'router behind', sentence: 'It serves an older revision.' }]
  return []
}
