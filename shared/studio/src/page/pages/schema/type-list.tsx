/** All types, by kind and by what is sought, and the fields and descriptions that a search finds. */
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useRead } from '../../api/use-api.ts'
import { Foreign } from '../../parts/foreign.tsx'
import { ScrolledList } from '../../parts/scrolled-list.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import { Loaded } from '../../parts/states.tsx'
import { type CompositionTypes, fieldOf, isKind, KINDS, listedTypes } from './types.ts'
import { SCHEMA, useSchemaAddress } from './use-schema-address.ts'

const ROW = 41
const FOUND = 30

export function TypeList({ types }: { readonly types: CompositionTypes }) {
  const { params, search } = useSchemaAddress()
  const { q = '', kind } = search
  const listed = useMemo(() => listedTypes(types, kind, q), [types, kind, q])
  const chosen = listed.findIndex(({ name }) => name === (search.type ?? types.roots.query))
  return (
    <div className="stack-close">
      <Sought />
      <section className="card" aria-labelledby="types">
        <header>
          <h2 id="types">Types</h2>
          <span className="quiet small" role="status">
            {listed.length === types.names.length ? '' : `${listed.length} of `}
            {types.names.length}
          </span>
        </header>
        {listed.length === 0 ? (
          <p className="inset quiet">No type has this in its name.</p>
        ) : (
          <ScrolledList
            label="Types"
            count={listed.length}
            rowHeight={ROW}
            chosen={chosen === -1 ? null : chosen}
            row={(index, tabIndex) => {
              const one = listed[index]
              return one === undefined ? null : (
                <Link
                  to={SCHEMA}
                  params={params}
                  search={{ ...search, type: one.name, field: undefined }}
                  resetScroll={false}
                  tabIndex={tabIndex}
                  aria-current={index === chosen}
                  className="listed-type"
                >
                  <Foreign text={one.name} mono />
                  <span className="quiet small">{one.kind}</span>
                </Link>
              )
            }}
          />
        )}
      </section>
      {q === '' ? null : <FoundElsewhere text={q} />}
    </div>
  )
}

/** The text that is sought, and the kind of type. */
function Sought() {
  const {
    search: { q = '', kind },
    change,
  } = useSchemaAddress()
  return (
    <div className="schema-search">
      <label className="labelled">
        <span>Search</span>
        <input
          className="field"
          type="search"
          placeholder="price, Product.pri …"
          value={q}
          onChange={({ target: { value } }) => change({ q: value === '' ? undefined : value })}
        />
      </label>
      <label className="labelled">
        <span>Kind</span>
        <select
          className="field"
          value={kind ?? ''}
          onChange={({ target: { value } }) => change({ kind: isKind(value) ? value : undefined })}
        >
          <option value="">all</option>
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

/** Fields, arguments and values whose name has the text, and descriptions of all of them. */
function FoundElsewhere({ text }: { readonly text: string }) {
  const { params, search, composition } = useSchemaAddress()
  const settled = useSettled(text.slice(0, 200))
  const found = useRead('/v1/graphs/{namespace}/{name}/search', {
    path: { namespace: params.namespace, name: params.graph },
    query: { composition, q: settled, limit: FOUND },
  })
  return (
    <section className="card" aria-labelledby="found">
      <header>
        <h2 id="found">Fields and descriptions</h2>
      </header>
      <Loaded of={found}>
        {({ matches, more }) => {
          const others = matches.filter(({ kind, matched }) => kind !== 'type' || matched === 'description')
          if (others.length === 0) return <p className="inset quiet">Nothing else has this text.</p>
          return (
            <>
              <ul className="found">
                {others.map(({ coordinate, type, excerpt, matched }) => (
                  <li key={`${coordinate} ${matched}`}>
                    <Link
                      to={SCHEMA}
                      params={params}
                      search={{ ...search, type, field: fieldOf(coordinate) ?? undefined }}
                      resetScroll={false}
                    >
                      <Foreign text={coordinate} mono />
                    </Link>
                    {excerpt === null ? null : (
                      <p className="quiet small">
                        <Foreign text={excerpt} />
                      </p>
                    )}
                  </li>
                ))}
              </ul>
              {more ? <p className="inset quiet small">There is more; a longer text finds less.</p> : null}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
