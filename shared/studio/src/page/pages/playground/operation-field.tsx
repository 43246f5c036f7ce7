/** The editor of the operation in the page. */
import type { OperationEditor } from '@switchyard/operation-views/operation-editor'
import { useEffect, useRef, useState } from 'react'
import { type ApiError, toApiError } from '../../api/client.ts'
import { Problem } from '../../parts/states.tsx'

type Editors = typeof import('@switchyard/operation-views/operation-editor')

export function OperationField({
  text,
  version,
  sdl,
  onChange,
  onRun,
}: {
  readonly text: string
  /** Another version puts the text into the editor; what is written there stays otherwise. */
  readonly version: number
  /** The schema for completion; null while there is none. */
  readonly sdl: string | null
  readonly onChange: (text: string) => void
  readonly onRun: () => void
}) {
  const host = useRef<HTMLDivElement>(null)
  const [editors, setEditors] = useState<Editors | null>(null)
  const [editor, setEditor] = useState<OperationEditor | null>(null)
  const [problem, setProblem] = useState<ApiError | null>(null)
  const [schemaProblem, setSchemaProblem] = useState<string | null>(null)
  const newest = useRef({ text, onChange, onRun })
  useEffect(() => {
    newest.current = { text, onChange, onRun }
  })
  useEffect(() => {
    import('@switchyard/operation-views/operation-editor').then(setEditors, (error: unknown) =>
      setProblem(toApiError(error)),
    )
  }, [])
  useEffect(() => {
    if (editors === null || host.current === null) return undefined
    const made = editors.editOperation(host.current, {
      label: 'Operation',
      text: newest.current.text,
      onChange: (changed) => newest.current.onChange(changed),
      onRun: () => newest.current.onRun(),
    })
    setEditor(made)
    return made.remove
  }, [editors])
  useEffect(() => {
    if (editor !== null && version > 0) editor.setText(newest.current.text)
  }, [editor, version])
  useEffect(() => {
    if (editor !== null) setSchemaProblem(editor.setSchema(sdl))
  }, [editor, sdl])
  if (problem !== null) return <Problem error={problem} />
  return (
    <>
      {editors === null ? <p className="waiting">Reading …</p> : null}
      <div ref={host} className="code-text" />
      {schemaProblem === null ? null : <p className="inset quiet small">{schemaProblem}</p>}
    </>
  )
}
