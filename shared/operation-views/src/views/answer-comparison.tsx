/** Two answers side by side, and where they differ. */
import { printable } from '@switchyard/values'
import { useEffect, useMemo, useRef } from 'react'
import type { Answer } from '../answers/answer.ts'
import { compareAnswers, MOST_PLACES } from '../answers/compare-answers.ts'
import { stateOf, useLoaded } from './use-loaded.ts'

const load = () => import('../editors/editors.ts')
/** Characters of a path or value in the list. */
const MOST_CHARACTERS = 120

export function AnswerComparison({
  answers: [one, other],
  names: [oneName, otherName],
}: {
  readonly answers: readonly [Answer, Answer]
  readonly names: readonly [string, string]
}) {
  const { places, before, after } = useMemo(() => compareAnswers(one, other), [one, other])
  const isSame = places !== null && places.length === 0
  return (
    <div className="operation-views">
      <p role="status">{summary(places?.length ?? null)}</p>
      {places === null || isSame ? null : (
        <div className="ov-scroll" role="region" aria-label="Places that differ" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Place</th>
                <th scope="col">{shown(oneName)}</th>
                <th scope="col">{shown(otherName)}</th>
              </tr>
            </thead>
            <tbody>
              {places.map(({ path, a, b }) => (
                <tr key={path}>
                  <th scope="row">
                    <bdi>{shown(path === '' ? 'the whole answer' : path)}</bdi>
                  </th>
                  <td>{a === null ? <em>absent</em> : <bdi>{shown(a)}</bdi>}</td>
                  <td>{b === null ? <em>absent</em> : <bdi>{shown(b)}</bdi>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Texts label={`${oneName} and ${otherName}`} before={before} after={after} />
    </div>
  )
}

function summary(count: number | null): string {
  if (count === null) return 'The answers are too large to list where they differ.'
  if (count === 0) return 'Both answers are the same.'
  if (count >= MOST_PLACES) return `The answers differ in ${MOST_PLACES} places or more.`
  return `The answers differ in ${count} ${count === 1 ? 'place' : 'places'}.`
}

function Texts({
  label,
  before,
  after,
}: {
  readonly label: string
  readonly before: string
  readonly after: string
}) {
  const host = useRef<HTMLDivElement>(null)
  const loading = useLoaded(load)
  useEffect(() => {
    if (loading.module === null || host.current === null) return undefined
    return loading.module.showDifference(host.current, {
      label,
      before,
      after,
      isGraphQL: false,
      isCollapsed: true,
    })
  }, [loading.module, label, before, after])
  const state = stateOf(loading)
  return (
    <>
      {state === null ? null : <p className="ov-note">{state}</p>}
      <div ref={host} className="ov-text" />
    </>
  )
}

function shown(text: string): string {
  return printable(text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text)
}
