export type SampleOperation = {
  readonly name: string
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}
