/** The fields of a type: arguments, and for each subgraph what it does about the field. */
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Foreign } from '../../parts/foreign.tsx'
import { CopyLink } from './copy-link.tsx'
import { Facts } from './facts.tsx'
import { TypeReference } from './type-reference.tsx'
import { type Field, rolesOf, type TypeDetail } from './types.ts'
import { Usage } from './usage.tsx'
import { SCHEMA, useSchemaAddress } from './use-schema-address.ts'

type Known = { readonly known: ReadonlySet<string> }

export function Fields({ type, known }: Known & { readonly type: TypeDetail }) {
  const { search } = useSchemaAddress()
  return (
    <>
      <h3 className="schema-part">
        {type.total} {type.total === 1 ? 'field' : 'fields'}
      </h3>
      <ul className="schema-fields">
        {type.fields.map((field) => (
          <FieldRow
            key={field.name}
            type={type.name}
            field={field}
            known={known}
            isChosen={field.name === search.field}
          />
        ))}
      </ul>
    </>
  )
}

function FieldRow({
  type,
  field,
  known,
  isChosen,
}: Known & { readonly type: string; readonly field: Field; readonly isChosen: boolean }) {
  const { params, search } = useSchemaAddress()
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li ref={row} className="schema-field" data-chosen={isChosen}>
      <p className="field-line">
        <Link
          to={SCHEMA}
          params={params}
          search={{ ...search, type, field: isChosen ? undefined : field.name }}
          resetScroll={false}
          aria-expanded={isChosen}
          className="field-name"
        >
          <Foreign text={field.name} mono />
        </Link>
        <code>
          {field.arguments.length === 0 ? ': ' : '( … ): '}
          <TypeReference text={field.type} known={known} />
          {field.defaultValue === null ? null : (
            <>
              {' = '}
              <Foreign text={field.defaultValue} />
            </>
          )}
        </code>
      </p>
      <Facts of={field} />
      <Arguments field={field} known={known} />
      <Resolvers field={field} />
      {isChosen ? (
        <>
          <p>
            <CopyLink type={type} field={field.name} label="Copy link to this field" />
          </p>
          <Usage coordinate={`${type}.${field.name}`} />
        </>
      ) : null}
    </li>
  )
}

function Arguments({ field, known }: Known & { readonly field: Field }) {
  if (field.arguments.length === 0) return null
  return (
    <ul className="arguments" aria-label="Arguments">
      {field.arguments.map((argument) => (
        <li key={argument.name}>
          <code>
            <Foreign text={argument.name} />: <TypeReference text={argument.type} known={known} />
            {argument.defaultValue === null ? null : (
              <>
                {' = '}
                <Foreign text={argument.defaultValue} />
              </>
            )}
          </code>
          <Facts of={argument} />
        </li>
      ))}
    </ul>
  )
}

function Resolvers({ field }: { readonly field: Field }) {
  return (
    <ul className="resolvers" aria-label="Subgraphs">
      {field.subgraphs.map((one) => (
        <li key={one.subgraph} data-resolves={one.resolves}>
          <strong>
            <Foreign text={one.subgraph} />
          </strong>{' '}
          <Foreign text={rolesOf(one).join(', ')} />
        </li>
      ))}
    </ul>
  )
}
