/** Compares `major.minor.patch`; what follows a dash does not count. */
export function isOlder(version: string, than: string): boolean {
  const left = numbersOf(version)
  const right = numbersOf(than)
  const index = left.findIndex((number, position) => number !== right[position])
  return index !== -1 && (left[index] ?? 0) < (right[index] ?? 0)
}

function numbersOf(version: string): readonly number[] {
  return version
    .split('-', 1)
    .join('')
    .split('.')
    .map((part) => Number.parseInt(part, 10))
}
