/** The pages of Studio, and what is on each of them once it can be used. */
import { BROKEN_GRAPH, GRAPH, rootField, typeName } from './large-graph.ts'

export type MeasuredPage = {
  readonly name: string
  /** The path below `/studio`. */
  readonly path: string
  /** A selector of what the page is for. */
  readonly content: string
}

const ns = `/ns/${GRAPH.namespace}`
const graph = `${ns}/graphs/${GRAPH.graph}`
const type = typeName(77)

export const PAGES: readonly MeasuredPage[] = [
  { name: 'Home', path: '/', content: '.graph-card' },
  { name: 'Graph', path: graph, content: '.revisions' },
  { name: 'Schema', path: `${graph}/schema?type=${type}`, content: '.schema-field' },
  { name: 'Schema, the type Query', path: `${graph}/schema`, content: '.schema-field' },
  {
    name: 'Schema, its last field',
    path: `${graph}/schema?field=${rootField(19_999)}`,
    content: '.schema-field[data-chosen=true]',
  },
  { name: 'Schema, a search', path: `${graph}/schema?type=${type}&q=label1`, content: '.found li' },
  { name: 'Difference', path: `${graph}/difference?from=base&to=flag:flag-3`, content: '#changes' },
  { name: 'Composition errors', path: `${ns}/graphs/${BROKEN_GRAPH}/errors`, content: '#all-errors' },
  { name: 'Subgraphs', path: `${ns}/subgraphs`, content: '.scrolled-list li' },
  { name: 'Subgraph', path: `${ns}/subgraphs/service-7`, content: '.code-text' },
  { name: 'Checks', path: `${ns}/checks?subgraph=service-7`, content: '.code-text' },
  { name: 'Flags', path: `${ns}/feature-flags`, content: '.entries li' },
  { name: 'Flag', path: `${ns}/feature-flags/flag-3`, content: '#served' },
  { name: 'Rollouts', path: `${ns}/rollouts`, content: '.entries li' },
  { name: 'Rollout', path: `${ns}/rollouts/rollout-3`, content: '.percentage' },
  { name: 'Operations', path: `${graph}/operations`, content: 'tbody tr' },
  { name: 'Unused', path: `${graph}/unused`, content: 'main .card, main .notice' },
  { name: 'History', path: '/history', content: 'main li' },
  { name: 'Fleet', path: '/fleet', content: '.fleet li' },
  { name: 'Keys', path: '/keys', content: '.entries li' },
  { name: 'Traces', path: '/traces', content: 'main h1' },
]
