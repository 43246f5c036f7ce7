/**
 * Prints the plans of some worlds, for a test that compares them with those of its own process. Arguments:
 * numbers of worlds.
 */
import { planTexts } from './plan-texts.ts'

console.log(JSON.stringify(process.argv.slice(2).map((seed) => planTexts(Number(seed)))))
