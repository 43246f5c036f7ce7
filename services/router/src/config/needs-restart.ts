import { declaredSettings } from '../settings/setting.ts'
import { RouterSettings } from './settings.ts'

/**
 * The settings and sections whose values stay until a restart, as their declarations say. A section stands
 * for every setting in it.
 */
export const NEED_RESTART: readonly string[] = declaredSettings(RouterSettings).flatMap(({ keys, facts }) =>
  facts.needsRestart === true ? [keys.join('.')] : [],
)

const needRestart = new Set(NEED_RESTART)

/** Whether a setting, or the section above it, keeps its value until a restart. */
export function needsRestart(keys: readonly string[]): boolean {
  return keys.some((_, index) => needRestart.has(keys.slice(0, index + 1).join('.')))
}
