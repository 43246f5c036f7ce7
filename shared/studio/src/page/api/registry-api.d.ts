/** Types of the API, written by `make written` from /v1/openapi.json: change nothing here. */
export interface paths {
    "/v1/namespaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespaces: {
                                name: string;
                                previewHosts: string[];
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        name: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/routers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    namespace?: string;
                    graph?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            routers: {
                                instance: string;
                                boot: string;
                                namespace: string;
                                graph: string;
                                epoch: number;
                                revision: number;
                                registrySequence: number;
                                manifest?: string;
                                flags: string[];
                                leftOut?: {
                                    flags: string[];
                                    documents: string[];
                                };
                                flagsInUse?: string[];
                                configCreatedAt: string | null;
                                version?: string;
                                formats?: number[];
                                load?: {
                                    startedAt: number;
                                    residentBytes: number;
                                    heapBytes: number;
                                    eventLoopUtilization: number;
                                    eventLoopDelayMs: number;
                                    active?: number;
                                    requests?: number;
                                    errors?: number;
                                };
                                state: "starting" | "serving" | "draining" | "graph-deleted" | "stopped";
                                rejected?: {
                                    epoch: number;
                                    revision: number;
                                    code: string;
                                    message: string;
                                };
                                ageSeconds: number;
                                alive: boolean;
                                serves?: "newest" | "older" | "not-in-log" | "none";
                                clockAheadSeconds?: number;
                                requestsPerSecond?: number;
                                errorsPerSecond?: number;
                            }[];
                            verified?: true;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            services: {
                                kind: "registry" | "composer";
                                instance: string;
                                version: string | null;
                                state: "running" | "stopping" | "lost";
                                ageSeconds: number;
                                composing: string[];
                                load: {
                                    startedAt: number;
                                    residentBytes: number;
                                    heapBytes: number;
                                    eventLoopUtilization: number;
                                    eventLoopDelayMs: number;
                                    active?: number;
                                    requests?: number;
                                    errors?: number;
                                } | null;
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commands/{namespace}/{commandId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    wait?: number;
                };
                header?: never;
                path: {
                    namespace: string;
                    commandId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    after?: number;
                    before?: number;
                    order?: "oldest" | "newest";
                    limit?: number;
                    namespace?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            records: {
                                sequence: number;
                                namespace: string | null;
                                time: string;
                                actor: string;
                                apiKey: string | null;
                                reason?: string;
                                commandId: string;
                                summary: string;
                                events: ({
                                    type: string;
                                } & {
                                    [key: string]: unknown;
                                })[];
                                graphs: {
                                    graph: string;
                                    revisions: {
                                        epoch: number;
                                        revision: number;
                                    }[] | null;
                                }[] | null;
                                graphCount: number;
                            }[];
                            last: number;
                            more: boolean;
                            end: number;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            sequence: number;
                            graphs: {
                                name: string;
                                labelMatchers: string[];
                                allowUnenforcedAuthorization: boolean;
                                publicUrl: string | null;
                                pinnedRevision: number | null;
                                documents: {
                                    name: string;
                                    manifest: string;
                                    bytes: number;
                                    documents: number;
                                    clients: string[] | null;
                                }[];
                            }[];
                            subgraphs: {
                                name: string;
                                routingUrl: string;
                                labels: string[];
                                base: string | null;
                                schema: {
                                    sha256: string;
                                    bytes: number;
                                } | null;
                            }[];
                            featureFlags: {
                                name: string;
                                labels: string[];
                                featureSubgraphs: string[];
                                enabled: boolean;
                                launched?: {
                                    sequence: number;
                                    promoted: {
                                        subgraph: string;
                                        featureSubgraph: string;
                                        before: {
                                            schema: string;
                                            bytes: number;
                                            routingUrl: string;
                                        };
                                        after: {
                                            schema: string;
                                            bytes: number;
                                            routingUrl: string;
                                        };
                                    }[];
                                };
                            }[];
                            rollouts: {
                                name: string;
                                graph: string;
                                flag: string;
                                mode: "serve" | "shadow";
                                where: {
                                    on: string;
                                    equals?: string;
                                    in?: string[];
                                    starts_with?: string;
                                    ends_with?: string;
                                    exists?: true;
                                    semver?: string;
                                    not?: {
                                        equals?: string;
                                        in?: string[];
                                        starts_with?: string;
                                        ends_with?: string;
                                        exists?: true;
                                        semver?: string;
                                    };
                                }[];
                                percent: number;
                                key: string[];
                                salt: string;
                                expires: string | null;
                                shadow: {
                                    subgraphs?: string[];
                                    operations?: string[];
                                    unordered?: string[];
                                } | null;
                                status: "active" | "aborted" | "completed";
                                ramp: {
                                    steps: number[];
                                    everyMs: number;
                                    guards?: {
                                        errors?: {
                                            points: number;
                                        } | {
                                            ratio: number;
                                        };
                                        p50?: {
                                            ratio: number;
                                        };
                                        p90?: {
                                            ratio: number;
                                        };
                                        p95?: {
                                            ratio: number;
                                        };
                                        p99?: {
                                            ratio: number;
                                        };
                                        minimumRequests?: number;
                                    };
                                    stop?: {
                                        errors: {
                                            percent: number;
                                        };
                                    };
                                    forgeableKey?: true;
                                    step: number;
                                    since: number;
                                    sinceTime: number;
                                    begun: number;
                                    attempt: number;
                                    state: "running" | "paused" | "ended";
                                    judgement: {
                                        outcome: "go-on" | "abort" | "inconclusive";
                                        requests: {
                                            inside: number;
                                            control: number;
                                        };
                                        guards: {
                                            tested: "errors" | "errors-by-operation" | "p50" | "p90" | "p95" | "p99";
                                            outcome: "go-on" | "abort" | "inconclusive";
                                            reason: "exceeded" | "kept" | "unclear" | "too-few-requests" | "too-few-clusters";
                                            inside: number | null;
                                            control: number | null;
                                            excess: {
                                                value: number | null;
                                                atLeast: number | null;
                                                atMost: number | null;
                                            };
                                            alpha: number;
                                            requestsNeeded: number | null;
                                        }[];
                                    } | null;
                                    emergency: {
                                        requests: number;
                                        errors: number;
                                        failedClusters: number;
                                    } | null;
                                } | null;
                                place: number;
                            }[];
                            previews: {
                                name: string;
                                flag: string & (unknown & unknown);
                                subgraphs: {
                                    base: string;
                                    routingUrl: string;
                                    schema: string;
                                    bytes: number;
                                }[];
                                expires: string;
                            }[];
                            previewHosts: string[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            graphs: {
                                namespace: string;
                                name: string;
                                labelMatchers: string[];
                                allowUnenforcedAuthorization: boolean;
                                publicUrl: string | null;
                                subgraphs: string[];
                                base: "composed" | "failed" | "empty" | "pending";
                                revision: number | null;
                                pinnedRevision: number | null;
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        name: string;
                        labelMatchers?: string[];
                        allowUnenforcedAuthorization?: boolean;
                        publicUrl?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            name: string;
                            labelMatchers: string[];
                            allowUnenforcedAuthorization: boolean;
                            publicUrl: string | null;
                            subgraphs: string[];
                            base: "composed" | "failed" | "empty" | "pending";
                            revision: number | null;
                            pinnedRevision: number | null;
                            featureFlags: {
                                name: string;
                                state: string;
                            }[];
                            compositions: {
                                graph: string;
                                featureFlag: string | null;
                                status: "composed" | "unchanged" | "failed" | "empty";
                                failedBefore: boolean;
                                isNew: boolean;
                                errors: {
                                    code: string;
                                    message: string;
                                    subgraphs: string[];
                                    locations: {
                                        subgraph: string;
                                        line: number;
                                        column: number;
                                        length?: number;
                                        label?: string;
                                    }[];
                                    operation?: string;
                                    path?: {
                                        coordinate: string;
                                        subgraph: string | null;
                                    }[];
                                    reasons?: {
                                        subgraph: string;
                                        target: string | null;
                                        reason: string;
                                    }[];
                                }[];
                                errorCount: number;
                                hints: {
                                    code: string;
                                    message: string;
                                    subgraphs: string[];
                                    locations: {
                                        subgraph: string;
                                        line: number;
                                        column: number;
                                        length?: number;
                                        label?: string;
                                    }[];
                                    operation?: string;
                                    path?: {
                                        coordinate: string;
                                        subgraph: string | null;
                                    }[];
                                    reasons?: {
                                        subgraph: string;
                                        target: string | null;
                                        reason: string;
                                    }[];
                                }[];
                            }[];
                            failing?: {
                                featureFlag: string | null;
                                after: number;
                                sequence: number;
                            }[];
                            routers: {
                                serving: number;
                                total: number;
                                verified?: true;
                            };
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        labelMatchers?: string[];
                        allowUnenforcedAuthorization?: boolean;
                        publicUrl?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    limit?: number;
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            graph: string;
                            pinnedRevision: number | null;
                            revisions: {
                                epoch: number;
                                revision: number;
                                createdAt: string;
                                registrySequence: number;
                                reason: "composition" | "removal" | "pin" | "unpin" | "documents" | "rollouts" | "graph-removed" | "keys" | "restored" | "republished";
                                actor: string | null;
                                changes?: {
                                    sequence: number;
                                    time: string;
                                    actor: string;
                                    apiKey: string | null;
                                    reason?: string;
                                    summary: string;
                                    events: {
                                        type: string;
                                        name: string | null;
                                    }[];
                                    eventCount: number;
                                }[] | null;
                                changeCount?: number;
                                base: string | null;
                                featureFlags: string[];
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    featureFlag?: string;
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            errors: {
                                code: string;
                                message: string;
                                subgraphs: string[];
                                locations: {
                                    subgraph: string;
                                    line: number;
                                    column: number;
                                    length?: number;
                                    label?: string;
                                }[];
                                operation?: string;
                                path?: {
                                    coordinate: string;
                                    subgraph: string | null;
                                }[];
                                reasons?: {
                                    subgraph: string;
                                    target: string | null;
                                    reason: string;
                                }[];
                            }[];
                            advice?: {
                                [key: string]: string;
                            };
                            sources?: {
                                subgraph: string;
                                sha256: string;
                            }[] | null;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/execution-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    revision?: number;
                    featureFlag?: string | string[];
                    flags?: "none";
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            formatVersion: 1;
                            graph?: {
                                namespace: string;
                                name: string;
                            };
                            base: {
                                formatVersion: 1;
                                supergraphSdl: string;
                                subgraphs: {
                                    name: string;
                                    routingUrl: string;
                                    baseName?: string;
                                    preview?: true;
                                }[];
                                compatibilityVersion: string;
                                allowUnenforcedAuthorization?: true;
                            };
                            featureFlags: {
                                [key: string]: {
                                    formatVersion: 1;
                                    supergraphSdl: string;
                                    subgraphs: {
                                        name: string;
                                        routingUrl: string;
                                        baseName?: string;
                                        preview?: true;
                                    }[];
                                    compatibilityVersion: string;
                                    allowUnenforcedAuthorization?: true;
                                };
                            };
                            documents?: {
                                name: string;
                                clients?: string[];
                                manifest: {
                                    [key: string]: string;
                                };
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    composition?: string;
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            graph: string;
                            composition: string;
                            artifact: string;
                            subgraphs: string[];
                            roots: {
                                query: string | null;
                                mutation: string | null;
                                subscription: string | null;
                            };
                            names: string[];
                            kinds: number[];
                            sizes: number[];
                            subgraphSets: number[][];
                            definedBy: number[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/client-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    composition?: string;
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            graph: string;
                            composition: string;
                            artifact: string;
                            sdl: string;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/types/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    composition?: string;
                    from?: number;
                    limit?: number;
                    part?: string;
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                    type: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            graph: string;
                            composition: string;
                            artifact: string;
                            name: string;
                            description: string | null;
                            deprecated: string | null;
                            inaccessible: boolean;
                            directives: {
                                name: string;
                                arguments: {
                                    name: string;
                                    value: string;
                                }[];
                            }[];
                            kind: "OBJECT" | "INTERFACE" | "UNION" | "ENUM" | "SCALAR" | "INPUT_OBJECT";
                            subgraphs: {
                                subgraph: string;
                                keys: {
                                    fields: string;
                                    resolvable: boolean;
                                }[];
                                interfaceObject: boolean;
                            }[];
                            interfaces: string[];
                            implementedBy: string[];
                            members: {
                                name: string;
                                subgraphs: string[];
                            }[];
                            values: {
                                name: string;
                                description: string | null;
                                deprecated: string | null;
                                inaccessible: boolean;
                                directives: {
                                    name: string;
                                    arguments: {
                                        name: string;
                                        value: string;
                                    }[];
                                }[];
                                subgraphs: string[];
                            }[];
                            fields: {
                                name: string;
                                description: string | null;
                                deprecated: string | null;
                                inaccessible: boolean;
                                directives: {
                                    name: string;
                                    arguments: {
                                        name: string;
                                        value: string;
                                    }[];
                                }[];
                                type: string;
                                defaultValue: string | null;
                                arguments: {
                                    name: string;
                                    description: string | null;
                                    deprecated: string | null;
                                    inaccessible: boolean;
                                    directives: {
                                        name: string;
                                        arguments: {
                                            name: string;
                                            value: string;
                                        }[];
                                    }[];
                                    type: string;
                                    defaultValue: string | null;
                                }[];
                                subgraphs: {
                                    subgraph: string;
                                    type: string | null;
                                    external: boolean;
                                    requires: string | null;
                                    provides: string | null;
                                    override: string | null;
                                    overrideLabel: string | null;
                                    usedOverridden: boolean;
                                    resolves: boolean;
                                }[];
                            }[];
                            from: number;
                            total: number;
                            usedBy: string[];
                            usedByCount: number;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    consistency?: "strong" | "eventual";
                    composition?: string;
                    q: string;
                    limit?: number;
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            graph: string;
                            composition: string;
                            artifact: string;
                            matches: {
                                coordinate: string;
                                kind: "type" | "field" | "argument" | "input-field" | "enum-value";
                                type: string;
                                matched: "name" | "description";
                                excerpt: string | null;
                            }[];
                            more: boolean;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/difference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    consistency?: "strong" | "eventual";
                    from: string;
                    to: string;
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            graph: string;
                            from: {
                                composition: string;
                                artifact: string;
                            };
                            to: {
                                composition: string;
                                artifact: string;
                            };
                            schema: {
                                breaking: number;
                                dangerous: number;
                                safe: number;
                                changes: {
                                    criticality: "breaking" | "dangerous" | "safe";
                                    type: string;
                                    path: string;
                                    message: string;
                                }[];
                            };
                            plans: {
                                operations: number;
                                notCompared: number;
                                unchanged: number;
                                refused: number;
                                changed: number;
                                changes: {
                                    operationName: string | null;
                                    document: string;
                                    manifests: string[];
                                    clients: string[] | null;
                                    conditions: {
                                        [key: string]: boolean;
                                    };
                                    status: "changed" | "lost" | "gained";
                                    from: {
                                        kind: "planned";
                                        requests: number;
                                        depth: number;
                                        unreachable: string[];
                                        text: string;
                                    } | {
                                        kind: "refused";
                                        message: string;
                                    };
                                    to: {
                                        kind: "planned";
                                        requests: number;
                                        depth: number;
                                        unreachable: string[];
                                        text: string;
                                    } | {
                                        kind: "refused";
                                        message: string;
                                    };
                                }[];
                            } | null;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            graph: string;
                            manifests: {
                                name: string;
                                clients: string[] | null;
                                documents: number;
                                bytes: number;
                                sha256: string;
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/documents/{manifest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                    manifest: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            name: string;
                            clients: string[] | null;
                            documents: number;
                            bytes: number;
                            sha256: string;
                            namespace: string;
                            graph: string;
                            manifest: string;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                    manifest: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        manifest: string;
                        clients?: string[];
                        strict?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                    manifest: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subgraphs/{namespace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            subgraphs: {
                                namespace: string;
                                name: string;
                                routingUrl: string;
                                labels: string[];
                                published: boolean;
                                schema: string | null;
                                base: string | null;
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        name: string;
                        routingUrl: string;
                        labels?: string[];
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subgraphs/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            name: string;
                            routingUrl: string;
                            labels: string[];
                            published: boolean;
                            schema: string | null;
                            base: string | null;
                            bytes: number | null;
                            graphs: string[];
                            featureSubgraphs: string[];
                            featureFlags: string[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        routingUrl?: string;
                        labels?: string[];
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/subgraphs/{namespace}/{name}/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    sha256?: string;
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            name: string;
                            sha256: string;
                            sdl: string;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        sdl: string;
                        routingUrl?: string;
                        labels?: string[];
                        subgraph?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subgraphs/{namespace}/{name}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    limit?: number;
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            name: string;
                            versions: {
                                sequence: number;
                                time: string;
                                actor: string;
                                apiKey: string | null;
                                reason?: string;
                                summary: string;
                                sha256: string;
                                bytes: number;
                            }[];
                            more: boolean;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feature-flags/{namespace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            featureFlags: {
                                namespace: string;
                                name: string;
                                labels: string[];
                                featureSubgraphs: string[];
                                enabled: boolean;
                                graphs: {
                                    graph: string;
                                    state: string;
                                }[];
                                launched?: {
                                    sequence: number;
                                    promoted: {
                                        subgraph: string;
                                        featureSubgraph: string;
                                        before: {
                                            schema: string;
                                            bytes: number;
                                            routingUrl: string;
                                        };
                                        after: {
                                            schema: string;
                                            bytes: number;
                                            routingUrl: string;
                                        };
                                    }[];
                                };
                                stage?: "disabled" | "new" | "ramping" | "live" | "launched" | "unused" | "identical";
                                use?: {
                                    lastAskedFor: string | null;
                                    listeningSince: string;
                                };
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        name: string;
                        labels?: string[];
                        featureSubgraphs: string[];
                        enabled?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feature-flags/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            name: string;
                            labels: string[];
                            featureSubgraphs: string[];
                            enabled: boolean;
                            graphs: {
                                graph: string;
                                state: string;
                            }[];
                            launched?: {
                                sequence: number;
                                promoted: {
                                    subgraph: string;
                                    featureSubgraph: string;
                                    before: {
                                        schema: string;
                                        bytes: number;
                                        routingUrl: string;
                                    };
                                    after: {
                                        schema: string;
                                        bytes: number;
                                        routingUrl: string;
                                    };
                                }[];
                            };
                            stage?: "disabled" | "new" | "ramping" | "live" | "launched" | "unused" | "identical";
                            use?: {
                                lastAskedFor: string | null;
                                listeningSince: string;
                            };
                            compositions: {
                                graph: string;
                                featureFlag: string | null;
                                status: "composed" | "unchanged" | "failed" | "empty";
                                failedBefore: boolean;
                                isNew: boolean;
                                errors: {
                                    code: string;
                                    message: string;
                                    subgraphs: string[];
                                    locations: {
                                        subgraph: string;
                                        line: number;
                                        column: number;
                                        length?: number;
                                        label?: string;
                                    }[];
                                    operation?: string;
                                    path?: {
                                        coordinate: string;
                                        subgraph: string | null;
                                    }[];
                                    reasons?: {
                                        subgraph: string;
                                        target: string | null;
                                        reason: string;
                                    }[];
                                }[];
                                errorCount: number;
                                hints: {
                                    code: string;
                                    message: string;
                                    subgraphs: string[];
                                    locations: {
                                        subgraph: string;
                                        line: number;
                                        column: number;
                                        length?: number;
                                        label?: string;
                                    }[];
                                    operation?: string;
                                    path?: {
                                        coordinate: string;
                                        subgraph: string | null;
                                    }[];
                                    reasons?: {
                                        subgraph: string;
                                        target: string | null;
                                        reason: string;
                                    }[];
                                }[];
                            }[];
                            lastDay?: {
                                graph: string;
                                requests: number;
                                clients: {
                                    name: string | null;
                                    version: string | null;
                                    requests: number;
                                }[];
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        labels?: string[];
                        featureSubgraphs?: string[];
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/rollouts/{namespace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rollouts: {
                                name: string;
                                graph: string;
                                flag: string;
                                mode: "serve" | "shadow";
                                where: {
                                    on: string;
                                    equals?: string;
                                    in?: string[];
                                    starts_with?: string;
                                    ends_with?: string;
                                    exists?: true;
                                    semver?: string;
                                    not?: {
                                        equals?: string;
                                        in?: string[];
                                        starts_with?: string;
                                        ends_with?: string;
                                        exists?: true;
                                        semver?: string;
                                    };
                                }[];
                                percent: number;
                                key: string[];
                                salt: string;
                                expires: string | null;
                                shadow: {
                                    subgraphs?: string[];
                                    operations?: string[];
                                    unordered?: string[];
                                } | null;
                                status: "active" | "aborted" | "completed";
                                ramp: {
                                    steps: number[];
                                    everyMs: number;
                                    guards?: {
                                        errors?: {
                                            points: number;
                                        } | {
                                            ratio: number;
                                        };
                                        p50?: {
                                            ratio: number;
                                        };
                                        p90?: {
                                            ratio: number;
                                        };
                                        p95?: {
                                            ratio: number;
                                        };
                                        p99?: {
                                            ratio: number;
                                        };
                                        minimumRequests?: number;
                                    };
                                    stop?: {
                                        errors: {
                                            percent: number;
                                        };
                                    };
                                    forgeableKey?: true;
                                    step: number;
                                    since: number;
                                    sinceTime: number;
                                    begun: number;
                                    attempt: number;
                                    state: "running" | "paused" | "ended";
                                    judgement: {
                                        outcome: "go-on" | "abort" | "inconclusive";
                                        requests: {
                                            inside: number;
                                            control: number;
                                        };
                                        guards: {
                                            tested: "errors" | "errors-by-operation" | "p50" | "p90" | "p95" | "p99";
                                            outcome: "go-on" | "abort" | "inconclusive";
                                            reason: "exceeded" | "kept" | "unclear" | "too-few-requests" | "too-few-clusters";
                                            inside: number | null;
                                            control: number | null;
                                            excess: {
                                                value: number | null;
                                                atLeast: number | null;
                                                atMost: number | null;
                                            };
                                            alpha: number;
                                            requestsNeeded: number | null;
                                        }[];
                                    } | null;
                                    emergency: {
                                        requests: number;
                                        errors: number;
                                        failedClusters: number;
                                    } | null;
                                } | null;
                                place: number;
                                namespace: string;
                                inForce: number;
                                flagState: string | null;
                                state: "live" | "pending" | "waiting";
                                routers: {
                                    serving: number;
                                    total: number;
                                    verified?: true;
                                };
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        name: string;
                        graph: string;
                        flag: string;
                        salt?: string;
                        mode?: "serve" | "shadow";
                        where?: {
                            on: string;
                            equals?: string;
                            in?: string[];
                            starts_with?: string;
                            ends_with?: string;
                            exists?: true;
                            semver?: string;
                            not?: {
                                equals?: string;
                                in?: string[];
                                starts_with?: string;
                                ends_with?: string;
                                exists?: true;
                                semver?: string;
                            };
                        }[];
                        percent?: number;
                        key?: string[];
                        expires?: string | null;
                        shadow?: {
                            subgraphs?: string[];
                            operations?: string[];
                            unordered?: string[];
                        } | null;
                        before?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            name: string;
                            graph: string;
                            flag: string;
                            mode: "serve" | "shadow";
                            where: {
                                on: string;
                                equals?: string;
                                in?: string[];
                                starts_with?: string;
                                ends_with?: string;
                                exists?: true;
                                semver?: string;
                                not?: {
                                    equals?: string;
                                    in?: string[];
                                    starts_with?: string;
                                    ends_with?: string;
                                    exists?: true;
                                    semver?: string;
                                };
                            }[];
                            percent: number;
                            key: string[];
                            salt: string;
                            expires: string | null;
                            shadow: {
                                subgraphs?: string[];
                                operations?: string[];
                                unordered?: string[];
                            } | null;
                            status: "active" | "aborted" | "completed";
                            ramp: {
                                steps: number[];
                                everyMs: number;
                                guards?: {
                                    errors?: {
                                        points: number;
                                    } | {
                                        ratio: number;
                                    };
                                    p50?: {
                                        ratio: number;
                                    };
                                    p90?: {
                                        ratio: number;
                                    };
                                    p95?: {
                                        ratio: number;
                                    };
                                    p99?: {
                                        ratio: number;
                                    };
                                    minimumRequests?: number;
                                };
                                stop?: {
                                    errors: {
                                        percent: number;
                                    };
                                };
                                forgeableKey?: true;
                                step: number;
                                since: number;
                                sinceTime: number;
                                begun: number;
                                attempt: number;
                                state: "running" | "paused" | "ended";
                                judgement: {
                                    outcome: "go-on" | "abort" | "inconclusive";
                                    requests: {
                                        inside: number;
                                        control: number;
                                    };
                                    guards: {
                                        tested: "errors" | "errors-by-operation" | "p50" | "p90" | "p95" | "p99";
                                        outcome: "go-on" | "abort" | "inconclusive";
                                        reason: "exceeded" | "kept" | "unclear" | "too-few-requests" | "too-few-clusters";
                                        inside: number | null;
                                        control: number | null;
                                        excess: {
                                            value: number | null;
                                            atLeast: number | null;
                                            atMost: number | null;
                                        };
                                        alpha: number;
                                        requestsNeeded: number | null;
                                    }[];
                                } | null;
                                emergency: {
                                    requests: number;
                                    errors: number;
                                    failedClusters: number;
                                } | null;
                            } | null;
                            place: number;
                            namespace: string;
                            inForce: number;
                            flagState: string | null;
                            state: "live" | "pending" | "waiting";
                            routers: {
                                serving: number;
                                total: number;
                                verified?: true;
                            };
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        mode?: "serve" | "shadow";
                        where?: {
                            on: string;
                            equals?: string;
                            in?: string[];
                            starts_with?: string;
                            ends_with?: string;
                            exists?: true;
                            semver?: string;
                            not?: {
                                equals?: string;
                                in?: string[];
                                starts_with?: string;
                                ends_with?: string;
                                exists?: true;
                                semver?: string;
                            };
                        }[];
                        percent?: number;
                        key?: string[];
                        expires?: string | null;
                        shadow?: {
                            subgraphs?: string[];
                            operations?: string[];
                            unordered?: string[];
                        } | null;
                        before?: string | null;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/rollouts/{namespace}/{name}/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            rollout: string;
                            graph: string;
                            flag: string;
                            step: {
                                step: number;
                                steps: number;
                                percent: number;
                                since: number;
                                sinceTime: number;
                                endTime: number;
                                state: "running" | "paused" | "ended";
                            } | null;
                            routers: {
                                living: number;
                                silent: string[];
                                stopped: string[];
                            };
                            inside: {
                                requests: number;
                                errors: number;
                                codes: {
                                    code: string;
                                    errors: number;
                                }[];
                                latencyMs: {
                                    p50: number | null;
                                    p90: number | null;
                                    p95: number | null;
                                    p99: number | null;
                                };
                            };
                            control: {
                                requests: number;
                                errors: number;
                                codes: {
                                    code: string;
                                    errors: number;
                                }[];
                                latencyMs: {
                                    p50: number | null;
                                    p90: number | null;
                                    p95: number | null;
                                    p99: number | null;
                                };
                            };
                            operations: {
                                name: string;
                                inside: {
                                    requests: number;
                                    errors: number;
                                };
                                control: {
                                    requests: number;
                                    errors: number;
                                };
                            }[];
                            judgement: {
                                outcome: "go-on" | "abort" | "inconclusive";
                                requests: {
                                    inside: number;
                                    control: number;
                                };
                                guards: {
                                    tested: "errors" | "errors-by-operation" | "p50" | "p90" | "p95" | "p99";
                                    outcome: "go-on" | "abort" | "inconclusive";
                                    reason: "exceeded" | "kept" | "unclear" | "too-few-requests" | "too-few-clusters";
                                    inside: number | null;
                                    control: number | null;
                                    excess: {
                                        value: number | null;
                                        atLeast: number | null;
                                        atMost: number | null;
                                    };
                                    alpha: number;
                                    requestsNeeded: number | null;
                                }[];
                            } | null;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts/{namespace}/{name}/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            rollout: string;
                            graph: string;
                            flag: string;
                            routers: number;
                            since: number | null;
                            operations: {
                                operation: string;
                                compared: number;
                                equal: number;
                                reordered: number;
                                different: number;
                                slower: number;
                                unanswerable: number;
                                notComparable: {
                                    [key: string]: number;
                                };
                                baseMs: number;
                                flagMs: number;
                            }[];
                            differences: {
                                operation: string;
                                path: string;
                                cause: "value" | "type" | "null" | "not-null" | "missing" | "extra" | "length" | "order" | "error" | "no-error";
                                code: string | null;
                                count: number;
                                first: number;
                                last: number;
                                base: {
                                    type: string;
                                    hash: string | null;
                                    value?: string;
                                };
                                flag: {
                                    type: string;
                                    hash: string | null;
                                    value?: string;
                                };
                            }[];
                            noise: {
                                operation: string;
                                path: string;
                            }[];
                            dropped: number;
                            leftOut: number;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/previews/{namespace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            previews: {
                                name: string;
                                flag: string & (unknown & unknown);
                                subgraphs: {
                                    base: string;
                                    routingUrl: string;
                                    schema: string;
                                    bytes: number;
                                }[];
                                expires: string;
                                namespace: string;
                                graphs: {
                                    graph: string;
                                    state: string;
                                }[];
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        name: string;
                        subgraphs: {
                            subgraph: string;
                            routingUrl: string;
                            sdl: string;
                        }[];
                        ttlSeconds?: number;
                        orUpdate?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/previews/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            name: string;
                            flag: string & (unknown & unknown);
                            subgraphs: {
                                base: string;
                                routingUrl: string;
                                schema: string;
                                bytes: number;
                            }[];
                            expires: string;
                            namespace: string;
                            graphs: {
                                graph: string;
                                state: string;
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        subgraphs?: {
                            subgraph: string;
                            routingUrl: string;
                            sdl: string;
                        }[];
                        without?: string[];
                        ttlSeconds?: number;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/usage/{namespace}/{graph}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    from?: number;
                    to?: number;
                    group?: ("operation" | "client" | "flag" | "coordinate" | "hour") | ("operation" | "client" | "flag" | "coordinate" | "hour")[];
                    operation?: string;
                    client?: string;
                    clientVersion?: string;
                    flag?: string;
                    coordinate?: string | string[];
                    search?: string;
                    schemaOf?: string;
                    limit?: number;
                };
                header?: never;
                path: {
                    namespace: string;
                    graph: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            graph: string;
                            from: number;
                            to: number;
                            retentionDays: number;
                            coverage: {
                                reportedMinutes: number;
                                aliveMinutes: number;
                                share: number | null;
                                unheardMinutes: number;
                                isEvidence: boolean;
                                reason: string | null;
                            };
                            totals: {
                                requests: number;
                                errors: number;
                                latencyMs: {
                                    p50: number | null;
                                    p90: number | null;
                                    p99: number | null;
                                };
                            };
                            groups: {
                                operation?: {
                                    hash: string;
                                    name: string | null;
                                    kind: "query" | "mutation" | "subscription";
                                };
                                client?: {
                                    name: string | null;
                                    version: string | null;
                                };
                                flag?: string | null;
                                coordinate?: string;
                                hour?: number;
                                requests: number;
                                errors: number;
                                latencyMs: {
                                    p50: number | null;
                                    p90: number | null;
                                    p99: number | null;
                                };
                                lastSeen: number;
                            }[];
                            leftOut: number;
                            restRequests: number;
                            unknownCoordinates?: string[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/{namespace}/{graph}/operations/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    from?: number;
                    to?: number;
                };
                header?: never;
                path: {
                    namespace: string;
                    graph: string;
                    hash: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            hash: string;
                            name: string | null;
                            kind: "query" | "mutation" | "subscription";
                            document: string | null;
                            coordinates: string[] | null;
                            coverage: {
                                reportedMinutes: number;
                                aliveMinutes: number;
                                share: number | null;
                                unheardMinutes: number;
                                isEvidence: boolean;
                                reason: string | null;
                            };
                            totals: {
                                requests: number;
                                errors: number;
                                latencyMs: {
                                    p50: number | null;
                                    p90: number | null;
                                    p99: number | null;
                                };
                            };
                            clients: {
                                operation?: {
                                    hash: string;
                                    name: string | null;
                                    kind: "query" | "mutation" | "subscription";
                                };
                                client?: {
                                    name: string | null;
                                    version: string | null;
                                };
                                flag?: string | null;
                                coordinate?: string;
                                hour?: number;
                                requests: number;
                                errors: number;
                                latencyMs: {
                                    p50: number | null;
                                    p90: number | null;
                                    p99: number | null;
                                };
                                lastSeen: number;
                            }[];
                            flags: {
                                operation?: {
                                    hash: string;
                                    name: string | null;
                                    kind: "query" | "mutation" | "subscription";
                                };
                                client?: {
                                    name: string | null;
                                    version: string | null;
                                };
                                flag?: string | null;
                                coordinate?: string;
                                hour?: number;
                                requests: number;
                                errors: number;
                                latencyMs: {
                                    p50: number | null;
                                    p90: number | null;
                                    p99: number | null;
                                };
                                lastSeen: number;
                            }[];
                            hours: {
                                operation?: {
                                    hash: string;
                                    name: string | null;
                                    kind: "query" | "mutation" | "subscription";
                                };
                                client?: {
                                    name: string | null;
                                    version: string | null;
                                };
                                flag?: string | null;
                                coordinate?: string;
                                hour?: number;
                                requests: number;
                                errors: number;
                                latencyMs: {
                                    p50: number | null;
                                    p90: number | null;
                                    p99: number | null;
                                };
                                lastSeen: number;
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/{namespace}/{graph}/unused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    from?: number;
                    to?: number;
                    search?: string;
                    limit?: number;
                };
                header?: never;
                path: {
                    namespace: string;
                    graph: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            coverage: {
                                reportedMinutes: number;
                                aliveMinutes: number;
                                share: number | null;
                                unheardMinutes: number;
                                isEvidence: boolean;
                                reason: string | null;
                            };
                            unused: string[] | null;
                            reason: string | null;
                            total: number;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/figures/{namespace}/{graph}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                    minutes?: number;
                };
                header?: never;
                path: {
                    namespace: string;
                    graph: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            minutes: {
                                time: number;
                                routers: number;
                                compositions: {
                                    flag: string | null;
                                    requests: number;
                                    errors: number;
                                    latencyMs: {
                                        p50: number | null;
                                        p90: number | null;
                                        p99: number | null;
                                    };
                                }[];
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["followLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checks/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        schema: string;
                        strict?: boolean;
                        labels?: string[];
                        routingUrl?: string;
                        base?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            namespace: string;
                            name: string;
                            sequence: number;
                            passes: boolean;
                            message: string;
                            warnings: string[];
                            compositions: {
                                graph: string;
                                featureFlag: string | null;
                                status: "composed" | "unchanged" | "failed" | "empty" | "removed";
                                failedBefore: boolean;
                                errors: {
                                    code: string;
                                    message: string;
                                    subgraphs: string[];
                                    locations: {
                                        subgraph: string;
                                        line: number;
                                        column: number;
                                        length?: number;
                                        label?: string;
                                    }[];
                                    operation?: string;
                                    path?: {
                                        coordinate: string;
                                        subgraph: string | null;
                                    }[];
                                    reasons?: {
                                        subgraph: string;
                                        target: string | null;
                                        reason: string;
                                    }[];
                                }[];
                                errorCount: number;
                                hints: {
                                    code: string;
                                    message: string;
                                    subgraphs: string[];
                                    locations: {
                                        subgraph: string;
                                        line: number;
                                        column: number;
                                        length?: number;
                                        label?: string;
                                    }[];
                                    operation?: string;
                                    path?: {
                                        coordinate: string;
                                        subgraph: string | null;
                                    }[];
                                    reasons?: {
                                        subgraph: string;
                                        target: string | null;
                                        reason: string;
                                    }[];
                                }[];
                                comparedWith: ("served" | "nothing-served") | null;
                            }[];
                            changes: {
                                breaking: number;
                                dangerous: number;
                                safe: number;
                                changes: {
                                    criticality: "breaking" | "dangerous" | "safe";
                                    type: string;
                                    path: string;
                                    message: string;
                                    graph: string;
                                    featureFlag: string | null;
                                }[];
                            };
                            documents: {
                                tried: number;
                                unanswered: number;
                                partlyAnswered: number;
                                lost: {
                                    graph: string;
                                    id: string;
                                    manifests: string[];
                                    clients: string[] | null;
                                    operationName: string | null;
                                    answeredElsewhere: boolean;
                                    compositions: {
                                        featureFlag: string | null;
                                        message: string;
                                        locations: {
                                            line: number;
                                            column: number;
                                        }[];
                                    }[];
                                    compositionCount: number;
                                }[];
                            };
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        previewHosts: string[];
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        revision: number;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/republish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feature-subgraphs/{namespace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        name: string;
                        routingUrl: string;
                        subgraph: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feature-flags/{namespace}/{name}/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        expectedSequence?: number;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": {
                        reason?: string;
                        expectedSequence?: number;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feature-flags/{namespace}/{name}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feature-flags/{namespace}/{name}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts/{namespace}/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts/{namespace}/{name}/ramp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        steps: number[];
                        everyMs: number;
                        guards?: {
                            errors?: {
                                points: number;
                            } | {
                                ratio: number;
                            };
                            p50?: {
                                ratio: number;
                            };
                            p90?: {
                                ratio: number;
                            };
                            p95?: {
                                ratio: number;
                            };
                            p99?: {
                                ratio: number;
                            };
                            minimumRequests?: number;
                        };
                        stop?: {
                            errors: {
                                percent: number;
                            };
                        };
                        forgeableKey?: true;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts/{namespace}/{name}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        since?: number;
                        judgement?: {
                            outcome: "go-on" | "abort" | "inconclusive";
                            requests: {
                                inside: number;
                                control: number;
                            };
                            guards: {
                                tested: "errors" | "errors-by-operation" | "p50" | "p90" | "p95" | "p99";
                                outcome: "go-on" | "abort" | "inconclusive";
                                reason: "exceeded" | "kept" | "unclear" | "too-few-requests" | "too-few-clusters";
                                inside: number | null;
                                control: number | null;
                                excess: {
                                    value: number | null;
                                    atLeast: number | null;
                                    atMost: number | null;
                                };
                                alpha: number;
                                requestsNeeded: number | null;
                            }[];
                        };
                        emergency?: {
                            requests: number;
                            errors: number;
                            failedClusters: number;
                        };
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts/{namespace}/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        since?: number;
                        judgement?: {
                            outcome: "go-on" | "abort" | "inconclusive";
                            requests: {
                                inside: number;
                                control: number;
                            };
                            guards: {
                                tested: "errors" | "errors-by-operation" | "p50" | "p90" | "p95" | "p99";
                                outcome: "go-on" | "abort" | "inconclusive";
                                reason: "exceeded" | "kept" | "unclear" | "too-few-requests" | "too-few-clusters";
                                inside: number | null;
                                control: number | null;
                                excess: {
                                    value: number | null;
                                    atLeast: number | null;
                                    atMost: number | null;
                                };
                                alpha: number;
                                requestsNeeded: number | null;
                            }[];
                        };
                        emergency?: {
                            requests: number;
                            errors: number;
                            failedClusters: number;
                        };
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts/{namespace}/{name}/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        since?: number;
                        judgement?: {
                            outcome: "go-on" | "abort" | "inconclusive";
                            requests: {
                                inside: number;
                                control: number;
                            };
                            guards: {
                                tested: "errors" | "errors-by-operation" | "p50" | "p90" | "p95" | "p99";
                                outcome: "go-on" | "abort" | "inconclusive";
                                reason: "exceeded" | "kept" | "unclear" | "too-few-requests" | "too-few-clusters";
                                inside: number | null;
                                control: number | null;
                                excess: {
                                    value: number | null;
                                    atLeast: number | null;
                                    atMost: number | null;
                                };
                                alpha: number;
                                requestsNeeded: number | null;
                            }[];
                        };
                        emergency?: {
                            requests: number;
                            errors: number;
                            failedClusters: number;
                        };
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts/{namespace}/{name}/end-ramp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        since?: number;
                        judgement?: {
                            outcome: "go-on" | "abort" | "inconclusive";
                            requests: {
                                inside: number;
                                control: number;
                            };
                            guards: {
                                tested: "errors" | "errors-by-operation" | "p50" | "p90" | "p95" | "p99";
                                outcome: "go-on" | "abort" | "inconclusive";
                                reason: "exceeded" | "kept" | "unclear" | "too-few-requests" | "too-few-clusters";
                                inside: number | null;
                                control: number | null;
                                excess: {
                                    value: number | null;
                                    atLeast: number | null;
                                    atMost: number | null;
                                };
                                alpha: number;
                                requestsNeeded: number | null;
                            }[];
                        };
                        emergency?: {
                            requests: number;
                            errors: number;
                            failedClusters: number;
                        };
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rollouts/{namespace}/{name}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        since?: number;
                        judgement?: {
                            outcome: "go-on" | "abort" | "inconclusive";
                            requests: {
                                inside: number;
                                control: number;
                            };
                            guards: {
                                tested: "errors" | "errors-by-operation" | "p50" | "p90" | "p95" | "p99";
                                outcome: "go-on" | "abort" | "inconclusive";
                                reason: "exceeded" | "kept" | "unclear" | "too-few-requests" | "too-few-clusters";
                                inside: number | null;
                                control: number | null;
                                excess: {
                                    value: number | null;
                                    atLeast: number | null;
                                    atMost: number | null;
                                };
                                alpha: number;
                                requestsNeeded: number | null;
                            }[];
                        };
                        emergency?: {
                            requests: number;
                            errors: number;
                            failedClusters: number;
                        };
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    wait?: number;
                };
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                        graphs?: {
                            name: string;
                            labelMatchers?: string[];
                            allowUnenforcedAuthorization?: boolean;
                            publicUrl?: string | null;
                        }[];
                        subgraphs?: {
                            name: string;
                            routingUrl?: string;
                            labels?: string[];
                            sdl?: string;
                        }[];
                        featureSubgraphs?: {
                            name: string;
                            subgraph?: string;
                            routingUrl?: string;
                            sdl?: string;
                        }[];
                        featureFlags?: {
                            name: string;
                            labels?: string[];
                            featureSubgraphs?: string[];
                            enabled?: boolean;
                        }[];
                        rollouts?: {
                            name: string;
                            graph?: string;
                            flag?: string;
                            salt?: string;
                            mode?: "serve" | "shadow";
                            where?: {
                                on: string;
                                equals?: string;
                                in?: string[];
                                starts_with?: string;
                                ends_with?: string;
                                exists?: true;
                                semver?: string;
                                not?: {
                                    equals?: string;
                                    in?: string[];
                                    starts_with?: string;
                                    ends_with?: string;
                                    exists?: true;
                                    semver?: string;
                                };
                            }[];
                            percent?: number;
                            key?: string[];
                            expires?: string | null;
                            shadow?: {
                                subgraphs?: string[];
                                operations?: string[];
                                unordered?: string[];
                            } | null;
                        }[];
                        prune?: boolean;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandOutcome"];
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            url: string;
                            expiresAt: number;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            actor: string;
                            name: string;
                            scopes: string[];
                            csrf: string;
                            signedInAt: number;
                            expiresAt: number;
                            idleAt: number;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        apiKey: string;
                    } | {
                        link: string;
                    };
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            actor: string;
                            name: string;
                            scopes: string[];
                            csrf: string;
                            signedInAt: number;
                            expiresAt: number;
                            idleAt: number;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            link: boolean;
                            apiKey: boolean;
                            openIdConnect: {
                                name: string;
                                start: string;
                            } | null;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    return?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                302: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/html": string;
                    };
                };
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/html": string;
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            apiKeys: {
                                id: string;
                                name: string;
                                scopes: string[];
                                createdAt: string;
                                createdBy: string;
                            }[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                        scopes: string[];
                    };
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string;
                            scopes: string[];
                            createdAt: string;
                            createdBy: string;
                            key: string;
                            warnings: string[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string;
                            scopes: string[];
                            createdAt: string;
                            createdBy: string;
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trace-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    consistency?: "strong" | "eventual";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            traceKeys: {
                                kid: string;
                                state: "signs" | "can-sign" | "cannot-sign" | "not-announced" | "retired";
                                createdAt: string | null;
                                retiredAt: string | null;
                                tokensUntil: string | null;
                            }[];
                            warnings: string[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            kid: string;
                            state: "signs" | "can-sign" | "cannot-sign" | "not-announced" | "retired";
                            createdAt: string | null;
                            retiredAt: string | null;
                            tokensUntil: string | null;
                            made: boolean;
                            warnings: string[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trace-keys/{kid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    kid: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            kid: string;
                            state: "signs" | "can-sign" | "cannot-sign" | "not-announced" | "retired";
                            createdAt: string | null;
                            retiredAt: string | null;
                            tokensUntil: string | null;
                            warnings: string[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{namespace}/{name}/trace-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    namespace: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        ttl?: number;
                        exclude?: ("raw_input_data" | "input" | "output" | "load_stats" | "planner_stats" | "parse_stats" | "normalize_stats" | "validate_stats")[];
                    };
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            token: string;
                            expiresAt: string;
                            kid: string;
                            warnings: string[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/x-ndjson": string;
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/x-ndjson": string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            blobs: number;
                            pieces?: number;
                            records: {
                                configs: number;
                                compositions: number;
                                registry: number;
                            };
                            warnings: string[];
                        };
                    };
                };
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            type: string;
            title: string;
            status: number;
            code: "ALREADY_EXISTS" | "ANSWER_TOO_EXPENSIVE" | "API_KEY_SHOWN_ONCE" | "BASE_SUBGRAPH_NOT_FOUND" | "CSRF_TOKEN_WRONG" | "DESIRED_STATE_INVALID" | "DOCUMENTS_INVALID" | "FEATURE_FLAG_INVALID" | "FEATURE_SUBGRAPH_EXPECTED" | "FORBIDDEN" | "HEADERS_TOO_LARGE" | "IDEMPOTENCY_KEY_REUSED" | "IMPORT_INCOMPLETE" | "IMPORT_INVALID" | "IMPORT_NOT_POSSIBLE" | "INTERNAL_SERVER_ERROR" | "INVALID_REQUEST" | "LAST_ADMIN_KEY" | "LIMIT_EXCEEDED" | "METHOD_NOT_ALLOWED" | "NAMESPACE_PROTECTED" | "NOT_FOUND" | "NOT_READY" | "OPENID_CONNECT_UNAVAILABLE" | "PAYLOAD_TOO_LARGE" | "PREVIEW_INVALID" | "REGISTRY_BUSY" | "REGISTRY_NOT_EMPTY" | "LINKS_OFF" | "LINK_UNKNOWN" | "REQUEST_TIMEOUT" | "RAMP_MOVED_ON" | "ROLLOUT_INVALID" | "SCHEMA_INVALID" | "SESSIONS_OFF" | "SESSION_EXPIRED" | "SESSION_FOREIGN_SITE" | "SESSION_HOST_UNKNOWN" | "SIGN_IN_AGAIN" | "STATE_CHANGED" | "STORAGE_UNAVAILABLE" | "TOO_MANY_FAILED_AUTHENTICATIONS" | "TOO_MANY_LIVE_CONNECTIONS" | "TRACE_KEY_FILE_UNUSABLE" | "TRACE_KEY_UNAVAILABLE" | "UNDO_NOT_POSSIBLE" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "WRITE_OUTCOME_UNKNOWN";
            detail: string;
            problems?: string[];
            locations?: {
                line: number;
                column: number;
                message: string;
            }[];
        };
        CommandOutcome: {
            commandId: string;
            changed: boolean;
            sequence: number;
            message: string;
            warnings: string[];
            affectedGraphs: string[];
            rolloutGraphs?: string[];
            namedGraphs?: string[];
            compositions: {
                graph: string;
                featureFlag: string | null;
                status: "composed" | "unchanged" | "failed" | "empty";
                failedBefore: boolean;
                isNew: boolean;
                errors: {
                    code: string;
                    message: string;
                    subgraphs: string[];
                    locations: {
                        subgraph: string;
                        line: number;
                        column: number;
                        length?: number;
                        label?: string;
                    }[];
                    operation?: string;
                    path?: {
                        coordinate: string;
                        subgraph: string | null;
                    }[];
                    reasons?: {
                        subgraph: string;
                        target: string | null;
                        reason: string;
                    }[];
                }[];
                errorCount: number;
                hints: {
                    code: string;
                    message: string;
                    subgraphs: string[];
                    locations: {
                        subgraph: string;
                        line: number;
                        column: number;
                        length?: number;
                        label?: string;
                    }[];
                    operation?: string;
                    path?: {
                        coordinate: string;
                        subgraph: string | null;
                    }[];
                    reasons?: {
                        subgraph: string;
                        target: string | null;
                        reason: string;
                    }[];
                }[];
            }[];
            pending: boolean;
            routers: {
                serving: number;
                total: number;
                verified?: true;
            };
            flagCosts?: {
                graph: string;
                featureFlag: string;
                estimate: {
                    bytes: number;
                    changedDefinitions: number | null;
                    compiled: "changes" | "whole";
                    cpuMs: number;
                    memoryBytes: number;
                } | null;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    followLive: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        kind: "hello";
                        sequence: number;
                        missed: boolean;
                    } | {
                        kind: "changed";
                        sequence: number;
                        namespace: string | null;
                        graphs: string[];
                    } | {
                        kind: "composed";
                        namespace: string;
                        graph: string;
                    } | {
                        kind: "published";
                        namespace: string;
                        graph: string;
                    } | {
                        kind: "fleet";
                    } | {
                        kind: "figures";
                        graphs: {
                            namespace: string;
                            graph: string;
                            routers: number;
                            requestsPerSecond: number;
                            errorsPerSecond: number;
                        }[];
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
