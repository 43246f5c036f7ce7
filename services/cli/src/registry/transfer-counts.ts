import type { TransferCounts } from '@switchyard/contracts'

/** What an export or import held, for people. */
export function printTransferCounts({ blobs, records }: TransferCounts): string {
  const { registry, compositions, configs } = records
  return `${registry} registry records, ${compositions} compositions, ${configs} revisions and ${blobs} blobs`
}
