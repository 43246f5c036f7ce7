/** Measures one row: `node measure-row.ts <index> <runs>` prints CPU milliseconds of the best run and MiB. */
import { ROWS } from './rows.ts'

const [, , index = '0', runs = '5'] = process.argv
const row = ROWS[Number(index)]
if (row === undefined) throw new RangeError(`There is no row ${index}.`)
const work = row.prepare()
const times = Array.from({ length: Number(runs) }, (_, run) => {
  const before = process.cpuUsage()
  work(run)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
})
const { maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ ms: Math.min(...times), firstMs: times[0], mb: maxRSS / 1024 }))
