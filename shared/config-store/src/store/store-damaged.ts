import { logEvent } from '@switchyard/service-kit'

/** A value of the config store is not what was written. */
export const STORE_DAMAGED = logEvent('store.damaged', {
  level: 'warn',
  rareFields: ['key', 'path', 'problem'],
  services: 'config-distribution, router, standalone',
  says: 'A value of the config store is not what was written there, and counts as missing.',
  advice:
    'Config-distribution writes it again from the log. If it comes back: find out who else writes to the store',
})
