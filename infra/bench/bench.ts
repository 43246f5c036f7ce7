/** The router beside other gateways: `make bench`, and docs/performance.md. */
import { runBench } from './src/compare/main.ts'

process.exitCode = await runBench(process.argv.slice(2))
