import type { TransferCounts } from '@switchyard/contracts'

/** How much was exported or imported, for people: `12 changes, 4 compositions, …`. */
export function printTransferCounts({ blobs, records }: TransferCounts): string {
  const { registry, compositions, configs } = records
  return `${registry} changes, ${compositions} compositions, ${configs} published revisions and ${blobs} files (schemas and supergraphs)`
}
