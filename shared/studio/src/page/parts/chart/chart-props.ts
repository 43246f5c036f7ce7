export type Series = {
  readonly label: string
  /** One value for each time; null where there is none. */
  readonly values: readonly (number | null)[]
}

export type ChartProps = {
  readonly title: string
  /** A sentence that says what there is to see. */
  readonly summary: string
  readonly unit: string
  /** Unix milliseconds, in order. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
}
