/** Which settings are for single subgraphs and feature flags. */
import type { RouterConfig } from '../config/router-config.ts'
import type { NamingSettings } from '../generations/unmatched-names.ts'

export function namingSettings({ subgraphs, headers, costs, ofrep }: RouterConfig): NamingSettings {
  const named = (section: string, names: Iterable<string>) =>
    [...names].map((name) => ({ setting: `${section}.${name}`, name }))
  return {
    subgraphs: [
      ...named('subgraphs.overrides', subgraphs.bySubgraph.keys()),
      ...named('headers.subgraphs', headers.bySubgraph.keys()),
      ...named('costs.subgraphs', costs.maxBySubgraph.keys()),
    ],
    flags: [
      ...named('headers.flags', headers.byFlag.keys()),
      ...named('ofrep.flags', ofrep.enabled ? ofrep.flags : []),
    ],
  }
}
