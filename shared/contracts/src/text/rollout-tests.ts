/** Names of the tests of conditions. */
export const ROLLOUT_TESTS = ['equals', 'in', 'starts_with', 'ends_with', 'exists', 'semver'] as const
