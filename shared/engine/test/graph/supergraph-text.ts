/** A supergraph by hand, for what no composer lets through or writes in another way. */
export function supergraph(graphs: readonly string[], body: string, links = ''): string {
  const values = graphs.map(
    (value) => `${value} @join__graph(name: "${value.toLowerCase()}", url: "http://${value.toLowerCase()}")`,
  )
  return `
    schema
      @link(url: "https://specs.apollo.dev/link/v1.0")
      @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION)
      ${links}
    { query: Query }
    enum join__Graph { ${values.join(' ')} }
    ${body}
  `
}
