/** An editor of GraphQL that is written in. */
import { Foreign } from '../foreign.tsx'
import { Mounted } from './mounted.tsx'

export function CodeEditor({
  title,
  text,
  version,
  onChange,
}: {
  readonly title: string
  /** The text at the beginning. What is written later stays in the editor, and is told. */
  readonly text: string
  /** Another version makes the editor anew, with the text. */
  readonly version: string
  readonly onChange: (read: () => string) => void
}) {
  return (
    <figure className="code">
      <figcaption>
        <Foreign text={title} mono />
      </figcaption>
      <Mounted
        changesWith={`${title}\n${version}`}
        show={({ editText }, host) => editText(host, { label: title, text, onChange })}
      />
    </figure>
  )
}
