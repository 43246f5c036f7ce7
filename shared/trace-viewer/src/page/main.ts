/** Runs in the document of a trace, whose data is beside this script. */
import { mountTrace, type MountOptions } from './mount.ts'

const host = document.getElementById('trace')
const data = document.getElementById('trace-data')
if (host !== null && data !== null) {
  // Written by `traceDocument`, from values of these types.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  mountTrace(host, JSON.parse(data.textContent ?? '') as MountOptions)
}
