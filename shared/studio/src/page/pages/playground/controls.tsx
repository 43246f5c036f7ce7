/** What is asked: by which compositions, and whether with a trace. */
import { printable } from '@switchyard/values'

export type Asking = {
  /** Null for base. */
  readonly flag: string | null
  /** The second composition; undefined if there is only one. */
  readonly compare: string | null | undefined
  readonly trace: boolean
  /** The setting `tracing.vendor` of the router, which is part of names of headers. */
  readonly vendor: string
}

export const VENDOR = /^[A-Za-z0-9-]{1,40}$/

export function Controls({
  asking,
  flags,
  onChange,
}: {
  readonly asking: Asking
  readonly flags: readonly string[]
  readonly onChange: (asking: Asking) => void
}) {
  const { flag, compare, trace, vendor } = asking
  const change = (changed: Partial<Asking>) => onChange({ ...asking, ...changed })
  return (
    <div className="pg-controls">
      <Choice
        label="Composition"
        value={flag}
        flags={flags}
        onChoose={(chosen) => change({ flag: chosen })}
      />
      <label className="row">
        <input
          type="checkbox"
          checked={compare !== undefined}
          onChange={({ target }) => change({ compare: target.checked ? otherThan(flag, flags) : undefined })}
        />
        Compare with another
      </label>
      {compare === undefined ? null : (
        <Choice
          label="Other composition"
          value={compare}
          flags={flags}
          onChoose={(chosen) => change({ compare: chosen })}
        />
      )}
      <label className="row">
        <input type="checkbox" checked={trace} onChange={({ target }) => change({ trace: target.checked })} />
        Plan and trace
      </label>
      {trace ? (
        <label className="labelled">
          <span>Vendor in names of trace headers</span>
          <input
            className="field"
            value={vendor}
            aria-invalid={!VENDOR.test(vendor)}
            onChange={({ target }) => change({ vendor: target.value.trim() })}
          />
        </label>
      ) : null}
    </div>
  )
}

/** Returns a composition that is not the chosen one, if there is one. */
function otherThan(flag: string | null, flags: readonly string[]): string | null {
  return flag === null ? (flags[0] ?? null) : null
}

const BASE = 'base'

function Choice({
  label,
  value,
  flags,
  onChoose,
}: {
  readonly label: string
  readonly value: string | null
  readonly flags: readonly string[]
  readonly onChoose: (flag: string | null) => void
}) {
  const all = value === null || flags.includes(value) ? flags : [...flags, value]
  return (
    <label className="labelled">
      <span>{label}</span>
      <select
        className="field"
        value={value === null ? BASE : `flag:${value}`}
        onChange={({ target }) => onChoose(target.value === BASE ? null : target.value.replace(/^flag:/, ''))}
      >
        <option value={BASE}>base (no flag named)</option>
        {all.map((name) => (
          <option key={name} value={`flag:${name}`}>
            flag {printable(name)}
          </option>
        ))}
      </select>
    </label>
  )
}
