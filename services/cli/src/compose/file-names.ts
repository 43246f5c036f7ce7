/**
 * Names of things as names of files in one folder. Encoded, a name is one part of a path and cannot lead out
 * of the folder. Where a file system that knows no case would take two for one, their upper-case letters are
 * encoded too.
 */
export function fileNames(names: readonly string[]): ReadonlyMap<string, string> {
  const alike = Map.groupBy(names, (name) => name.toLowerCase())
  return new Map(
    names.map((name) => {
      const encoded = encodeURIComponent(name)
      const isAlone = alike.get(name.toLowerCase())?.length === 1
      return [name, isAlone ? encoded : withoutUpperCase(encoded)]
    }),
  )
}

function withoutUpperCase(encoded: string): string {
  return encoded.replaceAll(/%[0-9A-F]{2}|[A-Z]/g, (part) =>
    part.startsWith('%') ? part : `%${part.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
