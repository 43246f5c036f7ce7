import { open } from 'node:fs/promises'

/** A file that is larger than anything that was ever written there. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
  constructor(path: string, size: number, limit: number) {
    super(`${path} has ${size} bytes, expected ${limit} at most`)
  }
}

/**
 * The bytes of a file, or null when there is none. Throws FileTooLargeError before anything of a larger file
 * is read, or what the system throws.
 */
export async function readBounded(path: string, limit: number): Promise<Buffer | null> {
  const file = await open(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return null
  try {
    const { size } = await file.stat()
    if (size > limit) throw new FileTooLargeError(path, size, limit)
    const bytes = Buffer.alloc(size)
    let read = 0
    while (read < size) {
      const { bytesRead } = await file.read(bytes, read, size - read, read)
      if (bytesRead === 0) break
      read += bytesRead
    }
    return bytes.subarray(0, read)
  } finally {
    await file.close()
  }
}

/** Reads a file. Null if it is not there, or larger than it can be, which is reported. */
export async function readOrReport(
  path: string,
  limit: number,
  onCorruption: (path: string, problem: string) => void,
): Promise<Buffer | null> {
  try {
    return await readBounded(path, limit)
  } catch (error) {
    if (!(error instanceof FileTooLargeError)) throw error
    onCorruption(path, error.message)
    return null
  }
}
