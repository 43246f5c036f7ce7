/** The merged answer, with the lines lit that one of its parts added. */
import { useEffect, useMemo, useRef } from 'react'
import type { Answer } from '../answers/answer.ts'
import { printAnswer } from '../answers/print-answer.ts'
import type { AnswerEditor, LineRange } from '../editors/answer-editor.ts'
import { stateOf, useLoaded } from './use-loaded.ts'

const load = () => import('../editors/answer-editor.ts')
const NOTHING: readonly LineRange[] = []

export function AnswerText({
  answer,
  lit,
  label,
}: {
  readonly answer: Answer
  /** The part whose lines are lit; null for none. */
  readonly lit: number | null
  readonly label: string
}) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<AnswerEditor | null>(null)
  const loading = useLoaded(load)
  const printed = useMemo(() => printAnswer(answer), [answer])
  const shown = useMemo(
    () => ({ text: printed.text, lit: lit === null ? NOTHING : (printed.lines[lit] ?? NOTHING) }),
    [printed, lit],
  )
  const newest = useRef(shown)
  useEffect(() => {
    newest.current = shown
    editor.current?.update(shown)
  }, [shown])
  useEffect(() => {
    if (loading.module === null || host.current === null) return undefined
    const made = loading.module.showAnswer(host.current, label, newest.current)
    editor.current = made
    return () => {
      editor.current = null
      made.remove()
    }
  }, [loading.module, label])
  const state = stateOf(loading)
  return (
    <>
      {state === null ? null : <p className="ov-note">{state}</p>}
      <div ref={host} className="ov-text" />
      {printed.isCut ? (
        <p className="ov-note">
          The answer is too large to be shown whole: what is left out is marked with …
        </p>
      ) : null}
    </>
  )
}
