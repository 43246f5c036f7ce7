import { CATALOGUE } from './index.ts'

const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries(CATALOGUE).map(([code, { remedy }]) => [code, remedy]),
)

/** The advice about errors and hints of a code; null if the code is none of composition. */
export function adviceOn(code: string): string | null {
  return ADVICE.get(code) ?? null
}
