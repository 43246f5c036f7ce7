/** Reads secrets from files, which a variable of the environment names instead of the secret itself. */
import { readFileSync } from 'node:fs'
import { EnvironmentError } from '@switchyard/service-kit'

/** Returns the text of the file without the white space around it. Throws EnvironmentError. */
export function readSecretFile(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new EnvironmentError([`${variable}: expected a file that can be read, at ${file}`])
  }
}
