/**
 * Steady load on a GraphQL endpoint, with a report. `node infra/bench/load.ts --help`, and docs/load.md.
 */
import { runLoadCommand } from './src/command.ts'

process.exitCode = await runLoadCommand(process.argv.slice(2))
