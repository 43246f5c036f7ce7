/** The section `ofrep`: which flags clients may ask for by the OpenFeature Remote Evaluation Protocol. */
import { ResourceName } from '@switchyard/contracts'
import { z } from 'zod'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { problemIf, refusing } from '../../settings/setting-problems.ts'

/** Flags that one answer tells at most. */
const MOST_FLAGS = 200

/** Whether the router answers OFREP, and about which flags. */
export const OfrepSection = section({
  enabled: setting(z.boolean().default(false), {
    says: 'true: clients with an OpenFeature SDK learn at `{base_path}/ofrep/v1/evaluate/flags` which of the flags in `ofrep.flags` answers them, see [ofrep.md](ofrep.md)',
  }),
  flags: setting(z.array(ResourceName).max(MOST_FLAGS, `expected at most ${MOST_FLAGS} flags`).default([]), {
    says: 'names of the feature flags that clients may ask for, at most 200. For all others the router answers that there is no such flag',
  }),
}).superRefine(
  refusing(({ enabled, flags }) => [
    ...problemIf(
      enabled && flags.length === 0,
      ['flags'],
      'clients could ask for no flag: expected names of feature flags, or false in ofrep.enabled',
    ),
    ...flags.flatMap((flag, index) =>
      problemIf(flags.indexOf(flag) < index, ['flags', index], `the flag ${flag} is in the list already`),
    ),
  ]),
)
