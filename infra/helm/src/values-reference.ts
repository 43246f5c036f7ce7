/** The table of values in the chart's README, from values.yaml: the comment above a key is what it means. */
import { isMap, isScalar, type Pair, parseDocument } from 'yaml'

type Row = { readonly key: string; readonly fallback: string; readonly meaning: string }

export function valuesReference(values: string): string {
  const document = parseDocument(values)
  if (!isMap(document.contents)) throw new Error('expected values.yaml to be a map')
  const rows = document.contents.items.flatMap((pair) => rowsOf(pair, [], values))
  return [
    '| value | default | meaning |',
    '|---|---|---|',
    ...rows.map(({ key, fallback, meaning }) => `| \`${key}\` | \`${fallback}\` | ${meaning} |`),
    '',
  ].join('\n')
}

/** A section on lines of its own is a row if something is said of it, and then its members. */
function rowsOf(pair: Pair, path: readonly string[], text: string): readonly Row[] {
  const { key, value } = pair
  if (!isScalar(key)) throw new Error('expected a key that is a text')
  const here = [...path, String(key.value)]
  const meaning = commentOf(key.commentBefore ?? '')
  if (!isMap(value) || value.flow === true || here.join('.') === 'router.settings') {
    const range = (value as { readonly range?: readonly [number, number, number] | null }).range
    const written = text
      .slice(range?.[0], range?.[1])
      .replaceAll(/\s*#.*$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
    return [{ key: here.join('.'), fallback: written, meaning }]
  }
  const first = value.commentBefore ?? ''
  const members = value.items.flatMap((member, index) => {
    // The comment above the first member belongs to the map as the parser sees it.
    const [row, ...more] = rowsOf(member, here, text)
    return row !== undefined && index === 0 && first !== ''
      ? [{ ...row, meaning: commentOf(first) }, ...more]
      : [...(row === undefined ? [] : [row]), ...more]
  })
  return meaning === '' ? members : [{ key: here.join('.'), fallback: '{…}', meaning }, ...members]
}

function commentOf(comment: string): string {
  // A blank line ends what is said of the whole file.
  const last = comment.split(/\n\s*\n/).at(-1) ?? ''
  return last.replaceAll(/\s+/g, ' ').replaceAll(/[|<]/g, '\\$&').trim()
}
