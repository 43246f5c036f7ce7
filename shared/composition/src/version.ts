/**
 * Which composer made a supergraph. It is part of the input hash of a composition: another value means that
 * the same input is composed again. It is raised with every change of what the same input composes to; a test
 * holds it to the texts of all sets.
 */
export const COMPOSER_VERSION = 'switchyard@2'
