/** The setting of the section `engine` for probes of deferred answers. */
import { PROBE_TOKEN_RULE, ProbeToken } from '@switchyard/contracts'
import { z } from 'zod'
import { SECRET } from '../../settings/secret-setting.ts'
import { setting } from '../../settings/setting.ts'

/** Who may probe how deferred answers arrive. */
export const PROBE_SETTINGS = {
  defer_probe_token: setting(
    z
      .union([z.literal(''), ProbeToken], PROBE_TOKEN_RULE)
      .default('')
      .meta(SECRET),
    {
      says: '16 to 200 letters, digits and characters of `-._~+/=`: who sends it may probe how deferred answers arrive, see [defer.md](defer.md#is-something-in-between-holding-parts-back)',
      variable: { name: 'ENGINE_DEFER_PROBE_TOKEN', type: ProbeToken },
    },
  ),
} as const
