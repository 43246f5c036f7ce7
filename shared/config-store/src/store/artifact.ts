import { MAX_PACKED_ARTIFACT_BYTES } from '@switchyard/contracts'
import { InvalidArtifactError } from './errors.ts'

const SHA256 = /^[0-9a-f]{64}$/

/** Hashes come from outside and enter keys and file names, so their form is checked before they do. */
export function checkHash(sha256: string): void {
  if (!SHA256.test(sha256)) throw new InvalidArtifactError(sha256, 'a sha256 in lower-case hex')
}

export function checkArtifact(sha256: string, gzipped: Uint8Array): void {
  checkHash(sha256)
  if (gzipped[0] !== 0x1f || gzipped[1] !== 0x8b) throw new InvalidArtifactError(sha256, 'gzipped bytes')
  if (gzipped.length > MAX_PACKED_ARTIFACT_BYTES) {
    throw new InvalidArtifactError(sha256, `at most ${MAX_PACKED_ARTIFACT_BYTES} bytes`)
  }
}
