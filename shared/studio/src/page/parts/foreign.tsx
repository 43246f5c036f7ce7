import { printable } from '@switchyard/values'

/** A name or text that somebody else chose, shown as what it is. */
export function Foreign({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) {
  return <bdi className={mono ? 'foreign mono' : 'foreign'}>{printable(text)}</bdi>
}
