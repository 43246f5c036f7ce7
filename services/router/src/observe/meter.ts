/** The scope of the router's instruments. */
export const METER = '@switchyard/router'
