/** The settings of the controls above the editors. */
import { NOBODY_ELSE, type StandInFields } from './stand-in.ts'

/** Choices of a person. */
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
  /** Whether the fields for another user are shown. */
  readonly showsStandIn: boolean
  /** Another user, for whom the router chooses the composition of traced requests. */
  readonly standIn: StandInFields
}

export const FIRST_CHOICES: Choices = {
  flag: null,
  trace: false,
  token: '',
  showsStandIn: false,
  standIn: NOBODY_ELSE,
}
