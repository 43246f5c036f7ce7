import { resolve } from 'node:path'

/** Paths of a certificate and its private key, as absolute paths. */
export type KeyPairFiles = { readonly certFile: string; readonly keyFile: string }

/** Null if the settings name no files. `folder` is the one that the paths in the settings start from. */
export function keyPairOf(
  { certFile, keyFile }: { readonly certFile?: string | undefined; readonly keyFile?: string | undefined },
  folder: string,
): KeyPairFiles | null {
  if (certFile === undefined || keyFile === undefined) return null
  return { certFile: resolve(folder, certFile), keyFile: resolve(folder, keyFile) }
}
