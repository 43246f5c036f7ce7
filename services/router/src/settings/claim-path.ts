/** Paths to values in the claims of a token, as settings name them. */
import { z } from 'zod'

const FORMS =
  'expected the name of a claim such as scope, with dots into objects such as realm_access.roles, or a list of names: a name in a list may have dots and slashes, as in ["https://example.com/roles"]'

/** The name of a URL is no path of names with dots between. */
export const ClaimPathSetting = z.union(
  [z.string().regex(/^[^./]+(?:\.[^./]+)*$/, FORMS), z.array(z.string().min(1)).min(1)],
  FORMS,
)
