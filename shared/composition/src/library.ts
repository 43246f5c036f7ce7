/**
 * Which composer made a supergraph. Part of the input hash of a composition: another value means compose
 * again.
 */
import library from '@theguild/federation-composition/package.json' with { type: 'json' }

/** Raised when the repairs or refusals around the library change what the same input composes to. */
const REPAIRS = 17

/** Name and version of the library, and a number that grows with every change to a repair. */
export const COMPOSITION_LIBRARY = `${library.name}@${library.version}+repairs.${REPAIRS}`
