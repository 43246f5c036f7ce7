/** A schema file that another file names; its path counts from there. */
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { readTextFile, refuseTooLarge } from '../files/files.ts'
import type { FilePosition } from './located-yaml.ts'

/** The text of a schema, and its file as the user would name it. */
export type NamedSchema = { readonly sdl: string; readonly file: string }

/** `at`: where it is named. */
export async function readNamedSchema(
  named: string,
  at: FilePosition,
  { inputPath, cwd }: { readonly inputPath: string; readonly cwd: string },
): Promise<NamedSchema> {
  // Shown as the user would type it from where they are, so that editors find it.
  const file = isAbsolute(named) ? named : join(dirname(inputPath), named)
  const path = resolve(dirname(resolve(cwd, inputPath)), named)
  const sdl = await readTextFile({ path, what: 'schema file', named: at }, cwd)
  refuseTooLarge(sdl, file)
  return { sdl, file }
}
