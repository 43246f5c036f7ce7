/** What one composition answered. */
import { STOPPED } from '@switchyard/operation-views'
import { AnswerParts } from '@switchyard/operation-views/views'
import { Foreign } from '../../parts/foreign.tsx'
import { Pill } from '../../parts/pill.tsx'
import { NoAnswer } from './unreached.tsx'
import type { RunState } from './use-run.ts'

const MOST_ERRORS = 20
const MOST_CHARACTERS = 500

export function Side({ run, url }: { readonly run: RunState; readonly url: string }) {
  const { name, answer, unreached, isRunning } = run
  const label = `Answer of ${name}`
  return (
    <section className="card" aria-label={label}>
      <header>
        <h2>
          <Foreign text={label} />
        </h2>
        <span className="quiet small" role="status">
          <Foreign text={summaryOf(run)} />
        </span>
      </header>
      <div className="pg-body">
        {unreached === null ? null : <NoAnswer reason={unreached} url={url} />}
        {answer === null || answer.failure === null ? null : (
          <div className="notice" data-tone={answer.failure === STOPPED ? 'warn' : 'bad'} role="alert">
            <p>
              <Foreign text={answer.failure} />
            </p>
          </div>
        )}
        {answer === null ? null : <Errors errors={answer.errors} />}
        {answer === null || answer.parts.length === 0 ? null : (
          <AnswerParts answer={answer} label={label} isWaiting={isRunning} />
        )}
        {answer === null && isRunning ? <p className="quiet">Waiting for the answer …</p> : null}
      </div>
    </section>
  )
}

function summaryOf({ answer, answeredBy, isRunning }: RunState): string {
  if (answer === null) return isRunning ? 'asked' : 'no answer'
  const { parts, status } = answer
  const count = `${parts.length} ${parts.length === 1 ? 'part' : 'parts'}`
  const time = `${Math.round(parts.at(-1)?.after ?? 0).toLocaleString('en')} ms`
  const by = status === 503 ? 'no composition' : answeredBy === null ? 'base' : `flag ${answeredBy}`
  return `${status} · answered by ${by} · ${count} in ${time}${isRunning ? ', more to come' : ''}`
}

function Errors({
  errors,
}: {
  readonly errors: readonly { readonly message?: unknown; readonly path?: unknown }[]
}) {
  if (errors.length === 0) return null
  return (
    <div className="notice" data-tone="bad">
      <p>
        <Pill tone="bad">{errors.length === 1 ? '1 error' : `${errors.length} errors`}</Pill>
      </p>
      <ul>
        {errors.slice(0, MOST_ERRORS).map((error, index) => (
          // Errors have no names of their own, and come at the end only.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <Foreign text={textOf(error)} />
          </li>
        ))}
      </ul>
      {errors.length > MOST_ERRORS ? <p className="quiet small">The answer below has all of them.</p> : null}
    </div>
  )
}

function textOf({ message, path }: { readonly message?: unknown; readonly path?: unknown }): string {
  const said = typeof message === 'string' ? message : 'An error without a message'
  const place =
    Array.isArray(path) && path.length > 0 ? ` (at ${path.slice(0, 50).map(String).join('.')})` : ''
  const text = said + place
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
