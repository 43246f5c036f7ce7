/** Makes the sources of a router's configs in the form that its follower needs. */
import { trace } from '@opentelemetry/api'
import type { Announcer } from '@switchyard/event-log'
import type { RouterConfig } from '../config/router-config.ts'
import { ManifestRejectedError } from '../errors/http-error.ts'
import type { ConfigEvents } from '../generations/follow/config-events.ts'
import type { PrimarySource, RouterSource } from './router-options.ts'
import { TRACER } from '../observe/meter.ts'
import {
  ConfigFollower,
  type ConfigFollowerOptions,
  type ConfigFollowing,
} from '../generations/follow/config-follower.ts'
import type { ConfigTarget } from '../generations/follow/config-intake.ts'
import { createNewestConfirmation, warnInstead } from '../generations/follow/confirm-newest.ts'
import { createConfigStoreSource } from '../generations/follow/config-store-source.ts'
import { readExecutionConfig } from '../generations/follow/file-source.ts'
import { fixedGraph } from '../generations/follow/graph-choice.ts'
import { createLastKnownGood } from '../generations/copy/last-known-good.ts'
import { readSupergraphFile, SupergraphFileError } from '../generations/follow/supergraph-source.ts'
import { createManifestVerifier } from '../generations/verify/verify-manifest.ts'

/**
 * Makes the follower that reads the configs of this source and offers each to `target`. It begins when it is
 * started.
 */
export function openFollower(
  source: RouterSource,
  { config, announcer }: { readonly config: RouterConfig; readonly announcer: Announcer | null },
  target: ConfigTarget,
  events: ConfigEvents,
  { onGraph, onChange }: Pick<ConfigFollowerOptions, 'onGraph' | 'onChange'>,
): ConfigFollower {
  return new ConfigFollower({
    ...sourcesOf(source, config, events),
    generations: target,
    events,
    tracer: trace.getTracer(TRACER),
    announcer,
    pollInterval: config.pollInterval,
    usesDocuments: config.documents.published,
    servesPreviews: config.previews.serve,
    onGraph,
    onChange,
  })
}

function sourcesOf(
  source: RouterSource,
  { authorization: { allowUnenforced }, acceptUnconfirmed }: RouterConfig,
  events: ConfigEvents,
): Pick<ConfigFollowerOptions, 'store' | 'lastKnownGood' | 'file'> {
  if (source.kind !== 'config-store') {
    const read = source.kind === 'supergraph' ? readSupergraphFile : readExecutionConfig
    return { store: null, lastKnownGood: null, file: () => read(source.path, allowUnenforced) }
  }
  const { executionConfig, graph, lastKnownGoodDirectory, keys, trusted = false } = source
  const verify = createManifestVerifier(keys)
  const confirm = createNewestConfirmation(keys)
  const confirmation = acceptUnconfirmed ? warnInstead(confirm, events) : confirm
  return {
    store: {
      source: createConfigStoreSource(source.store, verify, trusted ? null : confirmation),
      graph: 'current' in graph ? graph : fixedGraph(graph),
    },
    lastKnownGood:
      lastKnownGoodDirectory === undefined ? null : createLastKnownGood(lastKnownGoodDirectory, verify),
    file: executionConfig === undefined ? null : () => readExecutionConfig(executionConfig, allowUnenforced),
  }
}

/**
 * Begins to follow. Resolves when there is nothing more to wait for before the router listens: on a file,
 * once it is served. Throws what reading a file throws, and SupergraphFileError for one that cannot be built.
 */
export async function startFollowing(
  source: RouterSource | PrimarySource,
  follower: Pick<ConfigFollowing, 'start'>,
  failed: (error: unknown) => void,
): Promise<void> {
  const following = follower.start()
  if (source.kind === 'config-store' || source.kind === 'primary') {
    // Nothing a store does makes the following fail: this would be a fault of the router itself.
    following.catch(failed)
    return
  }
  try {
    await following
  } catch (error) {
    if (source.kind === 'supergraph' && error instanceof ManifestRejectedError)
      throw new SupergraphFileError(source.path, error.message, error)
    throw error
  }
}
