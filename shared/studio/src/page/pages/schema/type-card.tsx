/** One type: what it says of itself, the subgraphs that define it, and its parts. */
import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useReadOptions } from '../../api/use-api.ts'
import { Foreign } from '../../parts/foreign.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Loaded } from '../../parts/states.tsx'
import { CopyLink } from './copy-link.tsx'
import { Fields } from './fields.tsx'
import { PARTS, PartPages } from './part-pages.tsx'
import { Facts } from './facts.tsx'
import { TypeNames } from './type-reference.tsx'
import type { TypeDetail } from './types.ts'
import { useSchemaAddress } from './use-schema-address.ts'
import { Values } from './values.tsx'

const KIND_WORDS: Readonly<Record<TypeDetail['kind'], string>> = {
  OBJECT: 'object type',
  INTERFACE: 'interface',
  UNION: 'union',
  ENUM: 'enum',
  SCALAR: 'scalar',
  INPUT_OBJECT: 'input type',
}

export function TypeCard({
  name,
  known,
}: {
  readonly name: string
  /** The names of all types. */
  readonly known: ReadonlySet<string>
}) {
  const { type, go } = usePagedType(name)
  return (
    <section className="card" aria-labelledby="the-type">
      <header>
        <h2 id="the-type">
          <Foreign text={name} mono />
        </h2>
        <span className="row">
          {type.data === undefined ? null : <span className="quiet small">{KIND_WORDS[type.data.kind]}</span>}
          <CopyLink type={name} label="Copy link" />
        </span>
      </header>
      <Loaded of={type}>{(detail) => <Detail type={detail} known={known} go={go} />}</Loaded>
    </section>
  )
}

/** The part of a large type that is read: from a place on, or around a field. */
type Page = { readonly from?: number; readonly part?: string }

/** Reads a page of a type: the first one, that of the field in the address, or another one by `go`. */
function usePagedType(name: string) {
  const { params, composition, search } = useSchemaAddress()
  const { field } = search
  const [page, setPage] = useState<Page>(field === undefined ? {} : { part: field })
  const [lastField, setLastField] = useState(field)
  const read = useReadOptions()('/v1/graphs/{namespace}/{name}/types/{type}', {
    path: { namespace: params.namespace, name: params.graph, type: name },
    query: { composition, limit: PARTS, ...page },
  })
  // One page stays until the other is there, and with it the button that has the focus.
  const type = useQuery({ ...read, placeholderData: keepPreviousData })
  if (field !== lastField) {
    setLastField(field)
    const parts = [...(type.data?.fields ?? []), ...(type.data?.values ?? [])]
    if (field !== undefined && !parts.some((part) => part.name === field)) setPage({ part: field })
  }
  return { type, go: (from: number) => setPage({ from }) }
}

function Detail({
  type,
  known,
  go,
}: {
  readonly type: TypeDetail
  readonly known: ReadonlySet<string>
  readonly go: (from: number) => void
}) {
  const told = type.fields.length + type.values.length + type.members.length
  return (
    <>
      <div className="inset stack-close">
        <Facts of={type} />
        <dl className="facts schema-facts">
          <DefinedBy type={type} />
          {type.interfaces.length === 0 ? null : (
            <TypeNames title="Implements" names={type.interfaces} known={known} />
          )}
          {type.implementedBy.length === 0 ? null : (
            <TypeNames title="Implemented by" names={type.implementedBy} known={known} />
          )}
          {type.members.length === 0 ? null : (
            <TypeNames title="Members" names={type.members.map(({ name }) => name)} known={known} />
          )}
          {type.usedBy.length === 0 ? null : (
            <TypeNames
              title="Used by"
              names={type.usedBy}
              known={known}
              more={type.usedByCount - type.usedBy.length}
            />
          )}
        </dl>
      </div>
      {type.fields.length === 0 ? null : <Fields type={type} known={known} />}
      {type.values.length === 0 ? null : <Values type={type} />}
      <PartPages from={type.from} told={told} total={type.total} go={go} />
      {type.inaccessible ? (
        <p className="inset quiet small">
          <Pill tone="quiet">inaccessible</Pill> Clients do not see this type.
        </p>
      ) : null}
    </>
  )
}

function DefinedBy({ type: { subgraphs } }: { readonly type: TypeDetail }) {
  return (
    <div>
      <dt>Defined by</dt>
      <dd>
        <ul>
          {subgraphs.map(({ subgraph, keys, interfaceObject }) => (
            <li key={subgraph}>
              <Foreign text={subgraph} />
              {interfaceObject ? <span className="quiet"> as @interfaceObject</span> : null}
              {keys.map(({ fields, resolvable }) => (
                <span key={fields} className="quiet small">
                  {' '}
                  · key <Foreign text={fields} mono />
                  {resolvable ? '' : ' (only refers to it)'}
                </span>
              ))}
            </li>
          ))}
        </ul>
      </dd>
    </div>
  )
}
