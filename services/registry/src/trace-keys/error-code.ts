/** `ENOENT` and the like: what a message may say of an error whose own text may hold paths. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : typeof error
}
