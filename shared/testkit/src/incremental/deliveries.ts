import type { StreamError, StreamPart } from '@switchyard/incremental-delivery'

/**
 * Returns the data and errors of each part as text that does not depend on the form in which fragments are
 * announced. The position of an error in its part depends on the form, and so does the order of parts. The
 * text leaves out both, and parts that bring nothing.
 */
export function deliveriesOf(parts: readonly StreamPart[]): readonly string[] {
  const paths = new Map(parts.flatMap(({ pending = [] }) => pending.map(({ id, path }) => [id, path])))
  return parts
    .map(({ data, errors = [], incremental = [], completed = [] }) => ({
      data,
      delivered: incremental
        .filter((entry) => Object.keys(entry.data).length > 0)
        .map((entry) => [[...(paths.get(entry.id) ?? []), ...(entry.subPath ?? [])], entry.data]),
      errors: textsOf([...errors, ...[...incremental, ...completed].flatMap(({ errors = [] }) => errors)]),
    }))
    .filter(({ data, delivered, errors }) => data !== undefined || delivered.length + errors.length > 0)
    .map((part) => JSON.stringify(part, null, 1))
    .sort()
}

/** Each once: an error about a list may be told with several of its objects. */
function textsOf(errors: readonly StreamError[]): readonly string[] {
  return [...new Set(errors.map(({ message, path }) => JSON.stringify([path, message])))].sort()
}
