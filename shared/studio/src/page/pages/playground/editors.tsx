/** What is sent: the operation, its variables, and headers. */
import { prettyPrinted } from '@switchyard/operation-views'
import { useState } from 'react'
import { useRead } from '../../api/use-api.ts'
import { Foreign } from '../../parts/foreign.tsx'
import '../../parts/code/code.css'
import { OperationField } from './operation-field.tsx'
import type { Written } from './question.ts'

export function Editors({
  place: { namespace, graph },
  flag,
  written,
  onChange,
  onRun,
}: {
  readonly place: { readonly namespace: string; readonly graph: string }
  readonly flag: string | null
  readonly written: Written
  readonly onChange: (written: Written) => void
  readonly onRun: () => void
}) {
  const schema = useRead('/v1/graphs/{namespace}/{name}/client-schema', {
    path: { namespace, name: graph },
    query: { composition: flag === null ? 'base' : `flag:${flag}` },
  })
  return (
    <div className="pg-editors">
      <Operation
        query={written.query}
        sdl={schema.data?.sdl ?? null}
        onChange={(query) => onChange({ ...written, query })}
        onRun={onRun}
      />
      <div className="pg-fields">
        <JsonField
          label="Variables, as JSON"
          text={written.variables}
          onChange={(variables) => onChange({ ...written, variables })}
        />
        <JsonField
          label="Headers, as JSON"
          text={written.headers}
          onChange={(headers) => onChange({ ...written, headers })}
        />
        <p className="quiet small">Headers may hold secrets: they are kept nowhere, and are in no link.</p>
        {schema.isError ? (
          <p className="quiet small">
            There is no completion: <Foreign text={schema.error.message} />
          </p>
        ) : null}
      </div>
    </div>
  )
}

function Operation({
  query,
  sdl,
  onChange,
  onRun,
}: {
  readonly query: string
  readonly sdl: string | null
  readonly onChange: (query: string) => void
  readonly onRun: () => void
}) {
  const [version, setVersion] = useState(0)
  const printed = prettyPrinted(query)
  return (
    <figure className="code">
      <figcaption>
        Operation
        <button
          type="button"
          className="button"
          data-kind="quiet"
          data-size="small"
          disabled={printed === null || printed === query}
          onClick={() => {
            onChange(printed ?? query)
            setVersion(version + 1)
          }}
        >
          Print in lines
        </button>
      </figcaption>
      <OperationField text={query} version={version} sdl={sdl} onChange={onChange} onRun={onRun} />
    </figure>
  )
}

function JsonField({
  label,
  text,
  onChange,
}: {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
}) {
  return (
    <label className="labelled">
      <span>{label}</span>
      <textarea
        className="field mono"
        rows={4}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}
