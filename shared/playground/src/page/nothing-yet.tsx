/** Says in the pane of answers what will be there, as long as nothing is. */
import { useGraphiQL } from '@graphiql/react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

export function NothingYet() {
  const editor = useGraphiQL(({ responseEditor }) => responseEditor)
  const [isEmpty, setEmpty] = useState(true)
  useEffect(() => {
    if (editor === undefined) return undefined
    const look = () => setEmpty(editor.getValue() === '')
    look()
    const listening = editor.onDidChangeModelContent(look)
    return () => listening.dispose()
  }, [editor])
  const pane = editor?.getDomNode()?.closest('.graphiql-response') ?? null
  if (pane === null || !isEmpty) return null
  return createPortal(
    <p className="nothing-yet">The answer appears here when an operation has been run.</p>,
    pane,
  )
}
