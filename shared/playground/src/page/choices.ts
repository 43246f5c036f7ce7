/** The settings of the controls above the editors. */
export type Choices = {
  /** The feature flag that requests name. Null if they name none. */
  readonly flag: string | null
  /** Whether requests ask for a trace. */
  readonly trace: boolean
  /**
   * The token that is sent with requests that ask for a trace. It is kept in the page only, never in the
   * browser's storage.
   */
  readonly token: string
}
