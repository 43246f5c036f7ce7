/** The choice of a composition of a graph: base and flags as they are now, and those of revisions. */
import type { Read } from '../api/client.ts'
import { useRead } from '../api/use-api.ts'
import { ago } from './moment.tsx'
import { printable } from '@switchyard/values'

type Revision = Read<'/v1/graphs/{namespace}/{name}/revisions'>['revisions'][number]

const REVISIONS = 50

export function CompositionChoice({
  namespace,
  graph,
  label,
  value,
  onChoose,
}: {
  readonly namespace: string
  readonly graph: string
  readonly label: string
  /** The name of the composition, as the API takes it. */
  readonly value: string
  readonly onChoose: (composition: string) => void
}) {
  const path = { namespace, name: graph }
  const detail = useRead('/v1/graphs/{namespace}/{name}', { path })
  const revisions = useRead('/v1/graphs/{namespace}/{name}/revisions', { path, query: { limit: REVISIONS } })
  const flags = detail.data?.featureFlags ?? []
  const older = revisions.data?.revisions.flatMap(ofRevision) ?? []
  const now = ['base', ...flags.map(({ name }) => `flag:${name}`)]
  const isListed = now.includes(value) || older.some(({ composition }) => composition === value)
  return (
    <label className="labelled composition-choice">
      <span>{label}</span>
      <select className="field" value={value} onChange={({ target }) => onChoose(target.value)}>
        {isListed ? null : <option value={value}>{textOf(value)}</option>}
        <optgroup label="As it is now">
          {now.map((composition) => (
            <option key={composition} value={composition}>
              {textOf(composition)}
            </option>
          ))}
        </optgroup>
        {older.length === 0 ? null : (
          <optgroup label="Revisions">
            {older.map(({ composition, time }) => (
              <option key={composition} value={composition}>
                {textOf(composition)} · {time}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </label>
  )
}

function ofRevision({ revision, createdAt, featureFlags }: Revision) {
  const time = ago(new Date(createdAt).getTime(), Date.now())
  return ['', ...featureFlags.map((flag) => `/flag:${flag}`)].map((flag) => ({
    composition: `revision:${revision}${flag}`,
    time,
  }))
}

/** Says the name of a composition as people read it. */
export function textOf(composition: string): string {
  return printable(
    composition
      .replace(/^revision:(\d+)/, 'revision $1')
      .replace(/^flag:/, 'flag ')
      .replace('/flag:', ', flag '),
  )
}
