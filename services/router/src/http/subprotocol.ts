/**
 * The subprotocol of WebSockets that is spoken with clients and with subgraphs:
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export const SUBPROTOCOL = 'graphql-transport-ws'
