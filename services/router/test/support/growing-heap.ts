/**
 * Replaces old objects by new ones for a while, as a cache of operations does, and prints how large the heap
 * became.
 */
import { boundHeapGrowth } from '../../src/startup/heap-growth.ts'

if (process.argv[2] === 'bounded') boundHeapGrowth()
const held: number[][] = Array.from({ length: 20_000 }, () => Array(250).fill(1.5))
let largest = 0
for (let n = 0; n < 600_000; n++) {
  held[(n * 7919) % held.length] = Array(250).fill(n + 0.5)
  if (n % 1000 === 0) largest = Math.max(largest, process.memoryUsage().heapTotal)
}
console.log(largest)
