/** The failure of what is not sent to a subgraph because its circuit is open. */
export function circuitOpen(subgraph: string) {
  const message = `Subgraph "${subgraph}" was not called: its last calls failed.`
  return { code: 'SUBGRAPH_CIRCUIT_OPEN', message } as const
}
