/** Writes the large namespace into a registry, as its clients do. */
import {
  BROKEN_GRAPH,
  BROKEN_LABELS,
  brokenSdl,
  documents,
  FLAGS,
  GRAPH,
  LABELS,
  ROLLOUTS,
  SUBGRAPHS,
  subgraphSdl,
} from './large-graph.ts'
import type { ManagementClient } from './management-client.ts'

/** Changes before the present ones, which make the history. */
const EARLIER_CHANGES = 2000
const API_KEYS = 60
const URL = 'http://127.0.0.1:9/graphql'
const { namespace, graph } = GRAPH

/** Writes everything that composers need. */
export async function fillNamespace({ write }: ManagementClient): Promise<void> {
  const publish = (name: string, sdl: string, labels = LABELS) =>
    write('PUT', `subgraphs/${namespace}/${name}/schema?wait=0`, { sdl, labels, routingUrl: URL })
  await write('POST', `graphs/${namespace}?wait=0`, { name: graph, labelMatchers: LABELS })
  await write('POST', `graphs/${namespace}?wait=0`, { name: BROKEN_GRAPH, labelMatchers: BROKEN_LABELS })
  // Before there is a composition, so that they are not tried with each of them.
  const manifest = JSON.stringify(documents())
  await write('PUT', `graphs/${namespace}/${graph}/documents/web?wait=0`, { manifest })
  for (let change = 0; change < EARLIER_CHANGES; change++)
    await write('PUT', `subgraphs/${namespace}/notes/schema?wait=0`, {
      sdl: `type Query { note: String change${change}: Int }`,
      labels: LABELS,
      routingUrl: URL,
      reason: `change ${change} of many`,
    })
  for (let index = 0; index < SUBGRAPHS; index++) await publish(`service-${index}`, subgraphSdl(index))
  await publish('broken-one', brokenSdl('Int'), BROKEN_LABELS)
  await publish('broken-two', brokenSdl('String'), BROKEN_LABELS)
  for (let flag = 0; flag < FLAGS; flag++) await addFlag(write, flag)
}

async function addFlag(write: ManagementClient['write'], flag: number): Promise<void> {
  const name = `service-${flag}-next`
  const subgraph = `service-${flag}`
  await write('POST', `feature-subgraphs/${namespace}?wait=0`, { name, routingUrl: URL, subgraph })
  const sdl = subgraphSdl(flag, `flagged${flag}: Int`)
  await write('PUT', `subgraphs/${namespace}/${name}/schema?wait=0`, { sdl })
  await write('POST', `feature-flags/${namespace}?wait=0`, {
    name: flagName(flag),
    featureSubgraphs: [name],
    labels: LABELS,
    enabled: true,
  })
}

export function flagName(flag: number): string {
  return `flag-${flag}`
}

/** Writes what needs no composition. */
export async function fillBesides({ write }: ManagementClient): Promise<void> {
  for (let rollout = 0; rollout < ROLLOUTS; rollout++)
    await write('POST', `rollouts/${namespace}?wait=0`, {
      name: `rollout-${rollout}`,
      graph,
      flag: flagName(rollout),
      percent: 10,
      key: ['cookie:visitor'],
    })
  for (let key = 0; key < API_KEYS; key++)
    await write('POST', 'api-keys', { name: `program-${key}`, scopes: ['read'] })
}

/** Publishes another schema of one subgraph. */
export async function changeSubgraph({ write }: ManagementClient, change: number): Promise<void> {
  const sdl = `type Query { note: String changed${change}: Int }`
  await write('PUT', `subgraphs/${namespace}/notes/schema?wait=0`, { sdl, labels: LABELS, routingUrl: URL })
}
