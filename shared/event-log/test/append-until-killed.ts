/**
 * Program for sqlite-storage.test.ts: appends and stores blobs without end, and says after each what was
 * acknowledged.
 */
import { openSqliteEventLog } from '../src/index.ts'

const [dataDir = ''] = process.argv.slice(2)
const { log, blobs } = await openSqliteEventLog({ dataDir })
const subject = 'registry.events.shop'
let last = (await log.last({ kind: 'subject', subject }))?.sequence ?? 0
for (;;) {
  const blob = await blobs.put(Buffer.from(`blob after ${last}`))
  last = await log.append(subject, { blob, padding: 'x'.repeat(last % 5_000) }, last)
  const line = `${last}\n`
  await new Promise((written) => process.stdout.write(line, written))
}
