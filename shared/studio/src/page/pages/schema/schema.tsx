/** The schema of a composition: all its types, one of them, and who resolves and uses each field. */
import { useMemo } from 'react'
import { useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { CompositionChoice, textOf } from '../../parts/composition-choice.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import './schema.css'
import { TypeCard } from './type-card.tsx'
import { TypeList } from './type-list.tsx'
import type { CompositionTypes } from './types.ts'
import { useSchemaAddress } from './use-schema-address.ts'

export function Schema() {
  const { params, composition, change } = useSchemaAddress()
  const { namespace, graph } = params
  const types = useRead('/v1/graphs/{namespace}/{name}/types', {
    path: { namespace, name: graph },
    query: { composition },
  })
  return (
    <div className="stack">
      <PageHead
        title="Schema"
        actions={
          <CompositionChoice
            namespace={namespace}
            graph={graph}
            label="Composition"
            value={composition}
            onChoose={(chosen) => change({ composition: chosen === 'base' ? undefined : chosen })}
          />
        }
      >
        <Foreign text={graph} />, {textOf(composition)}
        {types.data === undefined ? '' : <Summary types={types.data} />}.
      </PageHead>
      <Loaded of={types}>
        {(all) => (
          <div className="split">
            <TypeList types={all} />
            <Shown types={all} />
          </div>
        )}
      </Loaded>
      <div className="labelled">
        <span>The whole schema on the command line</span>
        <Command
          words={[
            'switchyard',
            'federated-graph',
            'fetch',
            graph,
            '--out',
            `${graph}-files`,
            '--namespace',
            namespace,
          ]}
        />
      </div>
    </div>
  )
}

function Summary({ types: { names, subgraphs } }: { readonly types: CompositionTypes }) {
  return (
    <>
      : {names.length} types of {subgraphs.length} subgraphs
    </>
  )
}

function Shown({ types }: { readonly types: CompositionTypes }) {
  const { search } = useSchemaAddress()
  const known = useMemo(() => new Set(types.names), [types.names])
  const type = search.type ?? types.roots.query ?? types.names[0]
  if (type === undefined) {
    return (
      <section className="card">
        <Empty title="The schema has no types" />
      </section>
    )
  }
  return <TypeCard key={type} name={type} known={known} />
}
