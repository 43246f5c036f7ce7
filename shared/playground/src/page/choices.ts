/** What the controls above the editors are set to. */
export type Choices = {
  /** The feature flag that requests name. null: none. */
  readonly flag: string | null
  /** Whether requests ask for a trace. */
  readonly trace: boolean
  /**
   * Shown with requests that ask for a trace. It is kept in the page only, never in the browser's storage.
   */
  readonly token: string
}
