/** How long usage is kept, as the environment says. */
import { USAGE_DAYS } from '@switchyard/contracts'
import { integerVariable } from '@switchyard/service-kit'

/** The variables of a service that keeps usage. */
export const USAGE_VARIABLES = {
  /** 0 means that no usage is kept. */
  SWITCHYARD_USAGE_DAYS: integerVariable(USAGE_DAYS.default, { min: 0, max: USAGE_DAYS.most }),
}
