/** The section `introspection`: who may ask for the schema. */
import { z } from 'zod'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

/** Whether `__schema` and `__type` are answered, and for whom. */
export const IntrospectionSection = section({
  enabled: setting(
    z.union([z.boolean(), z.literal('authenticated')], 'expected true, false or authenticated').default(true),
    {
      says: 'false: `__schema` and `__type` are refused; `authenticated`: they are for requests with a [token](authentication.md), others get 401 `AUTHENTICATION_REQUIRED`. Errors in operations of who may not have the schema suggest no names of it (`Did you mean …`)',
    },
  ),
})
