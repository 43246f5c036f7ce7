/** Names of types in the text of the page: each leads to its type. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Foreign } from '../../parts/foreign.tsx'
import { fieldOf } from './types.ts'
import { SCHEMA, useSchemaAddress } from './use-schema-address.ts'

const FIRST = 12

/** A type as fields have it, such as `[Product!]!`. */
export function TypeReference({
  text,
  known,
}: {
  readonly text: string
  readonly known: ReadonlySet<string>
}) {
  const [, before = '', name = text, after = ''] = /^(\[*)(\w+)([\]!]*)$/.exec(text) ?? []
  return (
    <code className="type-reference">
      {before}
      <ToType name={name} known={known} />
      {after}
    </code>
  )
}

/** A type or a coordinate, which leads to it if the schema has it. */
function ToType({ name, known }: { readonly name: string; readonly known: ReadonlySet<string> }) {
  const { params, search } = useSchemaAddress()
  const [type = name] = name.split(/[.(]/)
  if (!known.has(type)) return <Foreign text={name} />
  return (
    <Link
      to={SCHEMA}
      params={params}
      search={{ ...search, type, field: fieldOf(name) ?? undefined }}
      resetScroll={false}
    >
      <Foreign text={name} />
    </Link>
  )
}

/** A list of types or coordinates, of which the first ones are shown until somebody asks for all. */
export function TypeNames({
  title,
  names,
  known,
  more = 0,
}: {
  readonly title: string
  readonly names: readonly string[]
  readonly known: ReadonlySet<string>
  /** Names that are not in the list. */
  readonly more?: number
}) {
  const [areAllShown, showAll] = useState(false)
  const shown = areAllShown ? names : names.slice(0, FIRST)
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <ul className="type-names">
          {shown.map((name) => (
            <li key={name}>
              <code>
                <ToType name={name} known={known} />
              </code>
            </li>
          ))}
        </ul>
        {names.length > shown.length ? (
          <button
            type="button"
            className="button"
            data-kind="quiet"
            data-size="small"
            onClick={() => showAll(true)}
          >
            Show {names.length - FIRST} more
          </button>
        ) : null}
        {areAllShown && more > 0 ? <p className="quiet small">and {more} more</p> : null}
      </dd>
    </div>
  )
}
